"""The greatest common divisor and the least common multiple."""

import math

NUMBERS = {{numbers}}

named = ", ".join(str(number) for number in NUMBERS)
{% if what gcd %}
print(f"Greatest common divisor of {named}: {math.gcd(*NUMBERS)}")
{% end %}
{% if what lcm %}
print(f"Least common multiple of {named}: {math.lcm(*NUMBERS)}")
{% end %}
