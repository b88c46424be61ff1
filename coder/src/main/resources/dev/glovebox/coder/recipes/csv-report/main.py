"""A report on a CSV file: one number for each group of its rows."""

import csv
from pathlib import Path

FILE = Path({{file}})
GROUP = {{group}}
VALUE = {{value}}
SAMPLE = [("north", 120), ("south", 80), ("north", 45.5), ("east", 60), ("south", 20)]

if not FILE.exists():
    print(f"There is no {FILE}: creating it with sample data.")
    with FILE.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([(GROUP, VALUE), *SAMPLE])

groups = {}
with FILE.open(newline="", encoding="utf-8") as rows:
    reader = csv.DictReader(rows)
    missing = [name for name in (GROUP, VALUE) if name not in (reader.fieldnames or [])]
    if missing:
        raise SystemExit(f"{FILE} has no column {missing[0]}; it has {reader.fieldnames}")
    for row in reader:
        groups.setdefault(row[GROUP], []).append(float(row[VALUE]))

{% if how sum %}
print(f"Sum of {VALUE} by {GROUP}:")
for name in sorted(groups):
    print(f"{name}: {sum(groups[name]):.2f}")
print(f"All: {sum(sum(values) for values in groups.values()):.2f}")
{% end %}
{% if how average %}
print(f"Average of {VALUE} by {GROUP}:")
for name in sorted(groups):
    print(f"{name}: {sum(groups[name]) / len(groups[name]):.2f}")
{% end %}
{% if how count %}
print(f"Rows by {GROUP}:")
for name in sorted(groups):
    print(f"{name}: {len(groups[name])}")
{% end %}
