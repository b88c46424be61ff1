// The shortest path in a graph, by Dijkstra's algorithm; edges lead both ways.

const EDGES = {{edges}};
// Without a name: the first and the last place of the list.
const START = {{from}} || EDGES[0][0];
const GOAL = {{to}} || EDGES.at(-1)[1];

const neighbours = new Map();
function connect(from, to, length) {
  neighbours.set(from, [...(neighbours.get(from) ?? []), [to, length]]);
}
for (const [one, other, length] of EDGES) {
  connect(one, other, length);
  connect(other, one, length);
}

/** Always goes on from the place that is nearest to the start. */
function shortestPath(start, goal) {
  const open = [{ distance: 0, place: start, path: [start] }];
  const done = new Set();
  while (open.length > 0) {
    open.sort((a, b) => a.distance - b.distance);
    const { distance, place, path } = open.shift();
    if (place === goal) return { distance, path };
    if (done.has(place)) continue;
    done.add(place);
    for (const [neighbour, length] of neighbours.get(place) ?? []) {
      open.push({ distance: distance + length, place: neighbour, path: [...path, neighbour] });
    }
  }
  return null;
}

const found = shortestPath(START, GOAL);
if (found === null) {
  console.log(`There is no path from ${START} to ${GOAL}`);
} else {
  console.log("Path:", found.path.join(" -> "));
  console.log("Length:", found.distance);
}
