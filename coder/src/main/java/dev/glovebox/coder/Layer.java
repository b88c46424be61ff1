package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * Packages that were installed once, as its own file says it.
 *
 * @param key what was asked for: SHA-256 of language, interpreter, machine and requirements
 * @param digest what came of it: SHA-256 of all files
 * @param source the package index
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Layer(
        String key,
        String digest,
        String language,
        String interpreter,
        List<String> requirements,
        String source,
        int files,
        long bytes,
        String created) {

    public Layer {
        requirements = requirements == null ? List.of() : List.copyOf(requirements);
    }

    /** Whether the file that it was read from says all. */
    @SuppressWarnings("ConstantConditions") // Jackson passes null for what is not there
    boolean isWhole() {
        return digest != null
                && language != null
                && interpreter != null
                && source != null
                && created != null;
    }
}
