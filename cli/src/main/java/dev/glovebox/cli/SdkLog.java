package dev.glovebox.cli;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * What OpenTelemetry's SDK says of itself, for those who ask: what it comes to is said by ours,
 * once.
 */
final class SdkLog extends Handler {

    // Java forgets loggers that nobody holds, and how they were set with them.
    private static final Logger SDK = Logger.getLogger("io.opentelemetry");

    private final SimpleFormatter formatter = new SimpleFormatter();

    private SdkLog() {}

    /** From now on, instead of Java's own lines on standard error. */
    static void install() {
        SDK.setUseParentHandlers(false);
        if (SDK.getHandlers().length == 0) {
            SDK.addHandler(new SdkLog());
        }
    }

    @Override
    public void publish(LogRecord record) {
        LoggerFactory.getLogger(SDK.getName())
                .debug(formatter.formatMessage(record), record.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
