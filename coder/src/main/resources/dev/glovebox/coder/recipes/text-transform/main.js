{% if operation reverse %}
// Reverse a text.
{% end %}
{% if operation reverse-words %}
// Reverse the order of the words of a text.
{% end %}
{% if operation upper lower title %}
// Change the case of a text.
{% end %}
{% if operation snake camel %}
// Turn words into one name.
{% end %}

const TEXT = {{text}};
{% if operation title camel %}

const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
{% end %}
{% if operation snake camel %}
const words = (TEXT.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
{% end %}

{% if operation reverse %}
// By characters and not by their halves, so that emoji survive.
const result = [...TEXT].reverse().join("");
{% end %}
{% if operation reverse-words %}
const result = TEXT.trim().split(/\s+/).reverse().join(" ");
{% end %}
{% if operation upper %}
const result = TEXT.toUpperCase();
{% end %}
{% if operation lower %}
const result = TEXT.toLowerCase();
{% end %}
{% if operation title %}
const result = TEXT.split(" ").map(capitalize).join(" ");
{% end %}
{% if operation snake %}
const result = words.join("_");
{% end %}
{% if operation camel %}
const result = words.map((word, i) => (i === 0 ? word : capitalize(word))).join("");
{% end %}
console.log("Text:  ", TEXT);
console.log("Result:", result);
