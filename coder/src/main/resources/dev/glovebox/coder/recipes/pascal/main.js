// Pascal's triangle: each number is the sum of the two above it.

const ROWS = {{rows}};

/** The rows from the top. */
function pascal(rows) {
  const triangle = [[1n]];
  while (triangle.length < rows) {
    const above = triangle.at(-1);
    const inner = above.slice(1).map((number, i) => number + above[i]);
    triangle.push([1n, ...inner, 1n]);
  }
  return triangle;
}

const lines = pascal(ROWS).map((row) => row.join(" "));
const width = lines.at(-1).length;
for (const line of lines) {
  console.log(" ".repeat(Math.floor((width - line.length) / 2)) + line);
}
