"""Flip a coin, and count heads and tails. The same seed flips the same."""

import random

FLIPS = {{flips}}
SEED = {{seed}}

chance = random.Random(SEED)
heads = 0
longest = run = 0
last = None
for _ in range(FLIPS):
    side = chance.choice(("heads", "tails"))
    heads += side == "heads"
    run = run + 1 if side == last else 1
    longest = max(longest, run)
    last = side

print(f"Flips: {FLIPS} (seed {SEED})")
print(f"Heads: {heads} ({heads / FLIPS:.1%})")
print(f"Tails: {FLIPS - heads} ({1 - heads / FLIPS:.1%})")
print("Longest run of the same side:", longest)
