{% if operation reverse %}
"""Reverse a text."""
{% end %}
{% if operation reverse-words %}
"""Reverse the order of the words of a text."""
{% end %}
{% if operation upper lower title %}
"""Change the case of a text."""
{% end %}
{% if operation snake camel %}
"""Turn words into one name."""

import re
{% end %}

TEXT = {{text}}

{% if operation reverse %}
result = TEXT[::-1]
{% end %}
{% if operation reverse-words %}
result = " ".join(reversed(TEXT.split()))
{% end %}
{% if operation upper %}
result = TEXT.upper()
{% end %}
{% if operation lower %}
result = TEXT.lower()
{% end %}
{% if operation title %}
# Unlike title(), capitalize() leaves "don't" alone.
result = " ".join(word.capitalize() for word in TEXT.split(" "))
{% end %}
{% if operation snake camel %}
words = [word.lower() for word in re.findall(r"[^\W_]+", TEXT)]
{% end %}
{% if operation snake %}
result = "_".join(words)
{% end %}
{% if operation camel %}
result = "".join(word if i == 0 else word.capitalize() for i, word in enumerate(words))
{% end %}
print("Text:  ", TEXT)
print("Result:", result)
