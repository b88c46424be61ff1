{% if direction encode %}
// Encode a text as Base64.

const TEXT = {{text}};

console.log("Text:  ", TEXT);
console.log("Base64:", Buffer.from(TEXT, "utf8").toString("base64"));
{% end %}
{% if direction decode %}
// Decode Base64.

const TEXT = {{text}};

console.log("Base64:", TEXT);
// Buffer takes whatever it is given, so see whether it comes back.
const bytes = Buffer.from(TEXT, "base64");
if (bytes.toString("base64") === TEXT) {
  console.log("Text:  ", bytes.toString("utf8"));
} else {
  console.log("This is no text in Base64");
}
{% end %}
