// The hash of a text, as UTF-8.

const { createHash } = require("node:crypto");

const TEXT = {{text}};
const ALGORITHM = {{algorithm}};

console.log("Text:", TEXT);
console.log(`${ALGORITHM}:`, createHash(ALGORITHM).update(TEXT, "utf8").digest("hex"));
