// The queens puzzle: place n queens on a board so that none attacks another.

const SIZE = {{size}};

/** Places one queen a row; the list holds the column of each. */
function* solutions(size, columns = []) {
  const row = columns.length;
  if (row === size) {
    yield columns;
    return;
  }
  for (let column = 0; column < size; column++) {
    const safe = columns.every(
      (other, otherRow) => column !== other && Math.abs(column - other) !== row - otherRow,
    );
    if (safe) yield* solutions(size, [...columns, column]);
  }
}

let first = null;
let count = 0;
for (const solution of solutions(SIZE)) {
  first ??= solution;
  count++;
}

if (first === null) {
  console.log(`There is no solution for ${SIZE} queens`);
} else {
  for (const queen of first) {
    const row = Array(SIZE).fill(".");
    row[queen] = "Q";
    console.log(row.join(" "));
  }
}
console.log("Solutions:", count);
