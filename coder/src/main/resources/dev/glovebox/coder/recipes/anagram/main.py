"""Are two texts anagrams? They are if they have the same letters."""

FIRST = {{first}}
SECOND = {{second}}


def letters(text):
    """Return the letters and digits in order; spaces and case do not count."""
    return sorted(character.lower() for character in text if character.isalnum())


verdict = "are" if letters(FIRST) == letters(SECOND) else "are not"
print(f'"{FIRST}" and "{SECOND}" {verdict} anagrams')
