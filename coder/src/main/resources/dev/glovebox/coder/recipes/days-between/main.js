// How many days lie between two dates.

const FROM = {{from}};
const TO = {{to}};

const MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000;

/** Reads a date such as 2024-03-01, or today; in UTC, where all days are equally long. */
const day = (text) => (text === "today" ? new Date().toISOString().slice(0, 10) : text);

const [start, end] = [day(FROM), day(TO)];
const days = (Date.parse(end) - Date.parse(start)) / MILLISECONDS_A_DAY;
console.log(`From ${start} to ${end}: ${days} days`);
console.log(`That is ${Math.floor(Math.abs(days) / 7)} weeks and ${Math.abs(days) % 7} days`);
