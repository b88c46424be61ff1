// Convert a number from one base to another.

const DIGITS = {{digits}};
const TO = Number({{to}});

// A prefix such as 0x says the base itself.
const PREFIXES = { "0x": 16, "0b": 2, "0o": 8 };

const prefix = DIGITS.slice(0, 2).toLowerCase();
const base = PREFIXES[prefix] ?? Number({{from}});
const digits = prefix in PREFIXES ? DIGITS.slice(2) : DIGITS;

/** Reads digits one by one; a BigInt, as there may be many. */
function read(text, base) {
  let number = 0n;
  for (const digit of text) {
    const value = parseInt(digit, base);
    if (Number.isNaN(value)) return null;
    number = number * BigInt(base) + BigInt(value);
  }
  return number;
}

const number = read(digits, base);
if (number === null) {
  console.log(`${digits} is no number of base ${base}`);
} else {
  console.log(`${digits} (base ${base}) = ${number.toString(TO)} (base ${TO})`);
  console.log("Decimal:", String(number));
}
