"""Pascal's triangle: each number is the sum of the two above it."""

ROWS = {{rows}}


def pascal(rows):
    """Return the rows from the top."""
    triangle = [[1]]
    while len(triangle) < rows:
        above = triangle[-1]
        inner = [left + right for left, right in zip(above, above[1:])]
        triangle.append([1, *inner, 1])
    return triangle


lines = [" ".join(str(number) for number in row) for row in pascal(ROWS)]
for line in lines:
    print(line.center(len(lines[-1])).rstrip())
