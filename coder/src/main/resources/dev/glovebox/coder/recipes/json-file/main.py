{% if operation pretty %}
"""Read a JSON file, and print it so that people can read it."""

import json
{% end %}
{% if operation csv %}
"""Convert a JSON file, a list of objects, to CSV."""

import csv
import json
{% end %}
from pathlib import Path

FILE = Path({{file}})
SAMPLE = [
    {"name": "Ada", "city": "London", "age": 36},
    {"name": "Emmy", "city": "Erlangen", "age": 53},
    {"name": "Srinivasa", "city": "Madras", "age": 32},
]

if not FILE.exists():
    print(f"There is no {FILE}: creating it with sample data.")
    FILE.write_text(json.dumps(SAMPLE), encoding="utf-8")

data = json.loads(FILE.read_text(encoding="utf-8"))
{% if operation pretty %}
print(json.dumps(data, indent=2, ensure_ascii=False))
print("Entries:", len(data) if isinstance(data, (list, dict)) else 1)
{% end %}
{% if operation csv %}
rows = data if isinstance(data, list) else [data]
columns = list(dict.fromkeys(column for row in rows for column in row))
target = FILE.with_suffix(".csv")
with target.open("w", newline="", encoding="utf-8") as out:
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
print(target.read_text(encoding="utf-8"), end="")
print(f"Wrote {len(rows)} rows to {target}")
{% end %}
