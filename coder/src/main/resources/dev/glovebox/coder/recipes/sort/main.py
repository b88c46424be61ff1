{% if algorithm built-in %}
"""Sort a list."""
{% end %}
{% if algorithm bubble %}
"""Bubble sort: exchange neighbours until all stand in order."""
{% end %}
{% if algorithm quick %}
"""Quicksort: what is smaller than a pivot goes before it, the rest behind it."""
{% end %}
{% if algorithm merge %}
"""Merge sort: sort both halves, and merge them."""
{% end %}
{% if algorithm insertion %}
"""Insertion sort: put each item where it belongs among those before it."""
{% end %}
{% if algorithm selection %}
"""Selection sort: bring the smallest of the rest to the front."""
{% end %}

ITEMS = {{items}}

{% if algorithm bubble %}

def bubble_sort(items):
    items = list(items)
    for end in range(len(items) - 1, 0, -1):
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
    return items


result = bubble_sort(ITEMS)
{% end %}
{% if algorithm quick %}

def quick_sort(items):
    if len(items) <= 1:
        return list(items)
    pivot = items[len(items) // 2]
    smaller = [item for item in items if item < pivot]
    equal = [item for item in items if item == pivot]
    larger = [item for item in items if item > pivot]
    return quick_sort(smaller) + equal + quick_sort(larger)


result = quick_sort(ITEMS)
{% end %}
{% if algorithm merge %}

def merge_sort(items):
    if len(items) <= 1:
        return list(items)
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    merged = []
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + left + right


result = merge_sort(ITEMS)
{% end %}
{% if algorithm insertion %}

def insertion_sort(items):
    items = list(items)
    for i in range(1, len(items)):
        item, place = items[i], i
        while place > 0 and items[place - 1] > item:
            items[place] = items[place - 1]
            place -= 1
        items[place] = item
    return items


result = insertion_sort(ITEMS)
{% end %}
{% if algorithm selection %}

def selection_sort(items):
    items = list(items)
    for i in range(len(items)):
        smallest = min(range(i, len(items)), key=items.__getitem__)
        items[i], items[smallest] = items[smallest], items[i]
    return items


result = selection_sort(ITEMS)
{% end %}
{% if algorithm built-in %}
result = sorted(ITEMS)
{% end %}
{% if order descending %}
result.reverse()
{% end %}
print("Before:", ", ".join(str(item) for item in ITEMS))
print("After: ", ", ".join(str(item) for item in result))
