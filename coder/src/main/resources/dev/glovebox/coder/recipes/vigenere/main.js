{% if direction encrypt %}
// Encrypt with the Vigenère cipher: each letter is shifted by a letter of the key.

const DIRECTION = 1;
{% end %}
{% if direction decrypt %}
// Decrypt the Vigenère cipher: each letter is shifted back by a letter of the key.

const DIRECTION = -1;
{% end %}
const TEXT = {{text}};
const KEY = {{key}};

/** Shifts the letters of the text by those of the key, over and over again. */
function vigenere(text, key, direction) {
  const letters = key.toUpperCase().match(/[A-Z]/g) ?? ["A"];
  let used = 0;
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    const shift = direction * (letters[used++ % letters.length].charCodeAt(0) - 65);
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + shift + 26) % 26));
  });
}

console.log("Text:  ", TEXT);
console.log("Key:   ", KEY);
console.log("Result:", vigenere(TEXT, KEY, DIRECTION));
