package dev.glovebox.bench;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the benchmarks; {@code build/bench.sh} is how to get here. */
public final class Main {

    private static final int USAGE = 2;
    private static final int DEFAULT_ROUNDS = 5;

    private Main() {}

    /** What was asked for. */
    record Request(List<Comparison> comparisons, int rounds, boolean virtual, boolean json) {

        /**
         * Reads the command line.
         *
         * @throws IllegalArgumentException if it says something else
         */
        static Request of(List<String> arguments) {
            List<Comparison> comparisons = new ArrayList<>();
            int rounds = DEFAULT_ROUNDS;
            boolean virtual = false;
            boolean json = false;
            Deque<String> open = new ArrayDeque<>(arguments);
            while (!open.isEmpty()) {
                String argument = open.remove();
                switch (argument) {
                    case "--virtual" -> virtual = true;
                    case "--json" -> json = true;
                    case "--rounds" -> rounds = rounds(open.poll());
                    default -> comparisons.add(named(argument));
                }
            }
            return new Request(
                    comparisons.isEmpty() ? Comparison.ALL : comparisons, rounds, virtual, json);
        }

        private static int rounds(@Nullable String text) {
            if (text == null || !text.matches("[1-9][0-9]{0,3}")) {
                throw new IllegalArgumentException("--rounds needs a number from 1 to 9999");
            }
            return Integer.parseInt(text);
        }

        private static Comparison named(String name) {
            return Comparison.ALL.stream()
                    .filter(comparison -> comparison.name().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("There is no benchmark '" + name + "'"));
        }
    }

    public static void main(String[] arguments) throws RunnerException {
        Request request;
        try {
            request = Request.of(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(
                    "Usage: build/bench.sh [--rounds N] [--virtual] [--json] [" + names() + "]...");
            System.exit(USAGE);
            return;
        }
        run(request, System.out, System.err);
    }

    private static String names() {
        return Comparison.ALL.stream().map(Comparison::name).collect(Collectors.joining("|"));
    }

    private static void run(Request request, PrintStream out, PrintStream progress)
            throws RunnerException {
        Turns turns = new Turns(request.rounds(), request.virtual(), progress);
        for (Comparison comparison : request.comparisons()) {
            List<Row> rows = turns.measure(comparison);
            out.println(
                    request.json()
                            ? Report.json(comparison, rows)
                            : Report.table(comparison, rows));
        }
    }
}
