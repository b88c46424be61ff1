package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Of recipes about puzzles and graphs: whether what they found is a solution. */
final class PuzzleOracles {

    private static final int[][] AROUND = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

    /** How many solutions there are for n queens. */
    private static final List<Integer> QUEENS =
            List.of(1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200);

    private PuzzleOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("hanoi", PuzzleOracles::hanoi);
        all.put("shortest-path", PuzzleOracles::shortestPath);
        all.put("maze", PuzzleOracles::maze);
        all.put("queens", PuzzleOracles::queens);
        all.put("sudoku", PuzzleOracles::sudoku);
        all.put("game-of-life", PuzzleOracles::life);
    }

    /** Plays the moves. */
    private static void hanoi(JsonNode inputs, Printed printed) {
        int disks = inputs.path("disks").asInt();
        Map<String, Deque<Integer>> pegs = new HashMap<>();
        List.of("A", "B", "C").forEach(name -> pegs.put(name, new ArrayDeque<>()));
        for (int disk = disks; disk > 0; disk--) {
            peg(pegs, "A").push(disk);
        }
        List<MatchResult> moves =
                Pattern.compile("Move disk (\\d+) from ([ABC]) to ([ABC])")
                        .matcher(printed.text())
                        .results()
                        .toList();
        for (MatchResult move : moves) {
            int disk = peg(pegs, move.group(2)).pop();
            assertThat(disk).isEqualTo(Integer.parseInt(move.group(1)));
            Deque<Integer> target = peg(pegs, move.group(3));
            assertThat(target.isEmpty() || target.element() > disk).isTrue();
            target.push(disk);
        }
        assertThat(peg(pegs, "C")).hasSize(disks);
        assertThat(moves).hasSize((1 << disks) - 1);
    }

    private static Deque<Integer> peg(Map<String, Deque<Integer>> pegs, String name) {
        return pegs.computeIfAbsent(name, each -> new ArrayDeque<>());
    }

    /** By Bellman and Ford, with all edges as often as there are edges. */
    private static void shortestPath(JsonNode inputs, Printed printed) {
        JsonNode edges = inputs.path("edges");
        String from = inputs.path("from").asText();
        String start = from.isEmpty() ? edges.get(0).get(0).asText() : from;
        String to = inputs.path("to").asText();
        String goal = to.isEmpty() ? edges.get(edges.size() - 1).get(1).asText() : to;
        Map<String, Double> distances = new HashMap<>(Map.of(start, 0.0));
        for (int round = 0; round <= edges.size(); round++) {
            for (JsonNode edge : edges) {
                relax(distances, edge.get(0).asText(), edge.get(1).asText(), edge.get(2));
                relax(distances, edge.get(1).asText(), edge.get(0).asText(), edge.get(2));
            }
        }
        double expected = distances.getOrDefault(goal, Double.NaN);
        NumberOracles.near(printed.after("Length:"), expected);
        List<String> path = List.of(printed.after("Path:").split(" -> "));
        assertThat(path.getFirst()).isEqualTo(start);
        assertThat(path.getLast()).isEqualTo(goal);
        double length = 0;
        for (int i = 1; i < path.size(); i++) {
            length += length(edges, path.get(i - 1), path.get(i));
        }
        NumberOracles.near(length, expected);
    }

    private static void relax(
            Map<String, Double> distances, String from, String to, JsonNode length) {
        if (distances.containsKey(from)) {
            double way = distances.getOrDefault(from, 0.0) + length.asDouble();
            distances.merge(to, way, Math::min);
        }
    }

    private static double length(JsonNode edges, String one, String other) {
        double least = Double.POSITIVE_INFINITY;
        for (JsonNode edge : edges) {
            Set<String> ends = Set.copyOf(List.of(edge.get(0).asText(), edge.get(1).asText()));
            if (ends.equals(Set.of(one, other))) {
                least = Math.min(least, edge.get(2).asDouble());
            }
        }
        return least;
    }

    /** All cells are connected, there is one way only, and it is the one that is marked. */
    private static void maze(JsonNode inputs, Printed printed) {
        int width = 2 * inputs.path("width").asInt() + 1;
        int height = 2 * inputs.path("height").asInt() + 1;
        List<String> rows = printed.lines().subList(0, height);
        assertThat(rows).allMatch(row -> row.length() == width);
        int open = 0;
        int doors = 0;
        int marked = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                boolean wall = rows.get(y).charAt(x) == '#';
                boolean edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
                assertThat(edge && !wall).isFalse();
                boolean cell = x % 2 == 1 && y % 2 == 1;
                open += cell && !wall ? 1 : 0;
                doors += !cell && !wall ? 1 : 0;
                marked += ".SE".indexOf(rows.get(y).charAt(x)) >= 0 ? 1 : 0;
            }
        }
        assertThat(open).isEqualTo((width / 2) * (height / 2));
        // Connected, and with one door less than cells: a tree.
        assertThat(doors).isEqualTo(open - 1);
        assertThat(reached(rows, " .SE")).isEqualTo(open + doors);
        assertThat(reached(rows, ".SE")).isEqualTo(marked);
        assertThat(rows.get(height - 2).charAt(width - 2)).isEqualTo('E');
        assertThat(printed.after("Steps from S to E:")).isEqualTo(String.valueOf(marked - 1));
    }

    private static int reached(List<String> rows, String floor) {
        Deque<List<Integer>> open = new ArrayDeque<>(List.of(List.of(1, 1)));
        Set<List<Integer>> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            List<Integer> cell = open.pop();
            for (int[] step : AROUND) {
                List<Integer> next = List.of(cell.get(0) + step[0], cell.get(1) + step[1]);
                if (floor.indexOf(rows.get(next.get(1)).charAt(next.get(0))) >= 0
                        && seen.add(next)) {
                    open.push(next);
                }
            }
        }
        return seen.size();
    }

    private static void queens(JsonNode inputs, Printed printed) {
        int size = inputs.path("size").asInt();
        assertThat(printed.after("Solutions:")).isEqualTo(String.valueOf(QUEENS.get(size)));
        if (QUEENS.get(size) == 0) {
            return;
        }
        Set<Integer> columns = new HashSet<>();
        Set<Integer> rising = new HashSet<>();
        Set<Integer> falling = new HashSet<>();
        for (int row = 0; row < size; row++) {
            String line = printed.lines().get(row).replace(" ", "");
            assertThat(line).matches("\\.*Q\\.*").hasSize(size);
            int column = line.indexOf('Q');
            columns.add(column);
            rising.add(row + column);
            falling.add(row - column);
        }
        assertThat(List.of(columns.size(), rising.size(), falling.size())).containsOnly(size);
    }

    private static void sudoku(JsonNode inputs, Printed printed) {
        String puzzle = inputs.path("puzzle").asText();
        String solution = String.join("", printed.below("Solution:")).replace(" ", "");
        assertThat(solution).matches("[1-9]{81}");
        List<StringBuilder> groups = new ArrayList<>();
        for (int i = 0; i < 27; i++) {
            groups.add(new StringBuilder());
        }
        for (int place = 0; place < 81; place++) {
            char given = puzzle.charAt(place);
            char digit = solution.charAt(place);
            assertThat(given == '0' || given == digit).isTrue();
            groups.get(place / 9).append(digit);
            groups.get(9 + place % 9).append(digit);
            groups.get(18 + place / 27 * 3 + place % 9 / 3).append(digit);
        }
        assertThat(groups).allMatch(group -> group.chars().distinct().count() == 9);
    }

    /** What is known of the patterns: still ones, those that come back, and one that wanders. */
    private static void life(JsonNode inputs, Printed printed) {
        int last = inputs.path("generations").asInt();
        List<List<String>> boards = new ArrayList<>();
        for (int generation = 0; generation <= last; generation++) {
            boards.add(printed.below("Generation " + generation + ":").subList(0, 10));
        }
        String pattern = inputs.path("pattern").asText();
        int period =
                switch (pattern) {
                    case "glider" -> 4;
                    case "block" -> 1;
                    default -> 2;
                };
        for (int generation = period; generation <= last; generation++) {
            List<String> before = boards.get(generation - period);
            List<String> expected = pattern.equals("glider") ? moved(before) : before;
            assertThat(boards.get(generation)).isEqualTo(expected);
        }
        if (period > 1) {
            assertThat(boards.get(1)).isNotEqualTo(boards.get(0));
        }
    }

    /** By one to the right and down, over the edge. */
    private static List<String> moved(List<String> board) {
        List<String> moved = new ArrayList<>();
        for (int y = 0; y < board.size(); y++) {
            String row = board.get((y + board.size() - 1) % board.size());
            moved.add(row.substring(row.length() - 1) + row.substring(0, row.length() - 1));
        }
        return moved;
    }
}
