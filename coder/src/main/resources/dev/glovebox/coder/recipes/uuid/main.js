// Random UUIDs (version 4).

const { randomUUID } = require("node:crypto");

const COUNT = {{count}};

for (let i = 0; i < COUNT; i++) {
  console.log(randomUUID());
}
