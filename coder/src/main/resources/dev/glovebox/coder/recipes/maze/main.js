// Make a random maze, and find the way through it. The same seed makes the same maze.

const WIDTH = {{width}};
const HEIGHT = {{height}};
const SEED = {{seed}};

const DIRECTIONS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** A small generator of random numbers below 1, as Math.random() takes no seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Digs from cell to cell; where there is no new one, goes back and digs elsewhere. */
function makeMaze(width, height, seed) {
  const random = randomFrom(seed);
  const grid = Array.from({ length: 2 * height + 1 }, () => Array(2 * width + 1).fill("#"));
  grid[1][1] = " ";
  const trail = [[0, 0]];
  while (trail.length > 0) {
    const [x, y] = trail.at(-1);
    const fresh = DIRECTIONS.filter(([dx, dy]) => grid[2 * (y + dy) + 1]?.[2 * (x + dx) + 1] === "#");
    if (fresh.length === 0) {
      trail.pop();
      continue;
    }
    const [dx, dy] = fresh[Math.floor(random() * fresh.length)];
    grid[2 * y + 1 + dy][2 * x + 1 + dx] = " ";
    grid[2 * (y + dy) + 1][2 * (x + dx) + 1] = " ";
    trail.push([x + dx, y + dy]);
  }
  return grid;
}

/** Searches in all directions at once, from the top left to the bottom right. */
function solve(grid) {
  const cameFrom = new Map([["1,1", null]]);
  const queue = [[1, 1]];
  for (const [x, y] of queue) {
    for (const [dx, dy] of DIRECTIONS) {
      const cell = [x + dx, y + dy];
      if (grid[cell[1]][cell[0]] === " " && !cameFrom.has(String(cell))) {
        cameFrom.set(String(cell), [x, y]);
        queue.push(cell);
      }
    }
  }
  const path = [];
  let cell = [grid[0].length - 2, grid.length - 2];
  while (cell !== null) {
    path.push(cell);
    cell = cameFrom.get(String(cell));
  }
  return path;
}

const maze = makeMaze(WIDTH, HEIGHT, SEED);
const path = solve(maze);
for (const [x, y] of path) {
  maze[y][x] = ".";
}
maze[1][1] = "S";
maze.at(-2)[maze[0].length - 2] = "E";
console.log(maze.map((row) => row.join("")).join("\n"));
console.log("Steps from S to E:", path.length - 1);
