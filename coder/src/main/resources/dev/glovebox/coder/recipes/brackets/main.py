"""Are the brackets of a text balanced? Each must be closed by its like, in order."""

TEXT = {{text}}

CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def first_problem(text):
    """Return what is wrong with the brackets, or None."""
    expected = []
    for place, character in enumerate(text):
        if character in CLOSED_BY:
            expected.append((CLOSED_BY[character], place))
        elif character in CLOSED_BY.values():
            if not expected or expected.pop()[0] != character:
                return f"unexpected {character} at position {place}"
    if expected:
        return f"{expected[-1][0]} is missing for the bracket at position {expected[-1][1]}"
    return None


problem = first_problem(TEXT)
print("Text:", TEXT)
print("Balanced: yes" if problem is None else f"Balanced: no, {problem}")
