// Are the brackets of a text balanced? Each must be closed by its like, in order.

const TEXT = {{text}};

const CLOSED_BY = { "(": ")", "[": "]", "{": "}" };

/** What is wrong with the brackets, or null. */
function firstProblem(text) {
  const expected = [];
  for (const [place, character] of [...text].entries()) {
    if (character in CLOSED_BY) {
      expected.push([CLOSED_BY[character], place]);
    } else if (Object.values(CLOSED_BY).includes(character)) {
      if (expected.length === 0 || expected.pop()[0] !== character) {
        return `unexpected ${character} at position ${place}`;
      }
    }
  }
  if (expected.length > 0) {
    const [bracket, place] = expected.at(-1);
    return `${bracket} is missing for the bracket at position ${place}`;
  }
  return null;
}

const problem = firstProblem(TEXT);
console.log("Text:", TEXT);
console.log(problem === null ? "Balanced: yes" : `Balanced: no, ${problem}`);
