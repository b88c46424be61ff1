// A histogram: how many numbers lie in each of some equally wide ranges.

const NUMBERS = {{numbers}};
const BINS = {{bins}};

const low = Math.min(...NUMBERS);
const width = (Math.max(...NUMBERS) - low) / BINS || 1;
const counts = Array(BINS).fill(0);
for (const number of NUMBERS) {
  // The largest number belongs to the last range.
  counts[Math.min(Math.floor((number - low) / width), BINS - 1)]++;
}

const cell = (value) => value.toFixed(2).padStart(8);
for (const [i, count] of counts.entries()) {
  console.log(`${cell(low + i * width)} to ${cell(low + (i + 1) * width)} | ${"#".repeat(count)} ${count}`);
}
console.log("Numbers:", NUMBERS.length);
