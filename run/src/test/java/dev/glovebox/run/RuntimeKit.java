package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What the tests of runtimes share. They test what every kind of runtime promises: a module with
 * another kind extends them and overrides {@link #open}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class RuntimeKit {

    /** Says something. */
    protected record Text(String text) {}

    /** Counts something. */
    protected record Count(int value) {}

    /** Has something in it that can be changed. */
    protected record Numbers(List<Integer> values) {}

    /** Has nothing in it. */
    protected record Ping() {}

    protected static final String ACME = "acme";
    protected static final String GLOBEX = "globex";
    protected static final Duration LONG = Duration.ofMinutes(1);
    protected static final Duration SHORT = Duration.ofMillis(50);

    protected static final MessageTypes TYPES =
            MessageTypes.none()
                    .with("text", Text.class)
                    .with("count", Count.class)
                    .with("numbers", Numbers.class)
                    .with("ping", Ping.class);

    private final List<Runtime> opened = new ArrayList<>();

    /** The kind of runtime that is tested. */
    protected Runtime open(RuntimeSettings settings) {
        return LocalRuntime.open(settings);
    }

    protected final Runtime start(RuntimeSettings settings) {
        Runtime runtime = open(settings);
        opened.add(runtime);
        return runtime;
    }

    protected final Runtime start(AgentLimits limits) {
        return start(RuntimeSettings.of(TYPES).limits(limits));
    }

    protected final Runtime start() {
        return start(AgentLimits.standard());
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Runtime::close);
    }

    /** What the message failed of. */
    protected static MessageFailure failureOf(ThrowingCallable code) {
        MessageException thrown = catchThrowableOfType(MessageException.class, code);
        assertThat(thrown).as("a failure").isNotNull();
        return thrown.failure();
    }

    protected static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Waits for what another thread does, however busy the machine is. */
    protected static void until(BooleanSupplier condition) throws InterruptedException {
        AgentDeadline end = AgentDeadline.in(LONG);
        while (!condition.getAsBoolean()) {
            assertThat(end.left()).as("time left").isPositive();
            Thread.sleep(1);
        }
    }
}
