package dev.glovebox.cli;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Tier;

/** A fresh box for each run: opened, used once and closed. */
record BoxContender(String name, Tier tier, Program program) implements Contender {

    @Override
    public void run() {
        try (Sandbox box = tier.open(Policy.denyAll().isolation(tier.isolation()))) {
            Result result = box.run(program);
            Contender.check(name, result.stdout().text());
        }
    }
}
