// All orders of some things.

const ITEMS = {{items}};

/** Puts each thing first in turn, and all orders of the others behind it. */
function* permutations(items) {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) {
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) {
      yield [first, ...rest];
    }
  }
}

let count = 0;
for (const order of permutations(ITEMS)) {
  count++;
  console.log(order.join(" "));
}
console.log("Permutations:", count);
