// Estimate pi: the share of random points of a square that lie in its quarter circle.

const POINTS = {{points}};
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
let inside = 0;
for (let i = 0; i < POINTS; i++) {
  if (random() ** 2 + random() ** 2 <= 1) inside++;
}
const estimate = (4 * inside) / POINTS;

console.log(`Points: ${POINTS} (seed ${SEED})`);
console.log(`Estimate of pi: ${estimate.toFixed(6)}`);
console.log(`Error: ${Math.abs(estimate - Math.PI).toFixed(6)}`);
