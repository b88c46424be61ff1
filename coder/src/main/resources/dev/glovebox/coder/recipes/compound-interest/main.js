// Compound interest: each year's interest bears interest itself.

const PRINCIPAL = {{principal}};
const RATE_PERCENT = {{rate}};
const YEARS = {{years}};

let balance = PRINCIPAL;
console.log(`Start: ${balance.toFixed(2)}, ${RATE_PERCENT} % a year`);
for (let year = 1; year <= YEARS; year++) {
  const interest = (balance * RATE_PERCENT) / 100;
  balance += interest;
  console.log(`Year ${year}: interest ${interest.toFixed(2)}, balance ${balance.toFixed(2)}`);
}
console.log(`Final balance: ${balance.toFixed(2)}`);
