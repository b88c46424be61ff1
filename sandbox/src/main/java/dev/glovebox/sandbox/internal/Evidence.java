package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.spi.Digests;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** All of a receipt that is known before the program ends. */
record Evidence(Receipt withoutOutput) {

    static Evidence of(
            String tier,
            String version,
            long hostUid,
            Policy policy,
            List<Control> controls,
            CommandLine line,
            Program program) {
        Map<String, String> inputs = new TreeMap<>();
        program.inputs().forEach((path, content) -> inputs.put(path, Digests.hex(content)));
        return new Evidence(
                new Receipt(
                        tier,
                        version,
                        line.interpreter(policy),
                        OptionalLong.of(hostUid),
                        line.digest(),
                        inputs,
                        policy.digest(),
                        controls,
                        "",
                        ""));
    }

    Receipt receipt(Output stdout, Output stderr) {
        Receipt known = withoutOutput;
        return new Receipt(
                known.tier(),
                known.tierVersion(),
                known.interpreter(),
                known.hostUid(),
                known.codeDigest(),
                known.inputDigests(),
                known.policyDigest(),
                known.controls(),
                stdout.digest(),
                stderr.digest());
    }
}
