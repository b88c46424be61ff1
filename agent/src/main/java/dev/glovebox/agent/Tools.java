package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolMemoryId;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes tools of Java code.
 *
 * <p>The schema that a model sees, and that its arguments are held against, follows from the types.
 * What is not a text is given to the model as JSON.
 */
public final class Tools {

    private Tools() {}

    /** What a tool does with its parameters. */
    @FunctionalInterface
    public interface Body<P> {
        @Nullable Object call(P parameters) throws Exception;
    }

    /** What a tool does with its parameters, if it wants to know more of the call. */
    @FunctionalInterface
    public interface BodyWithInput<P> {
        @Nullable Object call(P parameters, ToolInput input) throws Exception;
    }

    /**
     * A tool with a record as its parameters. Components are described by LangChain4j's {@code @P}
     * or {@code @Description}.
     *
     * @throws IllegalArgumentException if there is no schema for the record
     */
    public static <P extends Record> Tool of(
            String name, String description, Class<P> parameters, Body<P> body) {
        return of(name, description, parameters, (read, input) -> body.call(read));
    }

    /**
     * A tool that knows for whom it is called, and until when.
     *
     * @throws IllegalArgumentException if there is no schema for the record
     */
    public static <P extends Record> Tool of(
            String name, String description, Class<P> parameters, BodyWithInput<P> body) {
        ToolOffer offer = new ToolOffer(name, description, ParameterSchema.of(parameters));
        JavaTool.BodyOfTypes typed =
                input -> {
                    Object read = ToolJson.read(input.arguments(), parameters, "");
                    return body.call(Objects.requireNonNull(parameters.cast(read)), input);
                };
        return new JavaTool(offer, ToolTraits.standard(), typed);
    }

    /**
     * The same tool, treated in another way.
     *
     * @param traits instead of those that it has
     */
    public static Tool with(Tool tool, ToolTraits traits) {
        return switch (tool) {
            case ProgramTool program -> program.with(traits);
            case McpTool remote -> remote.with(traits);
            case JavaTool java -> new JavaTool(java.offer(), traits, java.body());
            default -> new JavaTool(tool.offer(), traits, tool::call);
        };
    }

    /**
     * All methods of an object that have LangChain4j's {@code @Tool}. A parameter of the type
     * {@link ToolInput} gets that.
     *
     * @throws IllegalArgumentException if there are none, two have the same name, or there is no
     *     schema for the parameters of one
     */
    public static List<Tool> of(Object object) {
        Map<String, Tool> tools = new LinkedHashMap<>();
        for (Method method : annotated(object.getClass())) {
            Tool tool = of(object, method);
            if (tools.put(tool.offer().name(), tool) != null) {
                throw new IllegalArgumentException(
                        "Two methods of %s are the tool '%s': give one another name by @Tool(name = ...)"
                                .formatted(object.getClass().getName(), tool.offer().name()));
            }
        }
        if (tools.isEmpty()) {
            throw new IllegalArgumentException(
                    "No method of " + object.getClass().getName() + " has LangChain4j's @Tool");
        }
        return List.copyOf(tools.values());
    }

    private static List<Method> annotated(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> one : above(type)) {
            // Their order is another one in each JVM.
            Stream.of(one.getDeclaredMethods())
                    .filter(method -> !method.isBridge() && !method.isSynthetic())
                    .filter(method ->
                            method.isAnnotationPresent(dev.langchain4j.agent.tool.Tool.class))
                    .filter(method -> found.stream().noneMatch(below -> overrides(below, method)))
                    .sorted(Comparator.comparing(Method::toGenericString))
                    .forEach(found::add);
        }
        found.sort(Comparator.comparing(Tools::name));
        return found;
    }

    /** A class, those above it, and then the interfaces of them all. */
    private static Set<Class<?>> above(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            all.add(one);
        }
        List.copyOf(all).forEach(one -> interfaces(one, all));
        return all;
    }

    private static void interfaces(Class<?> type, Set<Class<?>> all) {
        for (Class<?> one : type.getInterfaces()) {
            all.add(one);
            interfaces(one, all);
        }
    }

    private static boolean overrides(Method below, Method above) {
        return below.getName().equals(above.getName())
                && !below.getDeclaringClass().equals(above.getDeclaringClass())
                && (Arrays.equals(below.getParameterTypes(), above.getParameterTypes())
                        || isBridged(below, above));
    }

    /**
     * Where a type above is open, and known below, the compiler leads from the one to the other.
     */
    private static boolean isBridged(Method below, Method above) {
        return below.getParameterCount() == above.getParameterCount()
                && Stream.of(below.getDeclaringClass().getDeclaredMethods())
                        .anyMatch(one ->
                                one.isBridge()
                                        && one.getName().equals(above.getName())
                                        && Arrays.equals(
                                                one.getParameterTypes(),
                                                above.getParameterTypes()));
    }

    private static String name(Method method) {
        String given = method.getAnnotation(dev.langchain4j.agent.tool.Tool.class).name();
        return given.isBlank() ? method.getName() : given;
    }

    private static Tool of(Object object, Method method) {
        if (Stream.of(method.getParameters())
                .anyMatch(one -> one.isAnnotationPresent(ToolMemoryId.class))) {
            throw new IllegalArgumentException(
                    method + " has a @ToolMemoryId, which there is not here: take a ToolInput");
        }
        String description =
                String.join(
                        "\n", method.getAnnotation(dev.langchain4j.agent.tool.Tool.class).value());
        ObjectNode schema =
                ParameterSchema.of(
                        Stream.of(method.getParameters())
                                .filter(one -> one.getType() != ToolInput.class)
                                .toList());
        if (!method.trySetAccessible()) {
            throw new IllegalArgumentException(method + " cannot be called from here");
        }
        Object target = Modifier.isStatic(method.getModifiers()) ? method : object;
        return new JavaTool(
                new ToolOffer(name(method), description, schema),
                ToolTraits.standard(),
                MethodBody.of(target, method));
    }
}
