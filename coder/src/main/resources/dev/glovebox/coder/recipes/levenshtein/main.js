// The Levenshtein distance: how many letters must change to make one text another.

const FIRST = {{first}};
const SECOND = {{second}};

/** Fills a table row by row; each cell is the distance of two beginnings. */
function editDistance(first, second) {
  const [from, to] = [[...first], [...second]];
  let row = [...Array(to.length + 1).keys()];
  for (let i = 1; i <= from.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(above[j] + 1, row[j - 1] + 1, replaced));
    }
  }
  return row.at(-1);
}

const distance = editDistance(FIRST, SECOND);
const longest = Math.max([...FIRST].length, [...SECOND].length, 1);
console.log(`Edit distance of "${FIRST}" and "${SECOND}": ${distance}`);
console.log(`Similarity: ${(100 * (1 - distance / longest)).toFixed(1)} %`);
