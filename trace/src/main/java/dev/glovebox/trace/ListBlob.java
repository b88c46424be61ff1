package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The content of a blob that is a list: some elements, behind the first ones of an earlier list.
 *
 * @param addFrom where its own elements stand in the content
 * @param base the earlier list
 * @param keep how many elements of that come first
 * @param length how many elements there are in all
 */
record ListBlob(int addFrom, int addTo, Optional<BlobRef> base, long keep, long length) {

    /** No list is longer, in bytes. */
    static final int LONGEST = 16 << 20;

    private static final byte[] ADD = ascii("{\"add\":");
    private static final byte[] BASE = ascii(",\"base\":");
    private static final byte[] KEEP = ascii(",\"keep\":");
    private static final byte[] LENGTH = ascii(",\"length\":");
    private static final int INNER_DEPTH = 2;

    /**
     * Reads a list.
     *
     * @throws Malformed if it is none
     */
    static ListBlob read(byte[] content) {
        if (content.length > LONGEST) {
            throw tooLong(content);
        }
        CanonicalScanner scanner = new CanonicalScanner(content);
        scanner.expect(ADD);
        int from = scanner.at();
        int count = scanner.array(INNER_DEPTH);
        int to = scanner.at();
        Optional<BlobRef> base = Optional.empty();
        long keep = 0;
        if (scanner.took(BASE)) {
            base = Optional.of(BlobRef.read(content, scanner));
            if (!base.get().list()) {
                throw new Malformed("A list continues something that is no list");
            }
            scanner.expect(KEEP);
            keep = scanner.integer();
        }
        scanner.expect(LENGTH);
        long length = scanner.integer();
        if (!scanner.took('}')) {
            throw scanner.broken("a member that lists do not have");
        }
        scanner.end();
        if (keep < 0 || length != keep + count) {
            throw new Malformed(
                    "A list of " + count + " elements behind " + keep + " has not " + length);
        }
        return new ListBlob(from, to, base, keep, length);
    }

    static Malformed tooLong(byte[] content) {
        return new Malformed("A list of " + content.length + " bytes is too long");
    }

    /** Gives each reference among its own elements. */
    void references(byte[] content, Consumer<BlobRef> each) {
        BlobRef.find(content, addFrom, addTo, each);
    }

    /** Its own elements. */
    JsonNode elements(byte[] content) {
        return CanonicalScanner.parse(content, addFrom, addTo);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
