"""FizzBuzz: Fizz for multiples of 3, Buzz for those of 5, FizzBuzz for both."""

LIMIT = {{limit}}


def fizz_buzz(number):
    """Return the word for a number, or the number itself."""
    word = ("Fizz" if number % 3 == 0 else "") + ("Buzz" if number % 5 == 0 else "")
    return word or str(number)


for number in range(1, LIMIT + 1):
    print(fizz_buzz(number))
