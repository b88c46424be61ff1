"""Make a random maze, and find the way through it. The same seed makes the same maze."""

import random
from collections import deque

WIDTH = {{width}}
HEIGHT = {{height}}
SEED = {{seed}}

DIRECTIONS = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def make_maze(width, height, seed):
    """Dig from cell to cell; where there is no new one, go back and dig elsewhere."""
    chance = random.Random(seed)
    grid = [["#"] * (2 * width + 1) for _ in range(2 * height + 1)]
    grid[1][1] = " "
    trail = [(0, 0)]
    while trail:
        x, y = trail[-1]
        fresh = [
            (dx, dy)
            for dx, dy in DIRECTIONS
            if 0 <= x + dx < width
            and 0 <= y + dy < height
            and grid[2 * (y + dy) + 1][2 * (x + dx) + 1] == "#"
        ]
        if not fresh:
            trail.pop()
            continue
        dx, dy = chance.choice(fresh)
        grid[2 * y + 1 + dy][2 * x + 1 + dx] = " "
        grid[2 * (y + dy) + 1][2 * (x + dx) + 1] = " "
        trail.append((x + dx, y + dy))
    return grid


def solve(grid):
    """Search in all directions at once, from the top left to the bottom right."""
    start, goal = (1, 1), (len(grid[0]) - 2, len(grid) - 2)
    came_from = {start: None}
    queue = deque([start])
    while queue:
        x, y = queue.popleft()
        for dx, dy in DIRECTIONS:
            cell = (x + dx, y + dy)
            if grid[cell[1]][cell[0]] == " " and cell not in came_from:
                came_from[cell] = (x, y)
                queue.append(cell)
    path = [goal]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path


maze = make_maze(WIDTH, HEIGHT, SEED)
path = solve(maze)
for x, y in path:
    maze[y][x] = "."
maze[1][1] = "S"
maze[-2][-2] = "E"
print("\n".join("".join(row) for row in maze))
print("Steps from S to E:", len(path) - 1)
