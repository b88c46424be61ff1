package dev.glovebox.agent;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A tool that is made of Java code. */
record JavaTool(ToolOffer offer, ToolTraits traits, Body body) implements Tool {

    /** What it does. */
    @FunctionalInterface
    interface Body {
        @Nullable Object call(ToolInput input) throws Exception;
    }

    /** The same of arguments that are read as the Java types which the schema is made of. */
    @FunctionalInterface
    interface BodyOfTypes extends Body {}

    boolean isOfTypes() {
        return body instanceof BodyOfTypes;
    }

    @Override
    public ToolOutput call(ToolInput input) throws Exception {
        Object result = body.call(input);
        return switch (result) {
            case CompletionStage<?> later -> awaited(later.toCompletableFuture());
            case Future<?> later -> awaited(later);
            case null, default -> ToolJson.output(result);
        };
    }

    /** A result is there when it has come, and what went wrong with it is what the tool throws. */
    private static ToolOutput awaited(Future<?> later) throws Exception {
        try {
            Object result = later.get();
            return result == null ? ToolOutput.of("Done") : ToolJson.output(result);
        } catch (InterruptedException e) {
            later.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw e;
            }
        }
    }
}
