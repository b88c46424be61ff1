// Is a text a palindrome? Only letters and digits count, upper case or lower.

const TEXT = {{text}};

/** Compares the text with itself, read backwards. */
function isPalindrome(text) {
  const letters = text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.join("") === [...letters].reverse().join("");
}

const verdict = isPalindrome(TEXT) ? "is" : "is not";
console.log(`"${TEXT}" ${verdict} a palindrome`);
