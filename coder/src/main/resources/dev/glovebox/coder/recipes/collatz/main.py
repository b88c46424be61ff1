"""The Collatz sequence: halve an even number, triple an odd one and add 1."""

START = {{start}}


def collatz(number):
    """Return all numbers on the way to 1."""
    way = [number]
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        way.append(number)
    return way


way = collatz(START)
print(" -> ".join(str(number) for number in way))
print("Steps:", len(way) - 1)
print("Highest number:", max(way))
