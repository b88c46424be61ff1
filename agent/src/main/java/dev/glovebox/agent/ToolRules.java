package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.agent.BoundedPattern.Effort;
import dev.glovebox.run.Permissions;
import dev.glovebox.run.Question;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Policy.ToolRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Says which calls of tools are made, which ones a person is asked for, and which ones are refused,
 * whatever a model thinks of it: it is an {@link Interceptor}, asked before each call.
 *
 * <p>The first rule that fits a call decides. If none does, {@link #denyAll} refuses it and {@link
 * #allowAll} lets it be made.
 */
public final class ToolRules implements Interceptor {

    private static final int LONGEST_NAME = 100;

    private final List<Rule> rules;
    private final ToolRule otherwise;

    private ToolRules(List<Rule> rules, ToolRule otherwise) {
        this.rules = rules;
        this.otherwise = otherwise;
    }

    /** What no rule allows is refused. */
    public static ToolRules denyAll() {
        return new ToolRules(List.of(), ToolRule.DENY);
    }

    /** What no rule forbids is done. */
    public static ToolRules allowAll() {
        return new ToolRules(List.of(), ToolRule.ALLOW);
    }

    /**
     * The rules of the section {@code tools} of a policy; what it does not name is refused.
     *
     * @throws IllegalArgumentException if it has a name that no tool can have
     */
    public static ToolRules of(Policy policy) {
        ToolRules rules = denyAll();
        for (Map.Entry<String, ToolRule> rule : policy.tools().entrySet()) {
            rules = rules.rule(rule.getKey()).is(rule.getValue());
        }
        return rules;
    }

    /** Refuses the tools that the type of an agent has no permission for. */
    public static Interceptor of(Permissions permissions) {
        return request ->
                !request.kind().equals(ToolUse.KIND)
                                || permissions.allows(
                                        type(request.agent()),
                                        Permissions.Action.TOOL,
                                        request.name())
                        ? Decision.ALLOW
                        : refusal(request, "has no permission to use it");
    }

    // An agent is called by its type, or by that and a key.
    private static String type(String agent) {
        int slash = agent.indexOf('/');
        return slash < 0 ? agent : agent.substring(0, slash);
    }

    /**
     * Begins one more rule, which is looked at when none of those before it fits.
     *
     * @param tool its name as models see it; there are no patterns
     * @throws IllegalArgumentException if no tool can have that name: the rule would never fit
     */
    public Draft rule(String tool) {
        if (!ToolName.isFit(tool)) {
            throw new IllegalArgumentException(
                    "No tool can have the name '%s': to models it has one of up to 64 letters, digits, '_' and '-'"
                            .formatted(Excerpt.line(tool, LONGEST_NAME)));
        }
        return new Draft(this, tool, Optional.empty(), List.of());
    }

    /** A rule that does not say yet what becomes of the call. */
    public static final class Draft {

        private final ToolRules rules;
        private final String tool;
        private final Optional<String> agent;
        private final List<Condition> conditions;

        private Draft(
                ToolRules rules, String tool, Optional<String> agent, List<Condition> conditions) {
            this.rules = rules;
            this.tool = tool;
            this.agent = agent;
            this.conditions = conditions;
        }

        /**
         * Only for that agent.
         *
         * @throws IllegalStateException if it is for another one already
         */
        public Draft by(String name) {
            if (agent.isPresent()) {
                throw new IllegalStateException(
                        "The rule is for %s already; %s needs one of its own"
                                .formatted(agent.get(), name));
            }
            return new Draft(rules, tool, Optional.of(name), conditions);
        }

        /**
         * Only if an argument fits, and all others that are named. To allow a call the whole of it
         * must fit; to refuse it, or to ask, some part of it. Lists and objects are looked at as
         * they stand in JSON, and to refuse or to ask also each name, text and number in them by
         * itself; numbers in plain digits, without an exponent, and without a point if they are
         * whole.
         *
         * @param argument its name, or a JSON pointer such as {@code /to/0/address}
         */
        public Draft when(String argument, Pattern pattern) {
            List<Condition> more = new ArrayList<>(conditions);
            String pointer = argument.startsWith("/") ? argument : "/" + escaped(argument);
            more.add(new Condition(JsonPointer.compile(pointer), pattern));
            return new Draft(rules, tool, agent, List.copyOf(more));
        }

        private static String escaped(String name) {
            return name.replace("~", "~0").replace("/", "~1");
        }

        /** The call is made. */
        public ToolRules allow() {
            return is(ToolRule.ALLOW);
        }

        /** A person is asked before. */
        public ToolRules ask() {
            return is(ToolRule.ASK);
        }

        /** The call is not made. */
        public ToolRules deny() {
            return is(ToolRule.DENY);
        }

        private ToolRules is(ToolRule what) {
            List<Rule> more = new ArrayList<>(rules.rules);
            more.add(new Rule(tool, agent, conditions, what));
            return new ToolRules(List.copyOf(more), rules.otherwise);
        }
    }

    private record Condition(JsonPointer argument, Pattern pattern) {}

    private record Rule(
            String tool, Optional<String> agent, List<Condition> conditions, ToolRule what) {

        boolean fits(Request request) {
            return tool.equals(request.name())
                    && agent.map(request.agent()::equals).orElse(true)
                    && conditions.stream().allMatch(condition -> fits(condition, request));
        }

        private boolean fits(Condition condition, Request request) {
            JsonNode value = request.arguments().at(condition.argument());
            if (value.isMissingNode()) {
                return false;
            }
            Pattern pattern = condition.pattern();
            String whole = text(value);
            // What takes too long to decide is not allowed: whoever throws refuses.
            return what == ToolRule.ALLOW
                    ? BoundedPattern.matches(pattern, whole)
                    : BoundedPattern.finds(pattern, whole)
                            || findsWithin(pattern, value, Effort.of(whole.length()));
        }

        private static String text(JsonNode value) {
            return value.isTextual() ? value.textValue() : PlainNumbers.json(value);
        }

        /**
         * Whether it fits some part of a name, text or number in a list or an object.
         *
         * <p>The attack: as JSON a tab is a backslash and a letter, so that a pattern which looks
         * for blanks does not see it in a list.
         */
        private static boolean findsWithin(Pattern pattern, JsonNode value, Effort effort) {
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                if (BoundedPattern.finds(pattern, member.getKey(), effort)) {
                    return true;
                }
            }
            for (JsonNode inner : value) {
                if (inner.isContainerNode()
                        ? findsWithin(pattern, inner, effort)
                        : BoundedPattern.finds(pattern, text(inner), effort)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public Decision before(Request request) {
        if (!request.kind().equals(ToolUse.KIND)) {
            return Decision.ALLOW;
        }
        ToolRule what =
                rules.stream()
                        .filter(rule -> rule.fits(request))
                        .findFirst()
                        .map(Rule::what)
                        .orElse(otherwise);
        return switch (what) {
            case ALLOW -> Decision.ALLOW;
            case ASK ->
                    ShownArguments.of(request.arguments())
                            .map(shown -> approval(request, shown))
                            .orElseGet(() ->
                                    refusal(request, "gives more arguments than can be shown"));
            case DENY -> refusal(request, "is not allowed to use it");
        };
    }

    private static Decision refusal(Request request, String why) {
        return new Decision.Refuse(
                "The tool %s was not called: %s %s".formatted(name(request), who(request), why));
    }

    private static Decision approval(Request request, String shown) {
        return new Decision.Approve(
                Question.approval(
                        "May %s use the tool %s? %s"
                                .formatted(who(request), name(request), shown)));
    }

    private static String name(Request request) {
        return Excerpt.line(request.name(), LONGEST_NAME);
    }

    private static String who(Request request) {
        return request.agent().isEmpty()
                ? "this program"
                : "the agent " + Excerpt.line(request.agent(), LONGEST_NAME);
    }
}
