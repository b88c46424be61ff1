"""How often each letter is used in a text."""

from collections import Counter

TEXT = {{text}}

letters = [character for character in TEXT.lower() if character.isalpha()]
vowels = sum(letter in "aeiou" for letter in letters)
counts = Counter(letters)

print("Text:", TEXT)
print("Characters:", len(TEXT))
print("Letters:", len(letters))
print("Vowels:", vowels)
print("Consonants:", len(letters) - vowels)
# Most frequent first, then by the alphabet.
for letter, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
    print(f"{letter}: {count}")
