package dev.glovebox.coder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A broken program, from a file of many: a line {@code === name key=value …}, the program, {@code
 * --- file NAME} and more files, {@code --- output} and what the repaired program prints.
 */
record RepairCase(String name, Map<String, String> options, CodeArtifact code, String output) {

    static List<RepairCase> in(String file, Language language) {
        List<RepairCase> cases = new ArrayList<>();
        for (String part : read(file).split("(?m)^=== ", -1)) {
            if (!part.isBlank()) {
                cases.add(of(part, language));
            }
        }
        return cases;
    }

    private static String read(String file) {
        try (InputStream in = RepairCase.class.getResourceAsStream("repairs/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RepairCase of(String part, Language language) {
        String[] words = part.substring(0, part.indexOf('\n')).split(" ", -1);
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            options.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        String entry = options.getOrDefault("entry", language.filename());
        String body = part.substring(part.indexOf('\n') + 1);
        String[] sections = body.split("(?m)^--- ", -1);
        Map<String, String> files = new HashMap<>();
        files.put(entry, sections[0]);
        String output = "";
        for (int i = 1; i < sections.length; i++) {
            String head = sections[i].substring(0, sections[i].indexOf('\n'));
            String text = sections[i].substring(sections[i].indexOf('\n') + 1);
            if (head.equals("output")) {
                output = text;
            } else {
                files.put(head.substring("file ".length()), text);
            }
        }
        return new RepairCase(
                words[0],
                options,
                new CodeArtifact(language, new TreeMap<>(files), entry, List.of(), List.of()),
                output);
    }

    int repairs() {
        return Integer.parseInt(options.getOrDefault("repairs", "1"));
    }

    String category() {
        return options.getOrDefault("category", "");
    }

    OfflineDebugger debugger() {
        return options.containsKey("index")
                ? OfflineDebugger.withoutIndex()
                : OfflineDebugger.standard();
    }

    Map<String, String> env() {
        String[] variable = options.getOrDefault("env", "").split("=", -1);
        return variable.length == 2 ? Map.of(variable[0], variable[1]) : Map.of();
    }

    ExecutionPlan plan() {
        ExecutionPlan plan = Lab.plan(code.language(), new Check.Prints(output));
        return new ExecutionPlan(
                plan.language(),
                plan.dependencies(),
                plan.shell(),
                plan.task(),
                plan.family(),
                inputs(),
                plan.output(),
                plan.checks());
    }

    private JsonNode inputs() {
        try {
            return new ObjectMapper().readTree(options.getOrDefault("inputs", "{}"));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
