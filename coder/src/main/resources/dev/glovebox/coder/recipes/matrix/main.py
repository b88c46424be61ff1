{% if operation multiply %}
"""The product of two matrices."""

A = {{a}}
B = {{b}}


def multiply(a, b):
    """Each cell is the product of a row of a and a column of b."""
    return [
        [sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
        for row in a
    ]


if len(A[0]) != len(B):
    print(f"Cannot multiply: the first has {len(A[0])} columns, the second {len(B)} rows")
else:
    print("Product:")
    for row in multiply(A, B):
        print(*row)
{% end %}
{% if operation transpose %}
"""The transpose of a matrix: its rows become columns."""

A = {{a}}

print("Transpose:")
for row in zip(*A):
    print(*row)
{% end %}
{% if operation determinant %}
"""The determinant of a matrix."""

from fractions import Fraction

A = {{a}}


def determinant(matrix):
    """Bring zeros below the diagonal, and multiply what is on it."""
    rows = [[Fraction(str(cell)) for cell in row] for row in matrix]
    result = Fraction(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
            result = -result
        result *= rows[i][i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [cell - factor * above for cell, above in zip(rows[r], rows[i])]
    return result


if len(A) != len(A[0]):
    print("Only square matrices have a determinant")
else:
    value = determinant(A)
    print("Determinant:", value if value.denominator == 1 else float(value))
{% end %}
