package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JavaType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method.
 *
 * @param target whose method it is; anything if it is static
 */
record MethodBody(Object target, Method method, List<Argument> arguments)
        implements JavaTool.BodyOfTypes {

    private static final Set<Class<?>> GIVES_NOTHING = Set.of(void.class, Void.class);

    /** One of its arguments; without a name it is what the tool is called with. */
    record Argument(String name, JavaType type) {

        private static Argument of(Parameter parameter) {
            return new Argument(
                    parameter.getType() == ToolInput.class ? "" : ParameterSchema.name(parameter),
                    ToolJson.MAPPER.constructType(parameter.getParameterizedType()));
        }
    }

    static MethodBody of(Object target, Method method) {
        return new MethodBody(
                target, method, Stream.of(method.getParameters()).map(Argument::of).toList());
    }

    @Override
    public @Nullable Object call(ToolInput input) throws Exception {
        @Nullable Object[] values = new @Nullable Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(arguments.get(i), input);
        }
        try {
            Object result = method.invoke(target, values);
            return GIVES_NOTHING.contains(method.getReturnType()) ? "Done" : result;
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw e;
            }
        }
    }

    private static @Nullable Object value(Argument argument, ToolInput input) {
        return argument.name().isEmpty()
                ? input
                : ToolJson.read(input.argument(argument.name()), argument.type(), argument.name());
    }
}
