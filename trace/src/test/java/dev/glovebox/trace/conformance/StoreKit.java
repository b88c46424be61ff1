package dev.glovebox.trace.conformance;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** All that a trace store must pass. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StoreKit
        implements AppendKit, RaceKit, BlobKit, ListingKit, LogKit, WatchKit, CrashKit {}
