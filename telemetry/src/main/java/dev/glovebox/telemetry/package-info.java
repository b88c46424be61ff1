/** The events of runs as OpenTelemetry spans and metrics. */
@NullMarked
package dev.glovebox.telemetry;

import org.jspecify.annotations.NullMarked;
