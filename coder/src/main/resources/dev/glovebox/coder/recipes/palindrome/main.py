"""Is a text a palindrome? Only letters and digits count, upper case or lower."""

TEXT = {{text}}


def is_palindrome(text):
    """Compare the text with itself, read backwards."""
    letters = [character.lower() for character in text if character.isalnum()]
    return letters == letters[::-1]


verdict = "is" if is_palindrome(TEXT) else "is not"
print(f'"{TEXT}" {verdict} a palindrome')
