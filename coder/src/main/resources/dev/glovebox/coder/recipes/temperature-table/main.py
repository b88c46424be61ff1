{% if direction celsius %}
"""A table of temperatures, from Celsius to Fahrenheit."""
{% end %}
{% if direction fahrenheit %}
"""A table of temperatures, from Fahrenheit to Celsius."""
{% end %}

FROM = {{from}}
TO = {{to}}
STEP = {{step}}

{% if direction celsius %}
print("Celsius | Fahrenheit")
print("--------+-----------")
for celsius in range(FROM, TO + 1, STEP):
    print(f"{celsius:7} | {celsius * 9 / 5 + 32:10.1f}")
{% end %}
{% if direction fahrenheit %}
print("Fahrenheit | Celsius")
print("-----------+--------")
for fahrenheit in range(FROM, TO + 1, STEP):
    print(f"{fahrenheit:10} | {(fahrenheit - 32) * 5 / 9:7.1f}")
{% end %}
