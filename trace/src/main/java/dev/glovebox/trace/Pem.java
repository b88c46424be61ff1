package dev.glovebox.trace;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys as text (RFC 7468). */
final class Pem {

    private static final int LINE = 64;

    private Pem() {}

    static String write(String label, byte[] der) {
        Base64.Encoder lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
        return begin(label) + "\n" + lines.encodeToString(der) + "\n" + end(label) + "\n";
    }

    /**
     * The first block with a label; what stands around it does not matter.
     *
     * @throws KeyProblem if there is none
     */
    static byte[] read(String label, String text) {
        return all(label, text).getFirst();
    }

    /**
     * All blocks with a label.
     *
     * @throws KeyProblem if there is none
     */
    static List<byte[]> all(String label, String text) {
        List<byte[]> blocks = new ArrayList<>();
        int begin = text.indexOf(begin(label));
        while (begin >= 0 || blocks.isEmpty()) {
            int end = text.indexOf(end(label), Math.max(begin, 0));
            if (begin < 0 || end < 0) {
                throw new KeyProblem("There is no '" + begin(label) + "' with its end");
            }
            blocks.add(decoded(label, text.substring(begin + begin(label).length(), end)));
            begin = text.indexOf(begin(label), end);
        }
        return blocks;
    }

    private static byte[] decoded(String label, String base64) {
        try {
            return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new KeyProblem("The " + label + " is not Base64", e);
        }
    }

    private static String begin(String label) {
        return "-----BEGIN " + label + "-----";
    }

    private static String end(String label) {
        return "-----END " + label + "-----";
    }
}
