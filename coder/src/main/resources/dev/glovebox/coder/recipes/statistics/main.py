"""Statistics of a list of numbers."""

import statistics

NUMBERS = {{numbers}}


def tidy(value):
    """Write a number without needless decimals."""
    return f"{round(value, 6):.6f}".rstrip("0").rstrip(".")
{% if measures percentile %}


def percentile(numbers, percent):
    """Interpolate between the two nearest ranks."""
    ordered = sorted(numbers)
    position = (len(ordered) - 1) * percent / 100
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
{% end %}


print("Numbers:", ", ".join(tidy(number) for number in NUMBERS))
{% if measures mean %}
print("Mean:", tidy(statistics.fmean(NUMBERS)))
{% end %}
{% if measures median %}
print("Median:", tidy(statistics.median(NUMBERS)))
{% end %}
{% if measures mode %}
print("Mode:", ", ".join(tidy(number) for number in sorted(statistics.multimode(NUMBERS))))
{% end %}
{% if measures stdev %}
# Of a sample (divided by n - 1), and of a whole population (divided by n).
if len(NUMBERS) > 1:
    print("Standard deviation (sample):", tidy(statistics.stdev(NUMBERS)))
print("Standard deviation (population):", tidy(statistics.pstdev(NUMBERS)))
{% end %}
{% if measures variance %}
if len(NUMBERS) > 1:
    print("Variance (sample):", tidy(statistics.variance(NUMBERS)))
print("Variance (population):", tidy(statistics.pvariance(NUMBERS)))
{% end %}
{% if measures min %}
print("Minimum:", tidy(min(NUMBERS)))
{% end %}
{% if measures max %}
print("Maximum:", tidy(max(NUMBERS)))
{% end %}
{% if measures range %}
print("Range:", tidy(max(NUMBERS) - min(NUMBERS)))
{% end %}
{% if measures sum %}
print("Sum:", tidy(sum(NUMBERS)))
{% end %}
{% if measures percentile %}
PERCENT = {{percent}}
print(f"Percentile {tidy(PERCENT)}:", tidy(percentile(NUMBERS, PERCENT)))
{% end %}
