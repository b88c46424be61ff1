// Prime numbers: numbers above 1 that only 1 and they themselves divide.
{% if mode upto %}

const LIMIT = {{limit}};

/** Crosses out the multiples of each prime (the sieve of Eratosthenes). */
function primesUpTo(limit) {
  const isPrime = new Array(limit + 1).fill(true);
  const primes = [];
  for (let number = 2; number <= limit; number++) {
    if (!isPrime[number]) continue;
    primes.push(number);
    for (let multiple = number * number; multiple <= limit; multiple += number) {
      isPrime[multiple] = false;
    }
  }
  return primes;
}

const primes = primesUpTo(LIMIT);
console.log(`There are ${primes.length} primes up to ${LIMIT}:`);
{% end %}
{% if mode first %}

const COUNT = {{count}};

/** Tries one number after the other, and divides it by the primes so far. */
function firstPrimes(count) {
  const primes = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    let isPrime = true;
    for (const prime of primes) {
      if (prime * prime > candidate) break;
      if (candidate % prime === 0) {
        isPrime = false;
        break;
      }
    }
    if (isPrime) primes.push(candidate);
  }
  return primes;
}

const primes = firstPrimes(COUNT);
console.log(`The first ${COUNT} primes:`);
{% end %}
console.log(primes.join(", "));
