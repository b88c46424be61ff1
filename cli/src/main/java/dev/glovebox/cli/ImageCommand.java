package dev.glovebox.cli;

import dev.glovebox.sandbox.microvm.Image;
import dev.glovebox.sandbox.microvm.ImageBuild;
import dev.glovebox.sandbox.microvm.MicrovmTier;
import dev.glovebox.sandbox.spi.Availability;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Builds what the virtual machines of the microvm tier start from. */
final class ImageCommand implements Subcommand {

    private static final int NOT_DONE = 1;

    private final Shell shell;
    private boolean begun;

    ImageCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Options.command(
                        "glovebox image",
                        "The kernel and the files that virtual machines of the microvm tier start from, made of"
                                + " the distribution's packages.%n");
        spec.usageMessage()
                .customSynopsis("glovebox image build", "")
                .footer(
                        "",
                        "Packages come from where the package manager is configured to get them, and are neither"
                                + " installed nor run here.",
                        "",
                        "Exit codes: 0 done, and a machine runs; 1 not done; 2 usage.");
        return spec.addOption(Options.help()).addPositional(Options.words());
    }

    @Override
    public int failed() {
        return begun ? NOT_DONE : Main.USAGE;
    }

    @Override
    public int run(ParseResult parsed) {
        if (!Options.words(parsed).equals(List.of("build"))) {
            throw new BadInput("Say what to do: glovebox image build");
        }
        begun = true;
        Image image = new ImageBuild(shell.env(), shell::say).run();
        shell.print("built      " + image.digest());
        shell.say("starting a machine for the first time");
        return switch (new MicrovmTier().probe()) {
            case Availability.Works works -> {
                shell.print("works      " + works.version());
                yield Main.OK;
            }
            case Availability.Missing(String reason, String remedy) -> {
                shell.say("It does not work: " + reason + ". " + remedy);
                yield NOT_DONE;
            }
        };
    }
}
