// Leap years: every fourth one, but of the hundreds only every fourth.

const FROM = {{from}};
const TO = {{to}} || FROM;

/** Whether a year has 366 days. */
const isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

if (FROM === TO) {
  console.log(`${FROM} is ${isLeap(FROM) ? "a" : "not a"} leap year`);
} else {
  const years = [];
  for (let year = FROM; year <= TO; year++) {
    if (isLeap(year)) years.push(year);
  }
  console.log(`There are ${years.length} leap years from ${FROM} to ${TO}:`);
  console.log(years.join(", "));
}
