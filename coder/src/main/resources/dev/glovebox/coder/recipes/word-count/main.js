// How often each word is used in a text.

const TEXT = {{text}};

const words = TEXT.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu) ?? [];
const counts = new Map();
for (const word of words) {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}

console.log("Words:", words.length);
console.log("Different words:", counts.size);
// Most frequent first, then by the alphabet.
const entries = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
for (const [word, count] of entries) {
  console.log(`${word}: ${count}`);
}
