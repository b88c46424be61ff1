// The monthly payment of a loan that is paid back in equal parts.

const PRINCIPAL = {{principal}};
const RATE_PERCENT = {{rate}};
const YEARS = {{years}};

/** The annuity formula; without interest it is a plain division. */
function monthlyPayment(principal, ratePercent, years) {
  const months = years * 12;
  const rate = ratePercent / 100 / 12;
  return rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months);
}

const payment = monthlyPayment(PRINCIPAL, RATE_PERCENT, YEARS);
const total = payment * YEARS * 12;
console.log(`Loan: ${PRINCIPAL.toFixed(2)} at ${RATE_PERCENT} % over ${YEARS} years`);
console.log(`Monthly payment: ${payment.toFixed(2)}`);
console.log(`Paid in total: ${total.toFixed(2)}`);
console.log(`Interest in total: ${(total - PRINCIPAL).toFixed(2)}`);
