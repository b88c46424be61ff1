// The Collatz sequence: halve an even number, triple an odd one and add 1.

const START = {{start}};

/** All numbers on the way to 1. */
function collatz(number) {
  const way = [number];
  while (number !== 1) {
    number = number % 2 === 0 ? number / 2 : 3 * number + 1;
    way.push(number);
  }
  return way;
}

const way = collatz(START);
console.log(way.join(" -> "));
console.log("Steps:", way.length - 1);
console.log("Highest number:", Math.max(...way));
