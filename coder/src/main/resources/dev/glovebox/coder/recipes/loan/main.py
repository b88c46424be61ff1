"""The monthly payment of a loan that is paid back in equal parts."""

PRINCIPAL = {{principal}}
RATE_PERCENT = {{rate}}
YEARS = {{years}}


def monthly_payment(principal, rate_percent, years):
    """Use the annuity formula; without interest it is a plain division."""
    months = years * 12
    rate = rate_percent / 100 / 12
    if rate == 0:
        return principal / months
    return principal * rate / (1 - (1 + rate) ** -months)


payment = monthly_payment(PRINCIPAL, RATE_PERCENT, YEARS)
total = payment * YEARS * 12
print(f"Loan: {PRINCIPAL:.2f} at {RATE_PERCENT} % over {YEARS} years")
print(f"Monthly payment: {payment:.2f}")
print(f"Paid in total: {total:.2f}")
print(f"Interest in total: {total - PRINCIPAL:.2f}")
