"""The computer thinks of a number and guesses it itself, always in the middle of what is left."""

import random

LOW = {{low}}
HIGH = {{high}}
SEED = {{seed}}

# The same seed makes the same game.
secret = random.Random(SEED).randint(LOW, HIGH)
low, high = LOW, HIGH
guesses = 0
while True:
    guess = (low + high) // 2
    guesses += 1
    if guess == secret:
        print(f"Guess {guesses}: {guess} is right")
        break
    if guess < secret:
        print(f"Guess {guesses}: {guess} is too low")
        low = guess + 1
    else:
        print(f"Guess {guesses}: {guess} is too high")
        high = guess - 1
print("Secret number:", secret)
