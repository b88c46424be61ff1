package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.agent.ReceiptJson;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A checkup as JSON. */
final class DoctorJson {

    private DoctorJson() {}

    static void write(JsonReport report, Checkup checkup, OptionalInt swept) {
        report.object(json -> {
            json.writeStringField("version", Version.number());
            JsonReport.field(
                    json,
                    "system",
                    () -> {
                        for (Map.Entry<String, String> fact : checkup.system().entrySet()) {
                            json.writeStringField(fact.getKey(), fact.getValue());
                        }
                    });
            json.writeArrayFieldStart("tiers");
            for (Checkup.Finding finding : checkup.findings()) {
                write(json, finding);
            }
            json.writeEndArray();
            if (swept.isPresent()) {
                json.writeNumberField("swept", swept.getAsInt());
            }
        });
    }

    private static void write(JsonGenerator json, Checkup.Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", finding.tier());
        json.writeStringField("isolation", finding.isolation().toString());
        json.writeBooleanField("works", finding.works());
        switch (finding.availability()) {
            case Availability.Works works -> {
                json.writeStringField("version", works.version());
                ReceiptJson.write(json, works.controls());
                interpreters(json, List.copyOf(finding.interpreters().values()));
            }
            case Availability.Missing missing -> {
                json.writeStringField("reason", missing.reason());
                json.writeStringField("remedy", missing.remedy());
            }
        }
        json.writeEndObject();
    }

    private static void interpreters(JsonGenerator json, List<Interpreter> all) throws IOException {
        json.writeArrayFieldStart("interpreters");
        for (Interpreter interpreter : all) {
            json.writeStartObject();
            ReceiptJson.write(json, interpreter);
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
