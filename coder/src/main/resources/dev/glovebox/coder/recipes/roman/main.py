"""Roman numerals: from a number to its numeral, or back."""

TEXT = {{text}}

SYMBOLS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    """Take away the largest symbol that fits, as often as it fits."""
    numeral = ""
    for value, symbol in SYMBOLS:
        while number >= value:
            numeral += symbol
            number -= value
    return numeral


def from_roman(numeral):
    """Read the symbols from the left."""
    number = 0
    rest = numeral
    for value, symbol in SYMBOLS:
        while rest.startswith(symbol):
            number += value
            rest = rest[len(symbol):]
    return number if to_roman(number) == numeral else None


if TEXT.isdigit():
    if 1 <= int(TEXT) <= 3999:
        print(f"{TEXT} = {to_roman(int(TEXT))}")
    else:
        print(f"{TEXT} has no Roman numeral: they go from 1 to 3999")
else:
    number = from_roman(TEXT.upper())
    print(f"{TEXT} = {number}" if number else f"{TEXT} is no Roman numeral")
