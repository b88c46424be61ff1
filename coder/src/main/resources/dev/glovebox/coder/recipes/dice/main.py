"""Roll dice, and count how often each sum comes up. The same seed rolls the same."""

import random
from collections import Counter

DICE = {{dice}}
SIDES = {{sides}}
ROLLS = {{rolls}}
SEED = {{seed}}

chance = random.Random(SEED)
counts = Counter(
    sum(chance.randint(1, SIDES) for _ in range(DICE)) for _ in range(ROLLS)
)

print(f"{ROLLS} rolls of {DICE} dice with {SIDES} sides (seed {SEED}):")
for total in sorted(counts):
    share = counts[total] / ROLLS
    print(f"{total}: {counts[total]} ({share:.1%}) {'#' * round(share * 60)}")
average = sum(total * count for total, count in counts.items()) / ROLLS
print(f"Average: {average:.3f}")
