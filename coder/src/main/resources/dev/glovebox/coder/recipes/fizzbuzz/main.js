// FizzBuzz: Fizz for multiples of 3, Buzz for those of 5, FizzBuzz for both.

const LIMIT = {{limit}};

/** The word for a number, or the number itself. */
function fizzBuzz(number) {
  const word = (number % 3 === 0 ? "Fizz" : "") + (number % 5 === 0 ? "Buzz" : "");
  return word || String(number);
}

for (let number = 1; number <= LIMIT; number++) {
  console.log(fizzBuzz(number));
}
