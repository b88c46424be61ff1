// A bar chart made of characters.

// Each bar has a name and a value.
const BARS = {{numbers}};
const WIDTH = 40;

const largest = Math.max(...BARS.map(([, value]) => value), 0) || 1;
const margin = Math.max(...BARS.map(([name]) => name.length));
for (const [name, value] of BARS) {
  const length = Math.round((Math.max(value, 0) / largest) * WIDTH);
  console.log(`${name.padStart(margin)} | ${"#".repeat(length)} ${value}`);
}
