// Solve a sudoku: fill a field, go on, and take it back where that leads nowhere.

// The fields row by row; 0 is empty.
const PUZZLE = {{puzzle}};

/** The digits that row, column and box leave for a field. */
function candidates(board, place) {
  const [row, column] = [Math.floor(place / 9), place % 9];
  const used = new Set();
  for (let i = 0; i < 9; i++) {
    used.add(board[row * 9 + i]);
    used.add(board[i * 9 + column]);
    const boxRow = row - (row % 3) + Math.floor(i / 3);
    used.add(board[boxRow * 9 + column - (column % 3) + (i % 3)]);
  }
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => !used.has(digit));
}

/** Goes on with the empty field that has the fewest candidates. */
function solve(board) {
  let best = null;
  for (let place = 0; place < 81; place++) {
    if (board[place] !== 0) continue;
    const digits = candidates(board, place);
    if (best === null || digits.length < best.digits.length) best = { place, digits };
  }
  if (best === null) return true;
  for (const digit of best.digits) {
    board[best.place] = digit;
    if (solve(board)) return true;
  }
  board[best.place] = 0;
  return false;
}

const board = [...PUZZLE].map(Number);
if (solve(board)) {
  console.log("Solution:");
  for (let row = 0; row < 9; row++) {
    console.log(board.slice(row * 9, row * 9 + 9).join(" "));
  }
} else {
  console.log("This sudoku has no solution");
}
