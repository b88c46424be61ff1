// How often each letter is used in a text.

const TEXT = {{text}};

const letters = TEXT.toLowerCase().match(/\p{L}/gu) ?? [];
const vowels = letters.filter((letter) => "aeiou".includes(letter)).length;
const counts = new Map();
for (const letter of letters) {
  counts.set(letter, (counts.get(letter) ?? 0) + 1);
}

console.log("Text:", TEXT);
console.log("Characters:", [...TEXT].length);
console.log("Letters:", letters.length);
console.log("Vowels:", vowels);
console.log("Consonants:", letters.length - vowels);
// Most frequent first, then by the alphabet.
const entries = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
for (const [letter, count] of entries) {
  console.log(`${letter}: ${count}`);
}
