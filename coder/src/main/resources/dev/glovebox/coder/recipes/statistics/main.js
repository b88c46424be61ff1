// Statistics of a list of numbers.

const NUMBERS = {{numbers}};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers) => sum(numbers) / numbers.length;
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const tidy = (value) => String(Number(value.toFixed(6)));
{% if measures median %}

/** The middle one, or the mean of the two in the middle. */
function median(numbers) {
  const ordered = sorted(numbers);
  const middle = Math.floor(ordered.length / 2);
  return ordered.length % 2 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}
{% end %}
{% if measures mode %}

/** All numbers that are there most often. */
function modes(numbers) {
  const counts = new Map();
  for (const number of numbers) {
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return sorted([...counts.keys()].filter((number) => counts.get(number) === most));
}
{% end %}
{% if measures stdev variance %}

/** Of a sample it is divided by n - 1, of a whole population by n. */
function variance(numbers, divisor) {
  const center = mean(numbers);
  return sum(numbers.map((number) => (number - center) ** 2)) / divisor;
}
{% end %}
{% if measures percentile %}

/** Interpolates between the two nearest ranks. */
function percentile(numbers, percent) {
  const ordered = sorted(numbers);
  const position = ((ordered.length - 1) * percent) / 100;
  const below = Math.floor(position);
  const above = Math.min(below + 1, ordered.length - 1);
  return ordered[below] + (ordered[above] - ordered[below]) * (position - below);
}
{% end %}

console.log("Numbers:", NUMBERS.map(tidy).join(", "));
{% if measures mean %}
console.log("Mean:", tidy(mean(NUMBERS)));
{% end %}
{% if measures median %}
console.log("Median:", tidy(median(NUMBERS)));
{% end %}
{% if measures mode %}
console.log("Mode:", modes(NUMBERS).map(tidy).join(", "));
{% end %}
{% if measures stdev %}
if (NUMBERS.length > 1) {
  console.log("Standard deviation (sample):", tidy(Math.sqrt(variance(NUMBERS, NUMBERS.length - 1))));
}
console.log("Standard deviation (population):", tidy(Math.sqrt(variance(NUMBERS, NUMBERS.length))));
{% end %}
{% if measures variance %}
if (NUMBERS.length > 1) {
  console.log("Variance (sample):", tidy(variance(NUMBERS, NUMBERS.length - 1)));
}
console.log("Variance (population):", tidy(variance(NUMBERS, NUMBERS.length)));
{% end %}
{% if measures min %}
console.log("Minimum:", tidy(Math.min(...NUMBERS)));
{% end %}
{% if measures max %}
console.log("Maximum:", tidy(Math.max(...NUMBERS)));
{% end %}
{% if measures range %}
console.log("Range:", tidy(Math.max(...NUMBERS) - Math.min(...NUMBERS)));
{% end %}
{% if measures sum %}
console.log("Sum:", tidy(sum(NUMBERS)));
{% end %}
{% if measures percentile %}
const PERCENT = {{percent}};
console.log(`Percentile ${tidy(PERCENT)}:`, tidy(percentile(NUMBERS, PERCENT)));
{% end %}
