package dev.glovebox.cli;

/**
 * Colours words for a terminal.
 *
 * @param coloured whether there is one
 */
record Paint(boolean coloured) {

    String good(String words) {
        return with("32", words);
    }

    String bad(String words) {
        return with("31", words);
    }

    String doubtful(String words) {
        return with("33", words);
    }

    String thought(String words) {
        return with("35", words);
    }

    String act(String words) {
        return with("36", words);
    }

    String faint(String words) {
        return with("2", words);
    }

    String strong(String words) {
        return with("1", words);
    }

    private String with(String code, String words) {
        return coloured ? "\033[" + code + "m" + words + "\033[0m" : words;
    }
}
