// The weekday of a date.

const DATE = {{date}};

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000;

// A date without a time is one of UTC.
const day = new Date(DATE === "today" ? new Date().toISOString().slice(0, 10) : DATE);
const newYear = Date.UTC(day.getUTCFullYear(), 0, 1);
console.log(`${day.toISOString().slice(0, 10)} is a ${WEEKDAYS[day.getUTCDay()]}`);
console.log(`It is day ${(day - newYear) / MILLISECONDS_A_DAY + 1} of the year`);
