"""A bar chart made of characters."""

# Each bar has a name and a value.
BARS = {{numbers}}
WIDTH = 40

largest = max(max(value for _, value in BARS), 0) or 1
margin = max(len(name) for name, _ in BARS)
for name, value in BARS:
    length = round(max(value, 0) / largest * WIDTH)
    print(f"{name.rjust(margin)} | {'#' * length} {value}")
