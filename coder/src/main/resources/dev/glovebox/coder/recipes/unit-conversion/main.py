"""Convert an amount from one unit to another."""

AMOUNT = {{amount}}
FROM = {{from}}
TO = {{to}}

# Each unit in the smallest common one: meters, kilograms, liters.
LENGTHS = {"kilometer": 1000, "meter": 1, "centimeter": 0.01, "mile": 1609.344, "yard": 0.9144, "foot": 0.3048, "inch": 0.0254}
WEIGHTS = {"kilogram": 1, "gram": 0.001, "pound": 0.45359237, "ounce": 0.028349523125}
VOLUMES = {"liter": 1, "gallon": 3.785411784}
TO_CELSIUS = {
    "celsius": lambda degrees: degrees,
    "fahrenheit": lambda degrees: (degrees - 32) * 5 / 9,
    "kelvin": lambda degrees: degrees - 273.15,
}
FROM_CELSIUS = {
    "celsius": lambda degrees: degrees,
    "fahrenheit": lambda degrees: degrees * 9 / 5 + 32,
    "kelvin": lambda degrees: degrees + 273.15,
}


def convert(amount, source, target):
    """Return the amount in the target unit, or None if that makes no sense."""
    if source in TO_CELSIUS and target in FROM_CELSIUS:
        return FROM_CELSIUS[target](TO_CELSIUS[source](amount))
    for units in (LENGTHS, WEIGHTS, VOLUMES):
        if source in units and target in units:
            return amount * units[source] / units[target]
    return None


result = convert(AMOUNT, FROM, TO)
if result is None:
    print(f"{FROM} cannot be converted to {TO}")
else:
    print(f"{AMOUNT} {FROM} = {round(result, 4)} {TO}")
