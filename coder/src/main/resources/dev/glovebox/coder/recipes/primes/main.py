"""Prime numbers: numbers above 1 that only 1 and they themselves divide."""
{% if mode upto %}

LIMIT = {{limit}}


def primes_up_to(limit):
    """Cross out the multiples of each prime (the sieve of Eratosthenes)."""
    is_prime = [False, False] + [True] * (limit - 1)
    for number in range(2, int(limit**0.5) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit + 1, number):
                is_prime[multiple] = False
    return [number for number in range(2, limit + 1) if is_prime[number]]


primes = primes_up_to(LIMIT)
print(f"There are {len(primes)} primes up to {LIMIT}:")
{% end %}
{% if mode first %}

COUNT = {{count}}


def first_primes(count):
    """Try one number after the other, and divide it by the primes so far."""
    primes = []
    candidate = 2
    while len(primes) < count:
        is_prime = True
        for prime in primes:
            if prime * prime > candidate:
                break
            if candidate % prime == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(candidate)
        candidate += 1
    return primes


primes = first_primes(COUNT)
print(f"The first {COUNT} primes:")
{% end %}
print(", ".join(str(prime) for prime in primes))
