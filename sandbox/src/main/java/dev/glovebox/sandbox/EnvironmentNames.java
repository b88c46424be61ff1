package dev.glovebox.sandbox;

import java.util.regex.Pattern;

/** Which environment variables can be handed to a program through a shell without surprises. */
final class EnvironmentNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private EnvironmentNames() {}

    static void check(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidPolicy(
                    Wording.quote(name)
                            + " is not an environment variable's name: letters, digits and _ only");
        }
        if (value.indexOf('\0') >= 0) {
            throw new InvalidPolicy("The environment variable " + name + " holds a NUL character");
        }
        if (Wording.hasHalves(value)) {
            throw new InvalidPolicy("The environment variable " + name + " holds half a character");
        }
    }
}
