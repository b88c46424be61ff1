// The factorial of n: 1 * 2 * 3 * … * n. It grows quickly, so it is a BigInt.

const NUMBER = {{number}};

/** Multiplies all numbers from 2 to the given one; of 0 it is 1. */
function factorial(number) {
  let product = 1n;
  for (let factor = 2n; factor <= number; factor++) {
    product *= factor;
  }
  return product;
}

console.log(`${NUMBER}! = ${factorial(NUMBER)}`);
