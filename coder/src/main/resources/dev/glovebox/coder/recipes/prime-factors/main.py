"""The prime factors of a number, and whether it is prime itself."""

NUMBER = {{number}}


def prime_factors(number):
    """Divide by 2, 3, 4, … as often as it goes."""
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    if number > 1:
        factors.append(number)
    return factors


factors = prime_factors(NUMBER)
print(f"{NUMBER} is {'prime' if factors == [NUMBER] else 'not prime'}")
print(f"{NUMBER} = {' * '.join(str(factor) for factor in factors) or 1}")
