package dev.glovebox.cli;

import org.jspecify.annotations.Nullable;

/** Which Glovebox this is. */
final class Version {

    private Version() {}

    /** As the jar's manifest says, which the start-up cache holds: the jar stays closed. */
    static String number() {
        @Nullable String packaged = Version.class.getPackage().getImplementationVersion();
        return packaged == null ? "(not packaged)" : packaged;
    }
}
