"""Random passwords, from the system's source of secure random numbers."""

import secrets
import string

LENGTH = {{length}}
COUNT = {{count}}

KINDS = [string.ascii_lowercase, string.ascii_uppercase, string.digits, "!#$%&*+-=?@_"]


def password(length):
    """Draw until there is at least one character of each kind."""
    while True:
        drawn = "".join(secrets.choice("".join(KINDS)) for _ in range(length))
        if all(any(character in kind for character in drawn) for kind in KINDS):
            return drawn


for _ in range(COUNT):
    print("Password:", password(LENGTH))
