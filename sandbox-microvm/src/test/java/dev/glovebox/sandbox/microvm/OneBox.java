package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import java.time.Duration;

/** A JVM that opens a box and then waits to be killed, though not for ever. */
final class OneBox {

    private OneBox() {}

    public static void main(String[] words) throws InterruptedException {
        try (Sandbox box = new MicrovmTier().open(Policy.denyAll().isolation(Isolation.MICROVM))) {
            box.files().write("file", new byte[0]);
            System.out.println("open");
            Thread.sleep(Duration.ofMinutes(1));
        }
    }
}
