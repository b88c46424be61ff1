"""Compound interest: each year's interest bears interest itself."""

PRINCIPAL = {{principal}}
RATE_PERCENT = {{rate}}
YEARS = {{years}}

balance = PRINCIPAL
print(f"Start: {balance:.2f}, {RATE_PERCENT} % a year")
for year in range(1, YEARS + 1):
    interest = balance * RATE_PERCENT / 100
    balance += interest
    print(f"Year {year}: interest {interest:.2f}, balance {balance:.2f}")
print(f"Final balance: {balance:.2f}")
