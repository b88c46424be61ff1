"""Fibonacci numbers: each one is the sum of the two before it."""
{% if mode first nth %}

COUNT = {{count}}


def fibonacci(count):
    """Return the first numbers of the sequence, from 0 on."""
    numbers = []
    current, following = 0, 1
    for _ in range(count):
        numbers.append(current)
        current, following = following, current + following
    return numbers
{% end %}
{% if mode upto %}

LIMIT = {{limit}}


def fibonacci_up_to(limit):
    """Return all numbers of the sequence that are not larger than the limit."""
    numbers = []
    current, following = 0, 1
    while current <= limit:
        numbers.append(current)
        current, following = following, current + following
    return numbers
{% end %}


{% if mode first %}
print(f"The first {COUNT} Fibonacci numbers:")
print(", ".join(str(number) for number in fibonacci(COUNT)))
{% end %}
{% if mode nth %}
# The sequence 0, 1, 1, 2, 3, 5, … is counted from F(0) = 0.
print(f"Fibonacci number {COUNT} is {fibonacci(COUNT + 1)[-1]}")
{% end %}
{% if mode upto %}
print(f"Fibonacci numbers up to {LIMIT}:")
print(", ".join(str(number) for number in fibonacci_up_to(LIMIT)))
{% end %}
