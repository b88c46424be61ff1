package dev.glovebox.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method.
 *
 * @param target whose method it is; anything if it is static
 */
record MethodBody(Object target, Method method) implements JavaTool.Body {

    @Override
    public @Nullable Object call(ToolInput input) throws Exception {
        Parameter[] parameters = method.getParameters();
        @Nullable Object[] arguments = new @Nullable Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = argument(parameters[i], input);
        }
        try {
            Object result = method.invoke(target, arguments);
            return method.getReturnType() == void.class ? "Done" : result;
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw e;
            }
        }
    }

    private static @Nullable Object argument(Parameter parameter, ToolInput input) {
        if (parameter.getType() == ToolInput.class) {
            return input;
        }
        String name = ParameterSchema.name(parameter);
        return ToolJson.read(input.arguments().path(name), parameter.getParameterizedType(), name);
    }
}
