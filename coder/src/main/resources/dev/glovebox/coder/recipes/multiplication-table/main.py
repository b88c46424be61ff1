"""A multiplication table."""

SIZE = {{size}}

width = len(str(SIZE * SIZE)) + 1
numbers = range(1, SIZE + 1)

print("x".rjust(width) + "".join(str(column).rjust(width) for column in numbers))
for row in numbers:
    print(str(row).rjust(width) + "".join(str(row * column).rjust(width) for column in numbers))
