// The computer thinks of a number and guesses it itself, always in the middle of what is left.

const LOW = {{low}};
const HIGH = {{high}};
const SEED = {{seed}};

/** A random number below 1 that follows from a seed, as Math.random() takes none. */
function randomFrom(seed) {
  const state = (seed + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

const secret = LOW + Math.floor(randomFrom(SEED) * (HIGH - LOW + 1));
let [low, high, guess, guesses] = [LOW, HIGH, null, 0];
while (guess !== secret) {
  guess = Math.floor((low + high) / 2);
  guesses++;
  if (guess === secret) {
    console.log(`Guess ${guesses}: ${guess} is right`);
  } else if (guess < secret) {
    console.log(`Guess ${guesses}: ${guess} is too low`);
    low = guess + 1;
  } else {
    console.log(`Guess ${guesses}: ${guess} is too high`);
    high = guess - 1;
  }
}
console.log("Secret number:", secret);
