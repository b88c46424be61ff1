// Statistics of a text file.

const fs = require("node:fs");

const FILE = {{file}};
const SAMPLE = `The first line of a sample.
The second one is a little longer than the first.

The last one.
`;

if (!fs.existsSync(FILE)) {
  console.log(`There is no ${FILE}: creating it with a sample text.`);
  fs.writeFileSync(FILE, SAMPLE);
}

const lines = fs.readFileSync(FILE, "utf8").split(/\r?\n/);
// What ends with an end of line has no line behind it.
if (lines.at(-1) === "") lines.pop();
const words = lines.flatMap((line) => line.split(/\s+/)).filter((word) => word !== "");
const length = (line) => [...line].length;

console.log("File:", FILE);
console.log("Lines:", lines.length);
console.log("Empty lines:", lines.filter((line) => line.trim() === "").length);
console.log("Words:", words.length);
console.log("Characters:", lines.reduce((sum, line) => sum + length(line), 0));
console.log("Longest line:", lines.reduce((best, line) => (length(line) > length(best) ? line : best), ""));
