// Euclid's algorithm: the remainder of a division has the same common divisors.

const NUMBERS = {{numbers}};

const gcd = (a, b) => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));
{% if what lcm %}
const lcm = (a, b) => (a === 0n || b === 0n ? 0n : (a / gcd(a, b)) * b);
const absolute = (number) => (number < 0n ? -number : number);
{% end %}

const whole = NUMBERS.map((number) => BigInt(number));
const named = NUMBERS.join(", ");
{% if what gcd %}
console.log(`Greatest common divisor of ${named}: ${whole.reduce(gcd)}`);
{% end %}
{% if what lcm %}
console.log(`Least common multiple of ${named}: ${absolute(whole.reduce(lcm))}`);
{% end %}
