package dev.glovebox.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Where a run's questions lie until somebody answers them. */
final class Desk {

    /** The kind of effect that a question is. */
    static final String KIND = "ask";

    private static final String APPROVAL = "?approval";
    private static final String REPEAT = "?repeat";

    private final Journal journal;
    private final Letters letters;
    private final Clock clock;
    private final List<OpenQuestion> open = new CopyOnWriteArrayList<>();

    Desk(Journal journal, Letters letters, Clock clock) {
        this.journal = journal;
        this.letters = letters;
        this.clock = clock;
    }

    /** What the run waits for. */
    List<OpenQuestion> open() {
        return List.copyOf(open);
    }

    /** The keys of all questions that have no answer on record. */
    Stream<String> unanswered() {
        return Stream.concat(
                        journal.tape().unanswered(KIND).stream()
                                .map(taped -> ((EffectIntent) taped.event()).id().key()),
                        open.stream().map(OpenQuestion::key))
                .distinct();
    }

    /** The questions on a tape that have no answer there. */
    static List<OpenQuestion> open(Journal journal) {
        return journal.tape().unanswered(KIND).stream()
                .map(taped -> {
                    EffectIntent intent = (EffectIntent) taped.event();
                    Question question =
                            Json.value(journal.content(intent.arguments()), Question.class);
                    return new OpenQuestion(
                            journal.run(),
                            intent.id().key(),
                            question,
                            question.within().map(taped.at()::plus));
                })
                .toList();
    }

    /** Asks for the node. */
    Answer ask(String path, long ordinal, Question question, Scope scope) {
        EffectId id = new EffectId(path, ordinal, Tape.key(path, ordinal), KIND);
        return ask(id, question, false, scope);
    }

    /**
     * Asks whether an effect may be performed.
     *
     * @param who numbers those who want to know
     * @param hidden whether the effect is private: what is asked about it is, too
     * @return why not, if not
     */
    Optional<StopReason> refusal(
            EffectId effect, int who, Question question, boolean hidden, Scope scope) {
        String by = Answer.TIME_OUT;
        try {
            Answer answer = ask(about(effect, APPROVAL + who), question, hidden, scope);
            if (answer.isYes()) {
                return Optional.empty();
            }
            by = answer.by();
        } catch (Stop e) {
            // Nobody answered in time.
        }
        return Optional.of(new StopReason.ApprovalDenied(question.text(), by));
    }

    /** Asks whether an effect may be performed that perhaps was performed already. */
    boolean mayRepeat(Door.Passage<?> passage, Scope scope) {
        Effect<?, ?> effect = passage.effect();
        String who = effect.agent().isEmpty() ? "" : " of the agent " + effect.agent();
        Question question =
                Question.approval(
                        "%s %s%s was interrupted, and nobody knows whether it was done. Do it again? %s"
                                .formatted(effect.kind(), effect.name(), who, effect.about())
                                .strip());
        for (int time = 1; ; time++) {
            EffectId id = about(passage.id(), REPEAT + time);
            boolean before = journal.outcome(id).isPresent();
            if (!ask(id, question, effect.isPrivate(), scope).isYes()) {
                return false;
            }
            // What was allowed before was begun then, and interrupted once more.
            if (!before) {
                return true;
            }
        }
    }

    private static EffectId about(EffectId effect, String what) {
        return new EffectId(effect.path(), effect.ordinal(), effect.key() + what, KIND);
    }

    /** Questions about an effect that are on the tape need not be asked, but count. */
    void known(EffectId effect) {
        journal.tape().questions(effect.key()).forEach(taped -> journal.known(taped.event()));
    }

    private Answer ask(EffectId id, Question question, boolean hidden, Scope scope) {
        scope.check();
        Journal.Intent intent =
                journal.intent(id, "question", Json.bytes(question), Event.NONE, hidden);
        if (intent.recordedAt().isPresent()) {
            journal.known(intent.event());
            Optional<EffectOutcome> outcome = journal.outcome(id);
            if (outcome.isPresent()) {
                journal.known(outcome.get());
                return answer(outcome.get());
            }
        }
        journal.beyond(intent.event());
        Instant asked = intent.recordedAt().orElseGet(() -> journal.freshDurable(intent.event()));
        Optional<Instant> until = question.within().map(asked::plus);
        Optional<Answer> letter = letters.find(journal.run(), id.key());
        if (letter.isEmpty() && until.filter(time -> !clock.instant().isBefore(time)).isPresent()) {
            // Sent like any other, so that it and an answer cannot both be the first.
            String otherwise = question.otherwise().orElse("");
            letters.post(journal.run(), id.key(), new Answer(otherwise, Answer.TIME_OUT));
            letter = letters.find(journal.run(), id.key());
        }
        if (letter.isEmpty()) {
            open.add(new OpenQuestion(journal.run(), id.key(), question, until));
            throw new Unwinding.Paused();
        }
        EffectOutcome outcome = outcome(id, question, hidden, letter.get(), asked);
        // Before anything is done because of it: whoever else has the run meanwhile must not do so
        // too.
        journal.freshDurable(outcome);
        letters.read(journal.run(), id.key());
        return answer(outcome);
    }

    private EffectOutcome outcome(
            EffectId id, Question question, boolean hidden, Answer answer, Instant asked) {
        Duration took = Duration.between(asked, clock.instant());
        ObjectNode details = Details.empty().put("by", answer.by());
        if (answer.by().equals(Answer.TIME_OUT) && question.otherwise().isEmpty()) {
            ObjectNode told = Details.empty();
            Details.putStop(told, new StopReason.NeedsInput(question.text()));
            return journal.without(id, Status.FAILED, nonNegative(took), details, told, hidden);
        }
        return new EffectOutcome(
                id,
                Status.DONE,
                Optional.of(journal.keep(Json.bytes(answer), hidden || journal.isSecret())),
                nonNegative(took),
                details);
    }

    private static Duration nonNegative(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }

    private Answer answer(EffectOutcome outcome) {
        if (outcome.status() == Status.FAILED) {
            throw new Stop(Details.stop(journal.told(outcome)).orElseThrow());
        }
        return Json.value(journal.content(outcome.result().orElseThrow()), Answer.class);
    }
}
