"""Convert a number from one base to another."""

DIGITS = {{digits}}
TO = int({{to}})

# A prefix such as 0x says the base itself.
PREFIXES = {"0x": 16, "0b": 2, "0o": 8}
SYMBOLS = "0123456789abcdef"

prefix = DIGITS[:2].lower()
base = PREFIXES.get(prefix, int({{from}}))
digits = DIGITS[2:] if prefix in PREFIXES else DIGITS


def in_base(number, base):
    """Write a number with the remainders of dividing it by the base."""
    text = ""
    while number > 0:
        number, remainder = divmod(number, base)
        text = SYMBOLS[remainder] + text
    return text or "0"


try:
    number = int(digits, base)
    print(f"{digits} (base {base}) = {in_base(number, TO)} (base {TO})")
    print("Decimal:", number)
except ValueError:
    print(f"{digits} is no number of base {base}")
