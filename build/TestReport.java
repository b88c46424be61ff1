import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Tells what surefire's XML reports hold beside success: what was skipped and for lack of what, and at
 * the end, where it is seen, what failed, once or for good, and with which words.
 */
final class TestReport {
    private static final int MOST_NAMES = 4;
    private static final int MOST_LINES = 25;

    public static void main(String[] args) throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        int tests = 0;
        int skips = 0;
        Map<String, TreeSet<String>> skipped = new TreeMap<>();
        Map<String, String> unsteady = new TreeMap<>();
        Map<String, String> failed = new TreeMap<>();
        for (String report : args) {
            for (Element test : children(parser.parse(new File(report)).getDocumentElement(), "testcase")) {
                tests++;
                for (Element skip : children(test, "skipped")) {
                    skips++;
                    skipped.computeIfAbsent(reason(skip), reason -> new TreeSet<>()).add(name(test));
                }
                faults(test, "failure", "error").forEach(words -> failed.put(name(test), words));
                faults(test, "flakyFailure", "flakyError").forEach(words -> unsteady.put(name(test), words));
            }
        }
        System.out.printf(
                "%n%d tests, %d skipped, %d failed only once, %d failed%n",
                tests, skips, unsteady.size(), failed.size());
        if (!skipped.isEmpty()) {
            System.out.println("\nskipped for lack of");
        }
        skipped.forEach((reason, names) -> System.out.printf("- %s%n    %s%n", reason, some(names)));
        unsteady.forEach((name, words) -> tell("FAILED ONCE", name, words));
        failed.forEach((name, words) -> tell("FAILED", name, words));
    }

    private static void tell(String how, String name, String words) {
        System.out.printf("%n%s %s%n", how, name);
        words.strip().lines().limit(MOST_LINES).forEach(line -> System.out.println("    " + line));
    }

    private static Stream<String> faults(Element test, String... kinds) {
        return Stream.of(kinds).flatMap(kind -> children(test, kind).stream()).map(Element::getTextContent);
    }

    private static String some(TreeSet<String> names) {
        String few = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMES ? few + " and " + (names.size() - MOST_NAMES) + " more" : few;
    }

    private static List<Element> children(Element parent, String tag) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(parent.getChildNodes()::item)
                .filter(node -> node instanceof Element element && element.getTagName().equals(tag))
                .map(Element.class::cast)
                .toList();
    }

    /** Without the parameters: one that was skipped for each of them is one. */
    private static String name(Element test) {
        String type = test.getAttribute("classname");
        String method = test.getAttribute("name").replaceFirst("(?<=\\w)[({\\[].*", "");
        return type.substring(type.lastIndexOf('.') + 1) + (method.isEmpty() ? "" : "." + method);
    }

    private static String reason(Element skip) {
        String message = skip.getAttribute("message").isEmpty() ? skip.getTextContent() : skip.getAttribute("message");
        String first = message.strip().lines().findFirst().orElse("(no reason given)");
        return first.replaceFirst("^(org\\.opentest4j\\.TestAbortedException: )?(Assumption failed: )?", "");
    }
}
