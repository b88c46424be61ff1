// A multiplication table.

const SIZE = {{size}};

const width = String(SIZE * SIZE).length + 1;
const numbers = Array.from({ length: SIZE }, (_, i) => i + 1);
const cell = (value) => String(value).padStart(width);

console.log(cell("x") + numbers.map(cell).join(""));
for (const row of numbers) {
  console.log(cell(row) + numbers.map((column) => cell(row * column)).join(""));
}
