package dev.glovebox.cli;

import dev.glovebox.agent.Route;

/** The models that somebody names on the command line. */
final class ModelOption {

    private ModelOption() {}

    /**
     * Makes sure, before anything begins, that they can be asked.
     *
     * @throws BadInput if one is none, or its key is missing
     */
    static void check(String specs, Shell shell) {
        if (!specs.isEmpty()) {
            try {
                var _ = Route.open(specs, shell.env());
            } catch (IllegalArgumentException e) {
                throw new BadInput(String.valueOf(e.getMessage()), e);
            }
        }
    }
}
