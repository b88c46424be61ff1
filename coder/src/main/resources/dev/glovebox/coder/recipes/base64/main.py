{% if direction encode %}
"""Encode a text as Base64."""

import base64

TEXT = {{text}}

print("Text:  ", TEXT)
print("Base64:", base64.b64encode(TEXT.encode()).decode())
{% end %}
{% if direction decode %}
"""Decode Base64."""

import base64
import binascii

TEXT = {{text}}

print("Base64:", TEXT)
try:
    print("Text:  ", base64.b64decode(TEXT, validate=True).decode())
except (binascii.Error, UnicodeDecodeError) as problem:
    print("This is no text in Base64:", problem)
{% end %}
