package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.KEYS;
import static dev.glovebox.agent.Vendors.PATIENCE;
import static dev.glovebox.agent.Vendors.prompt;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What names a model: its vendor, its name, perhaps its address; and the key for it. */
class ModelSpecTest {

    @ParameterizedTest
    @CsvSource({
        "nobody:x,there is no vendor 'nobody'",
        "openai,names no model",
        "openai:,names no model",
        "openai:x@http://,its address is none",
        "openai:x@http:///v1,its address is none",
        "openai:x@http://h:0/v1,its address is none",
        "openai:x@http://h:99999/v1,its address is none",
        "openai:x@http://[::1,its address is none",
        "openai:x@http://h/v1?key=x,its address is none",
        "openai:x@http://h/v1#x,its address is none",
        "openai:x@localhost:8000/v1,does not begin with http",
        "openai:x@ftp://h,does not begin with http",
        "openai:x@,does not begin with http",
        "openai:x@https,does not begin with http",
        "openai: x,there are blanks",
        "'',there is no vendor ''",
    })
    void aSpecificationThatIsNoneIsRefusedWithAReason(String spec, String why) {
        assertThatThrownBy(() -> Models.open(spec, KEYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPasswordInAnAddressIsRefusedAndNotShown() {
        assertThatThrownBy(() -> Models.open("openai:x@http://ann:hunter2@h/v1", KEYS))
                .hasMessageContaining("its address is none")
                .hasMessageNotContainingAny("ann", "hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "openai:x@HTTP://h/v1,HTTP://h/v1",
        "openai:@cf/meta/llama@https://h/v1/,https://h/v1/",
        "ollama:hf.co/a/b:Q4@http://[::1]:8000,http://[::1]:8000",
    })
    void addressesOfManyFormsAreRead(String spec, String address) {
        assertThat(ModelSpec.of(spec).address()).contains(URI.create(address));
    }

    @ParameterizedTest
    @CsvSource({
        "openai:x@HTTP://h/v1,h,80",
        "openai:x@https://h/v1/secret-tenant,h,443",
        "ollama:x@http://[::1]:8000,[::1],8000",
        "anthropic:x,api.anthropic.com,443",
        "google:x,generativelanguage.googleapis.com,443",
        "ollama:x,localhost,11434",
        "openai:x,api.openai.com,443",
    })
    void ofAnAddressTheHostAndThePortAreTold(String spec, String host, int port) {
        assertThat(ModelSpec.of(spec).server()).isEqualTo(new Model.Server(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void aSlashBehindTheAddressDoesNoHarm(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("ok"))) {
            Models.open(vendor + ":test@" + server.address() + "/", KEYS)
                    .ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            assertThat(server.paths()).noneMatch(path -> path.contains("//"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-one\nsk-two", "sk-\u00e4", "sk one"})
    void aKeyThatIsNoneIsRefusedAndNotShown(String key) {
        assertThatThrownBy(() -> Models.open("openai:x", Map.of("OPENAI_API_KEY", key)))
                .hasMessageContaining("OPENAI_API_KEY")
                .hasMessageNotContaining("sk");
    }

    @Test
    void aMissingKeyIsNamed() {
        assertThatThrownBy(() -> Models.open("anthropic:claude", Map.of()))
                .hasMessage("The model anthropic:claude needs a key: set ANTHROPIC_API_KEY");
        assertThat(Models.open("ollama:llama3", Map.of()).name()).isEqualTo("ollama:llama3");
    }
}
