{% if kind arithmetic %}
"""An arithmetic sequence: each term is the one before it plus a step."""

START = {{start}}
STEP = {{step}}
{% end %}
{% if kind geometric %}
"""A geometric sequence: each term is the one before it times a ratio."""

START = {{start}}
RATIO = {{step}}
{% end %}
{% if kind triangular %}
"""Triangular numbers: 1, 1 + 2, 1 + 2 + 3, and so on."""

{% end %}
{% if kind square %}
"""Square numbers: 1 * 1, 2 * 2, 3 * 3, and so on."""

{% end %}
COUNT = {{count}}

{% if kind arithmetic %}
terms = [START + STEP * i for i in range(COUNT)]
{% end %}
{% if kind geometric %}
terms = [START * RATIO**i for i in range(COUNT)]
{% end %}
{% if kind triangular %}
terms = [n * (n + 1) // 2 for n in range(1, COUNT + 1)]
{% end %}
{% if kind square %}
terms = [n * n for n in range(1, COUNT + 1)]
{% end %}
print(f"{COUNT} terms:")
print(", ".join(str(term) for term in terms))
print("Their sum:", sum(terms))
