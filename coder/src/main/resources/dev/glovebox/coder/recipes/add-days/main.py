"""The date some time after or before another."""

from datetime import date, timedelta

DATE = {{date}}
AMOUNT = {{days}}

start = date.today() if DATE == "today" else date.fromisoformat(DATE)
{% if unit days %}
span = timedelta(days=AMOUNT)
{% end %}
{% if unit weeks %}
span = timedelta(weeks=AMOUNT)
{% end %}
try:
{% if direction add %}
    print(f"{span.days} days after {start}: {start + span}")
{% end %}
{% if direction subtract %}
    print(f"{span.days} days before {start}: {start - span}")
{% end %}
except OverflowError:
    print("That is outside of the years 1 to 9999")
