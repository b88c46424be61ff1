// Fibonacci numbers: each one is the sum of the two before it.
// They grow quickly, so they are BigInts.
{% if mode first nth %}

const COUNT = {{count}};

/** The first numbers of the sequence, from 0 on. */
function fibonacci(count) {
  const numbers = [];
  let [current, following] = [0n, 1n];
  for (let i = 0; i < count; i++) {
    numbers.push(current);
    [current, following] = [following, current + following];
  }
  return numbers;
}
{% end %}
{% if mode upto %}

const LIMIT = {{limit}};

/** All numbers of the sequence that are not larger than the limit. */
function fibonacciUpTo(limit) {
  const numbers = [];
  let [current, following] = [0n, 1n];
  while (current <= BigInt(limit)) {
    numbers.push(current);
    [current, following] = [following, current + following];
  }
  return numbers;
}
{% end %}

{% if mode first %}
console.log(`The first ${COUNT} Fibonacci numbers:`);
console.log(fibonacci(COUNT).join(", "));
{% end %}
{% if mode nth %}
// The sequence 0, 1, 1, 2, 3, 5, … is counted from F(0) = 0.
console.log(`Fibonacci number ${COUNT} is ${fibonacci(COUNT + 1).at(-1)}`);
{% end %}
{% if mode upto %}
console.log(`Fibonacci numbers up to ${LIMIT}:`);
console.log(fibonacciUpTo(LIMIT).join(", "));
{% end %}
