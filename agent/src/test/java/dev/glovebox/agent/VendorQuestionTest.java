package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.ModelSpec.Vendor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VendorQuestionTest {

    @ParameterizedTest
    @ValueSource(strings = {"0.12345678901234567890", "1.50", "1E+400", "12345678901234567890"})
    void numbersKeepAllTheirDigits(String number) {
        String call = "{\"parts\":[{\"functionCall\":{\"args\":{\"a\":" + number + "}}}]}";
        String result = "{\"parts\":[{\"functionResponse\":{}}]}";
        String question = "{\"contents\":[%s,%s,%s]}".formatted(call, result, result);

        assertThat(VendorQuestion.of(Vendor.GOOGLE, question))
                .isEqualTo(
                        "{\"contents\":[%s,{\"parts\":[{\"functionResponse\":{}},{\"functionResponse\":{}}]}]}",
                        call);
        assertThat(VendorQuestion.of(Vendor.OLLAMA, "{\"a\":" + number + "}"))
                .isEqualTo("{\"a\":" + number + ",\"truncate\":false}");
    }
}
