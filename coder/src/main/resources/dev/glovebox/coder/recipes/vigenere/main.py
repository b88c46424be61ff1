{% if direction encrypt %}
"""Encrypt with the Vigenère cipher: each letter is shifted by a letter of the key."""

DIRECTION = 1
{% end %}
{% if direction decrypt %}
"""Decrypt the Vigenère cipher: each letter is shifted back by a letter of the key."""

DIRECTION = -1
{% end %}
TEXT = {{text}}
KEY = {{key}}


def is_letter(character):
    """Only the letters from A to Z are shifted."""
    return character.isascii() and character.isalpha()


def vigenere(text, key, direction):
    """Shift the letters of the text by those of the key, over and over again."""
    shifts = [ord(letter) - ord("A") for letter in key.upper() if is_letter(letter)] or [0]
    result = ""
    used = 0
    for character in text:
        if is_letter(character):
            first = ord("A") if character.isupper() else ord("a")
            shift = direction * shifts[used % len(shifts)]
            character = chr(first + (ord(character) - first + shift) % 26)
            used += 1
        result += character
    return result


print("Text:  ", TEXT)
print("Key:   ", KEY)
print("Result:", vigenere(TEXT, KEY, DIRECTION))
