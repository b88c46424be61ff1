"""How often each word is used in a text."""

import re
from collections import Counter

TEXT = {{text}}

words = re.findall(r"\w+(?:['’]\w+)*", TEXT.lower())
counts = Counter(words)

print("Words:", len(words))
print("Different words:", len(counts))
# Most frequent first, then by the alphabet.
for word, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
    print(f"{word}: {count}")
