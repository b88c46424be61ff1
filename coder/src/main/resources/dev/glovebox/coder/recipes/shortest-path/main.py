"""The shortest path in a graph, by Dijkstra's algorithm; edges lead both ways."""

import heapq

EDGES = {{edges}}
# Without a name: the first and the last place of the list.
START = {{from}} or EDGES[0][0]
GOAL = {{to}} or EDGES[-1][1]

neighbours = {}
for one, other, length in EDGES:
    neighbours.setdefault(one, []).append((other, length))
    neighbours.setdefault(other, []).append((one, length))


def shortest_path(start, goal):
    """Always go on from the place that is nearest to the start."""
    queue = [(0, start, [start])]
    done = set()
    while queue:
        distance, place, path = heapq.heappop(queue)
        if place == goal:
            return distance, path
        if place in done:
            continue
        done.add(place)
        for neighbour, length in neighbours.get(place, []):
            heapq.heappush(queue, (distance + length, neighbour, [*path, neighbour]))
    return None


found = shortest_path(START, GOAL)
if found is None:
    print(f"There is no path from {START} to {GOAL}")
else:
    print("Path:", " -> ".join(found[1]))
    print("Length:", found[0])
