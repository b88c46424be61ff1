{% if what gcd %}
"""The greatest common divisor: the largest number that divides all of them."""
{% end %}
{% if what lcm %}
"""The least common multiple: the smallest number that all of them divide."""
{% end %}

import math

NUMBERS = {{numbers}}

named = ", ".join(str(number) for number in NUMBERS)
{% if what gcd %}
print(f"Greatest common divisor of {named}: {math.gcd(*NUMBERS)}")
{% end %}
{% if what lcm %}
print(f"Least common multiple of {named}: {math.lcm(*NUMBERS)}")
{% end %}
