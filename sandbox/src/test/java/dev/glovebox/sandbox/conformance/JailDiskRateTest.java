package dev.glovebox.sandbox.conformance;

/** The jail holds writing to disks by a cgroup. */
@Behind(JailWall.class)
final class JailDiskRateTest extends DiskRateKit {}
