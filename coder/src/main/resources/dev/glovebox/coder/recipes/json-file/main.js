{% if operation pretty %}
// Read a JSON file, and print it so that people can read it.
{% end %}
{% if operation csv %}
// Convert a JSON file, a list of objects, to CSV.
{% end %}

const fs = require("node:fs");
{% if operation csv %}
const path = require("node:path");
{% end %}

const FILE = {{file}};
const SAMPLE = [
  { name: "Ada", city: "London", age: 36 },
  { name: "Emmy", city: "Erlangen", age: 53 },
  { name: "Srinivasa", city: "Madras", age: 32 },
];

if (!fs.existsSync(FILE)) {
  console.log(`There is no ${FILE}: creating it with sample data.`);
  fs.writeFileSync(FILE, JSON.stringify(SAMPLE));
}

const data = JSON.parse(fs.readFileSync(FILE, "utf8"));
{% if operation pretty %}
console.log(JSON.stringify(data, null, 2));
console.log("Entries:", data !== null && typeof data === "object" ? Object.keys(data).length : 1);
{% end %}
{% if operation csv %}
const rows = Array.isArray(data) ? data : [data];
const columns = [...new Set(rows.flatMap(Object.keys))];

/** Quotes what has a comma, a quote or an end of line in it. */
function cell(value) {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
const csv = lines.map((line) => line.map(cell).join(",") + "\n").join("");
const { dir, name } = path.parse(FILE);
const target = path.join(dir, `${name}.csv`);
fs.writeFileSync(target, csv);
process.stdout.write(csv);
console.log(`Wrote ${rows.length} rows to ${target}`);
{% end %}
