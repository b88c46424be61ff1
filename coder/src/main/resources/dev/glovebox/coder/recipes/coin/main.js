// Flip a coin, and count heads and tails. The same seed flips the same.

const FLIPS = {{flips}};
const SEED = {{seed}};

/** A small generator of random numbers below 1, as Math.random() takes no seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const random = randomFrom(SEED);
let [heads, longest, run, last] = [0, 0, 0, null];
for (let i = 0; i < FLIPS; i++) {
  const side = random() < 0.5 ? "heads" : "tails";
  if (side === "heads") heads++;
  run = side === last ? run + 1 : 1;
  longest = Math.max(longest, run);
  last = side;
}

const percent = (count) => `${((count / FLIPS) * 100).toFixed(1)}%`;
console.log(`Flips: ${FLIPS} (seed ${SEED})`);
console.log(`Heads: ${heads} (${percent(heads)})`);
console.log(`Tails: ${FLIPS - heads} (${percent(FLIPS - heads)})`);
console.log("Longest run of the same side:", longest);
