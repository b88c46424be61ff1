"""Draw a curve with characters: x goes from 0 to two pi, y from 1 to -1."""

import math

WIDTH = {{width}}
HALF = 8

canvas = [[" "] * WIDTH for _ in range(2 * HALF + 1)]
canvas[HALF] = ["-"] * WIDTH
for column in range(WIDTH):
    x = 2 * math.pi * column / (WIDTH - 1)
{% if function sin %}
    y = math.sin(x)
{% end %}
{% if function cos %}
    y = math.cos(x)
{% end %}
    canvas[HALF - round(HALF * y)][column] = "*"

for row, line in enumerate(canvas):
    print(f"{(HALF - row) / HALF:5.2f} |{''.join(line).rstrip()}")
