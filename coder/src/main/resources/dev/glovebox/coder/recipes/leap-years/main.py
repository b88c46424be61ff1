"""Leap years: every fourth one, but of the hundreds only every fourth."""

FROM = {{from}}
TO = {{to}} or FROM


def is_leap(year):
    """Tell whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


if FROM == TO:
    print(f"{FROM} is {'a' if is_leap(FROM) else 'not a'} leap year")
else:
    years = [year for year in range(FROM, TO + 1) if is_leap(year)]
    print(f"There are {len(years)} leap years from {FROM} to {TO}:")
    print(", ".join(str(year) for year in years))
