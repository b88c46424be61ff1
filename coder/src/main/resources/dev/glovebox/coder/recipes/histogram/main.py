"""A histogram: how many numbers lie in each of some equally wide ranges."""

NUMBERS = {{numbers}}
BINS = {{bins}}

low, high = min(NUMBERS), max(NUMBERS)
width = (high - low) / BINS or 1
counts = [0] * BINS
for number in NUMBERS:
    # The largest number belongs to the last range.
    counts[min(int((number - low) / width), BINS - 1)] += 1

for i, count in enumerate(counts):
    start, end = low + i * width, low + (i + 1) * width
    print(f"{start:8.2f} to {end:8.2f} | {'#' * count} {count}")
print("Numbers:", len(NUMBERS))
