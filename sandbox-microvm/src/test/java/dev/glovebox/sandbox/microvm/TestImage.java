package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.NotEnforceable;

/**
 * The image that the tests start machines from: the one that is there, or one built now where the
 * system property {@code glovebox.image-build} allows to download packages.
 */
final class TestImage {

    private TestImage() {}

    /** Without an image the tests are skipped, or fail where the tier is required. */
    static synchronized void ensure() {
        if (!Boolean.getBoolean("glovebox.image-build")
                || Image.current(System.getenv()).isPresent()) {
            return;
        }
        try {
            new ImageBuild(System.getenv(), step -> {}).run();
        } catch (NotEnforceable e) {
            System.err.println("No image for virtual machines: " + e.getMessage());
        }
    }
}
