{% if operation multiply %}
// The product of two matrices.

const A = {{a}};
const B = {{b}};

/** Each cell is the product of a row of a and a column of b. */
function multiply(a, b) {
  return a.map((row) =>
    b[0].map((_, column) => row.reduce((sum, value, i) => sum + value * b[i][column], 0)),
  );
}

if (A[0].length !== B.length) {
  console.log(`Cannot multiply: the first has ${A[0].length} columns, the second ${B.length} rows`);
} else {
  console.log("Product:");
  for (const row of multiply(A, B)) {
    console.log(row.join(" "));
  }
}
{% end %}
{% if operation transpose %}
// The transpose of a matrix: its rows become columns.

const A = {{a}};

const transpose = (matrix) => matrix[0].map((_, column) => matrix.map((row) => row[column]));

console.log("Transpose:");
for (const row of transpose(A)) {
  console.log(row.join(" "));
}
{% end %}
{% if operation determinant %}
// The determinant of a matrix.

const A = {{a}};

/** Brings zeros below the diagonal, and multiplies what is on it. */
function determinant(matrix) {
  const rows = matrix.map((row) => [...row]);
  let result = 1;
  for (let i = 0; i < rows.length; i++) {
    // The largest pivot keeps rounding errors small.
    let pivot = i;
    for (let r = i + 1; r < rows.length; r++) {
      if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    }
    if (rows[pivot][i] === 0) return 0;
    if (pivot !== i) {
      [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
      result = -result;
    }
    result *= rows[i][i];
    for (let r = i + 1; r < rows.length; r++) {
      const factor = rows[r][i] / rows[i][i];
      rows[r] = rows[r].map((cell, column) => cell - factor * rows[i][column]);
    }
  }
  return result;
}

if (A.length !== A[0].length) {
  console.log("Only square matrices have a determinant");
} else {
  console.log("Determinant:", Number(determinant(A).toFixed(9)));
}
{% end %}
