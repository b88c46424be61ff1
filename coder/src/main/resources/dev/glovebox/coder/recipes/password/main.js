// Random passwords, from the system's source of secure random numbers.

const { randomInt } = require("node:crypto");

const LENGTH = {{length}};
const COUNT = {{count}};

const KINDS = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "!#$%&*+-=?@_"];

/** Draws until there is at least one character of each kind. */
function password(length) {
  const all = KINDS.join("");
  for (;;) {
    const drawn = Array.from({ length }, () => all[randomInt(all.length)]);
    if (KINDS.every((kind) => drawn.some((character) => kind.includes(character)))) {
      return drawn.join("");
    }
  }
}

for (let i = 0; i < COUNT; i++) {
  console.log("Password:", password(LENGTH));
}
