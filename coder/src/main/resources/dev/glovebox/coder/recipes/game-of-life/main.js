// Conway's Game of Life, on a small board whose edges meet.

const PATTERN = {{pattern}};
const GENERATIONS = {{generations}};
const SIZE = 10;

// Living cells as [column, row].
const PATTERNS = {
  glider: [[1, 0], [2, 1], [0, 2], [1, 2], [2, 2]],
  blinker: [[3, 4], [4, 4], [5, 4]],
  toad: [[4, 4], [5, 4], [6, 4], [3, 5], [4, 5], [5, 5]],
  beacon: [[2, 2], [3, 2], [2, 3], [5, 4], [4, 5], [5, 5]],
  block: [[4, 4], [5, 4], [4, 5], [5, 5]],
};

const emptyBoard = () => Array.from({ length: SIZE }, () => Array(SIZE).fill(false));

/** How many of the eight cells around one are alive. */
function livingNeighbours(board, x, y) {
  let count = 0;
  for (const dx of [-1, 0, 1]) {
    for (const dy of [-1, 0, 1]) {
      const alive = board[(y + dy + SIZE) % SIZE][(x + dx + SIZE) % SIZE];
      if (alive && (dx !== 0 || dy !== 0)) count++;
    }
  }
  return count;
}

/** A cell lives on with two or three neighbours, and comes to life with three. */
function nextGeneration(board) {
  return board.map((row, y) =>
    row.map((alive, x) => {
      const count = livingNeighbours(board, x, y);
      return count === 3 || (alive && count === 2);
    }),
  );
}

function show(generation, board) {
  console.log(`Generation ${generation}: ${board.flat().filter(Boolean).length} cells`);
  for (const row of board) {
    console.log(row.map((alive) => (alive ? "#" : ".")).join(""));
  }
}

let board = emptyBoard();
for (const [x, y] of PATTERNS[PATTERN]) {
  board[y][x] = true;
}
show(0, board);
for (let generation = 1; generation <= GENERATIONS; generation++) {
  board = nextGeneration(board);
  show(generation, board);
}
