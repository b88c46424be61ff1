"""The weekday of a date."""

from datetime import date

DATE = {{date}}

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

day = date.today() if DATE == "today" else date.fromisoformat(DATE)
print(f"{day} is a {WEEKDAYS[day.weekday()]}")
print(f"It is day {day.timetuple().tm_yday} of the year")
