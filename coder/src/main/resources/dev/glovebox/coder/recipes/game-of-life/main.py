"""Conway's Game of Life, on a small board whose edges meet."""

PATTERN = {{pattern}}
GENERATIONS = {{generations}}
SIZE = 10

# Living cells as (column, row).
PATTERNS = {
    "glider": [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)],
    "blinker": [(3, 4), (4, 4), (5, 4)],
    "toad": [(4, 4), (5, 4), (6, 4), (3, 5), (4, 5), (5, 5)],
    "beacon": [(2, 2), (3, 2), (2, 3), (5, 4), (4, 5), (5, 5)],
    "block": [(4, 4), (5, 4), (4, 5), (5, 5)],
}


def neighbours(x, y):
    """Return the eight cells around one."""
    return [
        ((x + dx) % SIZE, (y + dy) % SIZE)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0)
    ]


def next_generation(alive):
    """A cell lives on with two or three neighbours, and comes to life with three."""
    following = set()
    for x in range(SIZE):
        for y in range(SIZE):
            count = sum(cell in alive for cell in neighbours(x, y))
            if count == 3 or (count == 2 and (x, y) in alive):
                following.add((x, y))
    return following


def show(generation, alive):
    """Print the board."""
    print(f"Generation {generation}: {len(alive)} cells")
    for y in range(SIZE):
        print("".join("#" if (x, y) in alive else "." for x in range(SIZE)))


alive = set(PATTERNS[PATTERN])
show(0, alive)
for generation in range(1, GENERATIONS + 1):
    alive = next_generation(alive)
    show(generation, alive)
