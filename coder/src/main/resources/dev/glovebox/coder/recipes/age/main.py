"""The age of somebody, from the day of birth."""

from datetime import date

BIRTH = {{birth}}
ON = {{on}}


def age(birth, day):
    """Count the birthdays that have been."""
    had_birthday = (day.month, day.day) >= (birth.month, birth.day)
    return day.year - birth.year - (0 if had_birthday else 1)


birth = date.today() if BIRTH == "today" else date.fromisoformat(BIRTH)
day = date.today() if ON == "today" else date.fromisoformat(ON)
print(f"Born on {birth}, on {day}: {age(birth, day)} years old")
print("Days lived:", (day - birth).days)
