"""The factorial of n: 1 * 2 * 3 * … * n."""

NUMBER = {{number}}


def factorial(number):
    """Multiply all numbers from 2 to the given one; of 0 it is 1."""
    product = 1
    for factor in range(2, number + 1):
        product *= factor
    return product


print(f"{NUMBER}! = {factorial(NUMBER)}")
