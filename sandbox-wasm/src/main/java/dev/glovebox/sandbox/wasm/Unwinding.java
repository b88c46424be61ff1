package dev.glovebox.sandbox.wasm;

/** What ends a guest from inside a host function; has no stack trace, since guests cause it. */
abstract sealed class Unwinding extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Unwinding(String message) {
        super(message, null, false, false);
    }

    /** The program ended itself. */
    static final class Exit extends Unwinding {

        private static final long serialVersionUID = 1L;

        private final int code;

        Exit(int code) {
            super("exit " + code);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** The program is stopped; the outcome was decided before. */
    static final class Stopped extends Unwinding {

        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped");
        }
    }

    /** There is nothing to run. */
    static final class NoProgram extends Unwinding {

        private static final long serialVersionUID = 1L;

        private final String reason;

        NoProgram(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }
}
