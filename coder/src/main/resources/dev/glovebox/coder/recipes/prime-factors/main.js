// The prime factors of a number, and whether it is prime itself.

const NUMBER = {{number}};

/** Divides by 2, 3, 4, … as often as it goes. */
function primeFactors(number) {
  const factors = [];
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    while (number % divisor === 0) {
      factors.push(divisor);
      number /= divisor;
    }
  }
  if (number > 1) factors.push(number);
  return factors;
}

const factors = primeFactors(NUMBER);
const isPrime = factors.length === 1 && factors[0] === NUMBER;
console.log(`${NUMBER} is ${isPrime ? "prime" : "not prime"}`);
console.log(`${NUMBER} = ${factors.join(" * ") || 1}`);
