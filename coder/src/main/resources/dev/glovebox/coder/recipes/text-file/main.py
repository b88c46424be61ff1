"""Statistics of a text file."""

from pathlib import Path

FILE = Path({{file}})
SAMPLE = """The first line of a sample.
The second one is a little longer than the first.

The last one.
"""

if not FILE.exists():
    print(f"There is no {FILE}: creating it with a sample text.")
    FILE.write_text(SAMPLE, encoding="utf-8")

lines = FILE.read_text(encoding="utf-8").splitlines()
words = [word for line in lines for word in line.split()]

print("File:", FILE)
print("Lines:", len(lines))
print("Empty lines:", sum(not line.strip() for line in lines))
print("Words:", len(words))
print("Characters:", sum(len(line) for line in lines))
print("Longest line:", max(lines, key=len, default=""))
