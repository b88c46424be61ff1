// The date some time after or before another.

const DATE = {{date}};
const AMOUNT = {{days}};

// A date without a time is one of UTC, where all days are equally long.
const start = new Date(DATE === "today" ? new Date().toISOString().slice(0, 10) : DATE);
{% if unit days %}
const days = AMOUNT;
{% end %}
{% if unit weeks %}
const days = AMOUNT * 7;
{% end %}
const result = new Date(start);
{% if direction add %}
result.setUTCDate(start.getUTCDate() + days);
{% end %}
{% if direction subtract %}
result.setUTCDate(start.getUTCDate() - days);
{% end %}
const text = (date) => date.toISOString().slice(0, 10);
{% if direction add %}
console.log(`${days} days after ${text(start)}: ${text(result)}`);
{% end %}
{% if direction subtract %}
console.log(`${days} days before ${text(start)}: ${text(result)}`);
{% end %}
