package dev.glovebox.sandbox;

import java.util.List;
import java.util.Map;

/**
 * What came of a command.
 *
 * @param timeline when each piece of the kept output arrived
 * @param pressure limits that were touched without killing
 * @param connections those that were asked for at the gate of the box, as far as 1000; while
 *     several commands run in a box, those of all of them
 * @param files the result files that the program was asked for and that it made
 * @param refusedFiles why each result file was not taken that is there, or may be: a link, a
 *     directory, one that is too large, one of a box that is gone
 */
public record Result(
        Outcome outcome,
        Output stdout,
        Output stderr,
        List<Chunk.Mark> timeline,
        Usage usage,
        List<Pressure> pressure,
        List<Connection> connections,
        Map<String, byte[]> files,
        Map<String, String> refusedFiles,
        Receipt receipt) {

    public Result {
        timeline = List.copyOf(timeline);
        pressure = List.copyOf(pressure);
        connections = List.copyOf(connections);
        files = Map.copyOf(files);
        refusedFiles = Map.copyOf(refusedFiles);
    }
}
