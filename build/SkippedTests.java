import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Prints a table of the skipped tests in surefire's XML reports: test, and for lack of what. */
final class SkippedTests {
    private record Row(String test, String reason) {}

    public static void main(String[] args) throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        int tests = 0;
        // One row for a test that was skipped several times for one reason (parameters).
        TreeMap<String, Row> skipped = new TreeMap<>();
        int skips = 0;
        for (String report : args) {
            NodeList cases = parser.parse(new File(report)).getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                tests++;
                if (test.getElementsByTagName("skipped").item(0) instanceof Element skip) {
                    skips++;
                    Row row = new Row(name(test), reason(skip));
                    skipped.putIfAbsent(row.toString(), row);
                }
            }
        }
        System.out.printf("%n%d tests, %d skipped%n", tests, skips);
        print(new ArrayList<>(skipped.values()));
    }

    private static void print(List<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        int width = rows.stream().mapToInt(row -> row.test().length()).max().getAsInt();
        String line = "%-" + width + "s | %s%n";
        System.out.printf(line, "test", "skipped for lack of");
        System.out.println("-".repeat(width) + "-+-" + "-".repeat(40));
        rows.forEach(row -> System.out.printf(line, row.test(), row.reason()));
    }

    private static String name(Element test) {
        String type = test.getAttribute("classname");
        return type.substring(type.lastIndexOf('.') + 1) + "." + test.getAttribute("name");
    }

    private static String reason(Element skip) {
        String message = skip.getAttribute("message").isEmpty() ? skip.getTextContent() : skip.getAttribute("message");
        String first = message.strip().lines().findFirst().orElse("(no reason given)");
        return first.replaceFirst("^(org\\.opentest4j\\.TestAbortedException: )?(Assumption failed: )?", "");
    }
}
