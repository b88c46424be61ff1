// The calendar of a month.

const YEAR = {{year}};
const MONTH = {{month}};

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

const first = new Date(0);
first.setUTCFullYear(YEAR, MONTH - 1, 1);
const last = new Date(0);
last.setUTCFullYear(YEAR, MONTH, 0);

// Weeks begin on Monday; getUTCDay() says 0 for Sunday.
const cells = Array((first.getUTCDay() + 6) % 7).fill("  ");
for (let day = 1; day <= last.getUTCDate(); day++) {
  cells.push(String(day).padStart(2));
}
console.log(`${MONTHS[MONTH - 1]} ${YEAR}`);
console.log("Mo Tu We Th Fr Sa Su");
for (let i = 0; i < cells.length; i += 7) {
  console.log(cells.slice(i, i + 7).join(" "));
}
