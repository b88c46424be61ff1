"""Estimate pi: the share of random points of a square that lie in its quarter circle."""

import math
import random

POINTS = {{points}}
SEED = {{seed}}

chance = random.Random(SEED)
inside = sum(chance.random() ** 2 + chance.random() ** 2 <= 1 for _ in range(POINTS))
estimate = 4 * inside / POINTS

print(f"Points: {POINTS} (seed {SEED})")
print(f"Estimate of pi: {estimate:.6f}")
print(f"Error: {abs(estimate - math.pi):.6f}")
