{% if direction encrypt %}
// Encrypt a text with a Caesar cipher: each letter is shifted in the alphabet.
{% end %}
{% if direction decrypt %}
// Decrypt a Caesar cipher: each letter is shifted back in the alphabet.
{% end %}

const TEXT = {{text}};
const SHIFT = {{shift}};

/** Shifts the letters from A to Z, and leaves all others as they are. */
function shifted(text, shift) {
  const step = ((shift % 26) + 26) % 26;
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + step) % 26));
  });
}

console.log("Text:  ", TEXT);
{% if direction encrypt %}
console.log("Result:", shifted(TEXT, SHIFT));
{% end %}
{% if direction decrypt %}
console.log("Result:", shifted(TEXT, -SHIFT));
{% end %}
