package dev.glovebox.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What confinement was really in force for one command; read back from the system, not copied from
 * the request.
 *
 * @param hostUid the user the program was to the host, where it had one
 * @param codeDigest SHA-256 of the source, or of the command line
 * @param inputDigests SHA-256 of each input file
 * @param stdoutDigest SHA-256 of all that was written, also of what was not kept
 */
public record Receipt(
        String tier,
        String tierVersion,
        Optional<Interpreter> interpreter,
        OptionalLong hostUid,
        String codeDigest,
        Map<String, String> inputDigests,
        String policyDigest,
        List<Control> controls,
        String stdoutDigest,
        String stderrDigest) {

    public Receipt {
        inputDigests = Map.copyOf(inputDigests);
        controls = List.copyOf(controls);
    }

    /** The control of that name, if it was in force. */
    public Optional<Control> control(String name) {
        return controls.stream().filter(control -> control.name().equals(name)).findFirst();
    }
}
