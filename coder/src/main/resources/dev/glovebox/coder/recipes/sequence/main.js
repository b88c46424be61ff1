{% if kind arithmetic %}
// An arithmetic sequence: each term is the one before it plus a step.

const START = {{start}};
const STEP = {{step}};
{% end %}
{% if kind geometric %}
// A geometric sequence: each term is the one before it times a ratio.

const START = {{start}};
const RATIO = {{step}};
{% end %}
{% if kind triangular %}
// Triangular numbers: 1, 1 + 2, 1 + 2 + 3, and so on.

{% end %}
{% if kind square %}
// Square numbers: 1 * 1, 2 * 2, 3 * 3, and so on.

{% end %}
const COUNT = {{count}};

const places = [...Array(COUNT).keys()];
{% if kind arithmetic %}
const terms = places.map((i) => START + STEP * i);
{% end %}
{% if kind geometric %}
const terms = places.map((i) => START * RATIO ** i);
{% end %}
{% if kind triangular %}
const terms = places.map((i) => ((i + 1) * (i + 2)) / 2);
{% end %}
{% if kind square %}
const terms = places.map((i) => (i + 1) ** 2);
{% end %}
console.log(`${COUNT} terms:`);
console.log(terms.join(", "));
console.log("Their sum:", terms.reduce((sum, term) => sum + term, 0));
