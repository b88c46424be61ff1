{% if algorithm binary %}
// Binary search: look at the middle, and go on in the half that is left.

const NUMBERS = {{numbers}}.sort((a, b) => a - b);
const TARGET = {{target}};

/** The place of the target (from 0) or -1, and the steps taken. */
function binarySearch(numbers, target) {
  let [low, high, steps] = [0, numbers.length - 1, 0];
  while (low <= high) {
    steps++;
    const middle = Math.floor((low + high) / 2);
    if (numbers[middle] === target) return [middle, steps];
    if (numbers[middle] < target) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return [-1, steps];
}

const [index, steps] = binarySearch(NUMBERS, TARGET);
console.log("Sorted list:", NUMBERS.join(", "));
{% end %}
{% if algorithm linear %}
// Linear search: look at one number after the other.

const NUMBERS = {{numbers}};
const TARGET = {{target}};

/** The place of the target (from 0) or -1, and the steps taken. */
function linearSearch(numbers, target) {
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] === target) return [i, i + 1];
  }
  return [-1, numbers.length];
}

const [index, steps] = linearSearch(NUMBERS, TARGET);
console.log("List:", NUMBERS.join(", "));
{% end %}
if (index < 0) {
  console.log(`${TARGET} is not in the list`);
} else {
  console.log(`${TARGET} found at index ${index} (counted from 0)`);
}
console.log("Steps:", steps);
