package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.lang.annotation.Annotation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names that the components of a record are read by, as Jackson's annotations have it: a schema
 * with other names would ask for what cannot be read.
 */
final class ComponentNames {

    private static final List<Class<? extends Annotation>> TELL_APART =
            List.of(JsonTypeInfo.class, JsonSubTypes.class);

    private final Class<?> type;
    private final Map<String, String> read = new HashMap<>();
    private final Set<String> ignored = new HashSet<>();

    /**
     * Takes a record.
     *
     * @throws IllegalArgumentException if it says itself how it is told apart from others
     */
    ComponentNames(Class<?> type) {
        this.type = type;
        DeserializationConfig config = ToolJson.MAPPER.getDeserializationConfig();
        BeanDescription about = config.introspect(config.constructType(type));
        AnnotatedClass annotations = about.getClassInfo();
        if (TELL_APART.stream().anyMatch(annotations::hasAnnotation)) {
            throw new IllegalArgumentException(
                    "%s has @JsonTypeInfo or @JsonSubTypes: leave them out, a member '%s' tells the records of a sealed interface apart"
                            .formatted(type.getName(), ToolJson.TYPE));
        }
        Set<String> unread =
                config.getDefaultPropertyIgnorals(type, annotations)
                        .findIgnoredForDeserialization();
        for (BeanPropertyDefinition property : about.findProperties()) {
            AnnotatedParameter parameter = property.getConstructorParameter();
            if (unread.contains(property.getName())) {
                ignored.add(property.getInternalName());
            } else if (parameter != null && !parameter.hasAnnotation(JsonUnwrapped.class)) {
                read.put(property.getInternalName(), property.getName());
            }
        }
        // Jackson knows them only after it has looked for the properties.
        ignored.addAll(about.getIgnoredPropertyNames());
    }

    /**
     * The name of a component; empty if it is not read at all.
     *
     * @throws IllegalArgumentException if it is read in another way than by a name
     */
    Optional<String> of(String component) {
        if (ignored.contains(component)) {
            return Optional.empty();
        }
        String name = read.get(component);
        if (name == null) {
            throw new IllegalArgumentException(
                    "Jackson does not read the component '%s' of %s by a name of its own: leave out the annotations that say so"
                            .formatted(component, type.getName()));
        }
        return Optional.of(name);
    }
}
