package dev.glovebox.sandbox.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The wall that a kit is run against; it stands on the kit, or on the class around it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Behind {

    /** Has a constructor without parameters. */
    Class<? extends Wall> value();
}
