package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.spi.Availability;

/** What this module's tiers need of the operating system. */
final class Platform {

    private Platform() {}

    static boolean linux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    static Availability.Missing missing() {
        String system = System.getProperty("os.name", "this system");
        return new Availability.Missing(
                "this tier is made of Linux kernel features, and this is " + system,
                system.startsWith("Windows")
                        ? "Use it inside WSL 2: wsl --install -d Debian"
                        : "Use it inside a Linux virtual machine, such as one made by Lima or Colima");
    }
}
