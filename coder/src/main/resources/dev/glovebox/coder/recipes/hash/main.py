"""The hash of a text, as UTF-8."""

import hashlib

TEXT = {{text}}
ALGORITHM = {{algorithm}}

print("Text:", TEXT)
print(f"{ALGORITHM}:", hashlib.new(ALGORITHM, TEXT.encode()).hexdigest())
