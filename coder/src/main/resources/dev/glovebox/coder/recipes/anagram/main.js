// Are two texts anagrams? They are if they have the same letters.

const FIRST = {{first}};
const SECOND = {{second}};

/** The letters and digits in order; spaces and case do not count. */
const letters = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []).sort().join("");

const verdict = letters(FIRST) === letters(SECOND) ? "are" : "are not";
console.log(`"${FIRST}" and "${SECOND}" ${verdict} anagrams`);
