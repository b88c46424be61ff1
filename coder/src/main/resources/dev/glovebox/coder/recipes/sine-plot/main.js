// Draw a curve with characters: x goes from 0 to two pi, y from 1 to -1.

const WIDTH = {{width}};
const HALF = 8;

const canvas = Array.from({ length: 2 * HALF + 1 }, (_, row) =>
  Array(WIDTH).fill(row === HALF ? "-" : " "),
);
for (let column = 0; column < WIDTH; column++) {
  const x = (2 * Math.PI * column) / (WIDTH - 1);
{% if function sin %}
  const y = Math.sin(x);
{% end %}
{% if function cos %}
  const y = Math.cos(x);
{% end %}
  canvas[HALF - Math.round(HALF * y)][column] = "*";
}

for (const [row, line] of canvas.entries()) {
  const label = ((HALF - row) / HALF).toFixed(2).padStart(5);
  console.log(`${label} |${line.join("").trimEnd()}`);
}
