package dev.glovebox.coder;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;

/**
 * Days as people write them: 2024-03-05, 5.3.2024, 3/5/2024, March 5, 2024, 5th of March 2024,
 * today. Between slashes the month comes first, unless that cannot be.
 */
final class SpokenDate {

    private static final List<String> MONTHS =
            List.of(
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec");
    private static final String MONTH =
            "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
                    + "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?";

    /** With groups for its parts. */
    static final String EXPRESSION =
            "(?<![\\p{L}\\p{N}.-])(?:(?<isoYear>\\d{4})-(?<isoMonth>\\d{1,2})-(?<isoDay>\\d{1,2})"
                    + "|(?<dotDay>\\d{1,2})\\.(?<dotMonth>\\d{1,2})\\.(?<dotYear>\\d{4})"
                    + "|(?<one>\\d{1,2})/(?<two>\\d{1,2})/(?<slashYear>\\d{4})"
                    + "|(?<nameMonth>"
                    + MONTH
                    + ") (?<nameDay>\\d{1,2})(?:st|nd|rd|th)?,? (?<nameYear>\\d{4})"
                    + "|(?<dayDay>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<dayMonth>"
                    + MONTH
                    + "),? (?<dayYear>\\d{4})"
                    + "|(?<today>today)\\b)(?![\\p{L}\\p{N}])";

    private SpokenDate() {}

    /** As ISO 8601 has it, or {@code today}; empty: there is no such day. */
    static String of(MatchResult found) {
        if (found.group("today") != null) {
            return "today";
        }
        try {
            LocalDate day = day(found);
            return day.getYear() < 1 ? "" : day.toString();
        } catch (DateTimeException e) {
            return "";
        }
    }

    /** From 1; 0: that is none. */
    static int month(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return lower.matches(MONTH) ? MONTHS.indexOf(lower.substring(0, 3)) + 1 : 0;
    }

    private static LocalDate day(MatchResult found) {
        if (found.group("isoYear") != null) {
            return date(found, "isoYear", "isoMonth", "isoDay");
        }
        if (found.group("dotYear") != null) {
            return date(found, "dotYear", "dotMonth", "dotDay");
        }
        if (found.group("slashYear") != null) {
            return number(found, "one") > 12
                    ? date(found, "slashYear", "two", "one")
                    : date(found, "slashYear", "one", "two");
        }
        String kind = found.group("nameYear") != null ? "name" : "day";
        return LocalDate.of(
                number(found, kind + "Year"),
                month(found.group(kind + "Month")),
                number(found, kind + "Day"));
    }

    private static LocalDate date(MatchResult found, String year, String month, String day) {
        return LocalDate.of(number(found, year), number(found, month), number(found, day));
    }

    private static int number(MatchResult found, String group) {
        return Integer.parseInt(found.group(group));
    }
}
