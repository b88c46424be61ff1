"""The Levenshtein distance: how many letters must change to make one text another."""

FIRST = {{first}}
SECOND = {{second}}


def edit_distance(first, second):
    """Fill a table row by row; each cell is the distance of two beginnings."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, start=1):
        above, row = row, [i]
        for j, right in enumerate(second, start=1):
            replaced = above[j - 1] + (left != right)
            row.append(min(above[j] + 1, row[j - 1] + 1, replaced))
    return row[-1]


distance = edit_distance(FIRST, SECOND)
longest = max(len(FIRST), len(SECOND), 1)
print(f'Edit distance of "{FIRST}" and "{SECOND}": {distance}')
print(f"Similarity: {100 * (1 - distance / longest):.1f} %")
