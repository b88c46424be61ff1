// The age of somebody, from the day of birth.

const BIRTH = {{birth}};
const ON = {{on}};

const MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000;

/** Dates such as 2024-03-01 can be compared as texts. */
function age(birth, day) {
  const hadBirthday = day.slice(5) >= birth.slice(5);
  return Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (hadBirthday ? 0 : 1);
}

const today = new Date().toISOString().slice(0, 10);
const birth = BIRTH === "today" ? today : BIRTH;
const day = ON === "today" ? today : ON;
console.log(`Born on ${birth}, on ${day}: ${age(birth, day)} years old`);
console.log("Days lived:", (Date.parse(day) - Date.parse(birth)) / MILLISECONDS_A_DAY);
