"""The queens puzzle: place n queens on a board so that none attacks another."""

SIZE = {{size}}


def solutions(size, columns=()):
    """Place one queen a row; a tuple holds the column of each."""
    row = len(columns)
    if row == size:
        yield columns
        return
    for column in range(size):
        safe = all(
            column != other and abs(column - other) != row - other_row
            for other_row, other in enumerate(columns)
        )
        if safe:
            yield from solutions(size, (*columns, column))


first = None
count = 0
for solution in solutions(SIZE):
    first = first or solution
    count += 1

if first is None:
    print(f"There is no solution for {SIZE} queens")
else:
    for queen in first:
        print(" ".join("Q" if column == queen else "." for column in range(SIZE)))
print("Solutions:", count)
