// Roman numerals: from a number to its numeral, or back.

const TEXT = {{text}};

const SYMBOLS = [
  [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"],
  [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
];

/** Takes away the largest symbol that fits, as often as it fits. */
function toRoman(number) {
  let numeral = "";
  for (const [value, symbol] of SYMBOLS) {
    while (number >= value) {
      numeral += symbol;
      number -= value;
    }
  }
  return numeral;
}

/** Reads the symbols from the left. */
function fromRoman(numeral) {
  let number = 0;
  let rest = numeral;
  for (const [value, symbol] of SYMBOLS) {
    while (rest.startsWith(symbol)) {
      number += value;
      rest = rest.slice(symbol.length);
    }
  }
  return toRoman(number) === numeral ? number : null;
}

if (/^[0-9]+$/.test(TEXT)) {
  const number = Number(TEXT);
  console.log(
    number >= 1 && number <= 3999
      ? `${TEXT} = ${toRoman(number)}`
      : `${TEXT} has no Roman numeral: they go from 1 to 3999`,
  );
} else {
  const number = fromRoman(TEXT.toUpperCase());
  console.log(number ? `${TEXT} = ${number}` : `${TEXT} is no Roman numeral`);
}
