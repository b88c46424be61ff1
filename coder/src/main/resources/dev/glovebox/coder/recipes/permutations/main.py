"""All orders of some things."""

ITEMS = {{items}}


def permutations(items):
    """Put each thing first in turn, and all orders of the others behind it."""
    if not items:
        yield []
    for i, first in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1 :]):
            yield [first, *rest]


count = 0
for order in permutations(ITEMS):
    count += 1
    print(*order)
print("Permutations:", count)
