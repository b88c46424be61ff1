// Convert an amount from one unit to another.

const AMOUNT = {{amount}};
const FROM = {{from}};
const TO = {{to}};

// Each unit in the smallest common one: meters, kilograms, liters.
const SCALES = [
  { kilometer: 1000, meter: 1, centimeter: 0.01, mile: 1609.344, yard: 0.9144, foot: 0.3048, inch: 0.0254 },
  { kilogram: 1, gram: 0.001, pound: 0.45359237, ounce: 0.028349523125 },
  { liter: 1, gallon: 3.785411784 },
];
const TO_CELSIUS = {
  celsius: (degrees) => degrees,
  fahrenheit: (degrees) => ((degrees - 32) * 5) / 9,
  kelvin: (degrees) => degrees - 273.15,
};
const FROM_CELSIUS = {
  celsius: (degrees) => degrees,
  fahrenheit: (degrees) => (degrees * 9) / 5 + 32,
  kelvin: (degrees) => degrees + 273.15,
};

/** The amount in the target unit, or null if that makes no sense. */
function convert(amount, source, target) {
  if (source in TO_CELSIUS && target in FROM_CELSIUS) {
    return FROM_CELSIUS[target](TO_CELSIUS[source](amount));
  }
  const units = SCALES.find((scale) => source in scale && target in scale);
  return units ? (amount * units[source]) / units[target] : null;
}

const result = convert(AMOUNT, FROM, TO);
if (result === null) {
  console.log(`${FROM} cannot be converted to ${TO}`);
} else {
  console.log(`${AMOUNT} ${FROM} = ${Number(result.toFixed(4))} ${TO}`);
}
