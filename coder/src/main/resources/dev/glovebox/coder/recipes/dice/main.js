// Roll dice, and count how often each sum comes up. The same seed rolls the same.

const DICE = {{dice}};
const SIDES = {{sides}};
const ROLLS = {{rolls}};
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
const counts = new Map();
for (let roll = 0; roll < ROLLS; roll++) {
  let total = 0;
  for (let die = 0; die < DICE; die++) {
    total += 1 + Math.floor(random() * SIDES);
  }
  counts.set(total, (counts.get(total) ?? 0) + 1);
}

console.log(`${ROLLS} rolls of ${DICE} dice with ${SIDES} sides (seed ${SEED}):`);
let sum = 0;
for (const [total, count] of [...counts].sort(([a], [b]) => a - b)) {
  const share = count / ROLLS;
  sum += total * count;
  console.log(`${total}: ${count} (${(share * 100).toFixed(1)}%) ${"#".repeat(Math.round(share * 60))}`);
}
console.log(`Average: ${(sum / ROLLS).toFixed(3)}`);
