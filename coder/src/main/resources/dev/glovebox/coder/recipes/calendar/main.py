"""The calendar of a month."""

import calendar

YEAR = {{year}}
MONTH = {{month}}

# Weeks begin on Monday.
print(f"{calendar.month_name[MONTH]} {YEAR}")
print("Mo Tu We Th Fr Sa Su")
for week in calendar.monthcalendar(YEAR, MONTH):
    print(" ".join(f"{day:2}" if day else "  " for day in week).rstrip())
