{% if direction celsius %}
// A table of temperatures, from Celsius to Fahrenheit.
{% end %}
{% if direction fahrenheit %}
// A table of temperatures, from Fahrenheit to Celsius.
{% end %}

const FROM = {{from}};
const TO = {{to}};
const STEP = {{step}};

{% if direction celsius %}
console.log("Celsius | Fahrenheit");
console.log("--------+-----------");
for (let celsius = FROM; celsius <= TO; celsius += STEP) {
  const fahrenheit = (celsius * 9) / 5 + 32;
  console.log(`${String(celsius).padStart(7)} | ${fahrenheit.toFixed(1).padStart(10)}`);
}
{% end %}
{% if direction fahrenheit %}
console.log("Fahrenheit | Celsius");
console.log("-----------+--------");
for (let fahrenheit = FROM; fahrenheit <= TO; fahrenheit += STEP) {
  const celsius = ((fahrenheit - 32) * 5) / 9;
  console.log(`${String(fahrenheit).padStart(10)} | ${celsius.toFixed(1).padStart(7)}`);
}
{% end %}
