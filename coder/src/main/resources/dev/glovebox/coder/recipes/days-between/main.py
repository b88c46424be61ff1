"""How many days lie between two dates."""

from datetime import date

FROM = {{from}}
TO = {{to}}


def day(text):
    """Read a date such as 2024-03-01, or today."""
    return date.today() if text == "today" else date.fromisoformat(text)


start, end = day(FROM), day(TO)
days = (end - start).days
print(f"From {start} to {end}: {days} days")
print(f"That is {abs(days) // 7} weeks and {abs(days) % 7} days")
