{% if algorithm binary %}
"""Binary search: look at the middle, and go on in the half that is left."""

NUMBERS = sorted({{numbers}})
TARGET = {{target}}


def binary_search(numbers, target):
    """Return the place of the target (from 0) or None, and the steps taken."""
    low, high = 0, len(numbers) - 1
    steps = 0
    while low <= high:
        steps += 1
        middle = (low + high) // 2
        if numbers[middle] == target:
            return middle, steps
        if numbers[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return None, steps


index, steps = binary_search(NUMBERS, TARGET)
print("Sorted list:", ", ".join(str(number) for number in NUMBERS))
{% end %}
{% if algorithm linear %}
"""Linear search: look at one number after the other."""

NUMBERS = {{numbers}}
TARGET = {{target}}


def linear_search(numbers, target):
    """Return the place of the target (from 0) or None, and the steps taken."""
    for index, number in enumerate(numbers):
        if number == target:
            return index, index + 1
    return None, len(numbers)


index, steps = linear_search(NUMBERS, TARGET)
print("List:", ", ".join(str(number) for number in NUMBERS))
{% end %}
if index is None:
    print(f"{TARGET} is not in the list")
else:
    print(f"{TARGET} found at index {index} (counted from 0)")
print("Steps:", steps)
