// A report on a CSV file: one number for each group of its rows.

const fs = require("node:fs");

const FILE = {{file}};
const GROUP = {{group}};
const VALUE = {{value}};
const SAMPLE = "north,120\nsouth,80\nnorth,45.5\neast,60\nsouth,20\n";

if (!fs.existsSync(FILE)) {
  console.log(`There is no ${FILE}: creating it with sample data.`);
  fs.writeFileSync(FILE, `${GROUP},${VALUE}\n${SAMPLE}`);
}

/** Reads CSV; a cell in quotes may have commas, and quotes if they are doubled. */
function parse(text) {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
}

const [header, ...rows] = parse(fs.readFileSync(FILE, "utf8"));
const missing = [GROUP, VALUE].find((name) => !header.includes(name));
if (missing !== undefined) {
  console.error(`${FILE} has no column ${missing}; it has ${header}`);
  process.exit(1);
}

const groups = new Map();
for (const row of rows) {
  const name = row[header.indexOf(GROUP)];
  groups.set(name, [...(groups.get(name) ?? []), Number(row[header.indexOf(VALUE)])]);
}
const names = [...groups.keys()].sort();
{% if how sum average %}
const sum = (values) => values.reduce((total, value) => total + value, 0);
{% end %}

{% if how sum %}
console.log(`Sum of ${VALUE} by ${GROUP}:`);
for (const name of names) {
  console.log(`${name}: ${sum(groups.get(name)).toFixed(2)}`);
}
console.log(`All: ${sum([...groups.values()].flat()).toFixed(2)}`);
{% end %}
{% if how average %}
console.log(`Average of ${VALUE} by ${GROUP}:`);
for (const name of names) {
  const values = groups.get(name);
  console.log(`${name}: ${(sum(values) / values.length).toFixed(2)}`);
}
{% end %}
{% if how count %}
console.log(`Rows by ${GROUP}:`);
for (const name of names) {
  console.log(`${name}: ${groups.get(name).length}`);
}
{% end %}
