{% if direction encrypt %}
"""Encrypt a text with a Caesar cipher: each letter is shifted in the alphabet."""
{% end %}
{% if direction decrypt %}
"""Decrypt a Caesar cipher: each letter is shifted back in the alphabet."""
{% end %}

TEXT = {{text}}
SHIFT = {{shift}}


def shifted(character, shift):
    """Shift a letter from A to Z; leave all others as they are."""
    for first in "aA":
        place = ord(character) - ord(first)
        if 0 <= place < 26:
            return chr(ord(first) + (place + shift) % 26)
    return character


{% if direction encrypt %}
result = "".join(shifted(character, SHIFT) for character in TEXT)
{% end %}
{% if direction decrypt %}
result = "".join(shifted(character, -SHIFT) for character in TEXT)
{% end %}
print("Text:  ", TEXT)
print("Result:", result)
