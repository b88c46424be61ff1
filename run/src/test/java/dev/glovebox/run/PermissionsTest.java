package dev.glovebox.run;

import static dev.glovebox.run.Permissions.ANY;
import static dev.glovebox.run.Permissions.Action.PUBLISH;
import static dev.glovebox.run.Permissions.Action.SEND;
import static dev.glovebox.run.Permissions.Action.SUBSCRIBE;
import static dev.glovebox.run.Permissions.Action.TOOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.MessageFailure.NotPermitted;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who may do what. */
public class PermissionsTest extends RuntimeKit {

    private static final Topic BUILD = new Topic("builds", "1");

    private final AtomicInteger handled = new AtomicInteger();

    private Runtime start(Permissions permissions) {
        Runtime runtime = start(RuntimeSettings.of(TYPES).permissions(permissions));
        runtime.register(
                "planner",
                _ ->
                        (context, message) -> {
                            switch (message) {
                                case Text(String text) when text.equals("publish") ->
                                        context.publish(BUILD, new Ping());
                                case Text(String text) when text.equals("subscribe") ->
                                        context.subscribe(BUILD);
                                case Text(String type) ->
                                        context.send(context.agent(type, "1"), new Ping());
                                default -> handled.incrementAndGet();
                            }
                            context.reply(message);
                        });
        runtime.register("coder", _ -> (_, _) -> handled.incrementAndGet());
        return runtime;
    }

    private static String attempt(Runtime runtime, String text) {
        Messenger acme = runtime.outside(ACME);
        try {
            acme.call(acme.agent("planner", "1"), new Text(text), Text.class);
            return "done";
        } catch (MessageException e) {
            return e.failure().sentence();
        }
    }

    @Test
    void withoutPermissionsEverythingIsAllowedInATenant() {
        Runtime runtime = start();
        runtime.register("echo", _ -> AgentContext::reply);
        runtime.subscribe("echo", "builds");
        Messenger acme = runtime.outside(ACME);
        acme.call(acme.agent("echo", "1"), new Ping(), Ping.class);
        assertThat(acme.publish(BUILD, new Ping()).reached()).hasSize(1);
    }

    @Test
    void withThemWhatIsNotAllowedIsDenied() {
        Runtime nothing = start(Permissions.none());
        Messenger acme = nothing.outside(ACME);
        assertThat(failureOf(() -> acme.send(acme.agent("planner", "1"), new Ping())))
                .isEqualTo(new NotPermitted("outside", SEND, "planner"));
        assertThat(failureOf(() -> acme.publish(BUILD, new Ping())))
                .isEqualTo(new NotPermitted("outside", PUBLISH, "builds"));
        assertThat(failureOf(() -> nothing.subscribe("coder", "builds")))
                .isEqualTo(new NotPermitted("coder", SUBSCRIBE, "builds"));
        assertThat(failureOf(() -> nothing.subscribe(acme.agent("coder", "1"), BUILD)))
                .isEqualTo(new NotPermitted("coder", SUBSCRIBE, "builds"));
        nothing.close();
        assertThat(handled).hasValue(0);
    }

    @Test
    void anAgentMayDoWhatItsTypeMay() {
        Permissions some =
                Permissions.none()
                        .allow(AgentId.OUTSIDE, SEND, "planner")
                        .allow("planner", SEND, "coder");
        Runtime runtime = start(some);
        assertThat(attempt(runtime, "coder")).isEqualTo("done");
        assertThat(attempt(runtime, "planner")).contains("do not allow planner to send to planner");
        assertThat(attempt(runtime, "publish"))
                .contains("do not allow planner to publish to builds");
        assertThat(attempt(runtime, "subscribe"))
                .contains("do not allow planner to subscribe to builds");
        // Whether there are such agents is told to those only who may send to them.
        assertThat(attempt(runtime, "debugger"))
                .contains("do not allow planner to send to debugger");

        Runtime more =
                start(some.allow("planner", PUBLISH, "builds").allow(ANY, SUBSCRIBE, "builds"));
        assertThat(attempt(more, "publish")).isEqualTo("done");
        assertThat(attempt(more, "subscribe")).isEqualTo("done");
    }

    @Test
    void aReplyNeedsNoPermission() {
        Runtime runtime = start(Permissions.none().allow(AgentId.OUTSIDE, SEND, ANY));
        runtime.register("echo", _ -> AgentContext::reply);
        Messenger acme = runtime.outside(ACME);
        assertThat(acme.call(acme.agent("echo", "1"), new Ping(), Ping.class))
                .isEqualTo(new Ping());
    }

    @Test
    void toolsAreCheckedByWhoeverCallsThem() {
        Permissions permissions =
                Permissions.none().allow("coder", TOOL, "run_python").allow("admin", TOOL, ANY);
        assertThat(permissions.allows("coder", TOOL, "run_python")).isTrue();
        assertThat(permissions.allows("coder", TOOL, "send_mail")).isFalse();
        assertThat(permissions.allows("admin", TOOL, "send_mail")).isTrue();
        assertThat(permissions.allows("admin", SEND, "coder")).isFalse();
    }

    @Test
    void eachToolThatVendorsTakeCanBeAllowedByItsName() {
        for (String tool : List.of("3d_render", "_private", "-x", "a".repeat(64))) {
            assertThat(Permissions.none().allow("coder", TOOL, tool).allows("coder", TOOL, tool))
                    .isTrue();
        }
        for (String none : List.of("", "send*", "send mail", "a".repeat(65))) {
            assertThatThrownBy(() -> Permissions.none().allow("coder", TOOL, none))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void permissionsDoNotChange() {
        Permissions none = Permissions.none();
        Permissions one = none.allow("a", SEND, "b");
        assertThat(none.allows("a", SEND, "b")).isFalse();
        assertThat(one.allows("a", SEND, "b")).isTrue();
        assertThat(one.allows("b", SEND, "a")).isFalse();
        assertThatThrownBy(() -> none.allow("a*", SEND, "b"))
                .isInstanceOf(IllegalArgumentException.class);
        // The star is for those who allow: nobody can be called so, and asking with it gets
        // nothing.
        assertThat(one.allows(ANY, SEND, ANY)).isFalse();
    }
}
