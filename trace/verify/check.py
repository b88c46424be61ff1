#!/usr/bin/env python3
"""Runs verify.py on every case of vectors/expected.json. usage: check.py [-v]"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, "vectors")


def said(case):
    command = [sys.executable, os.path.join(HERE, "verify.py"), os.path.join(VECTORS, case["file"])]
    for key in case["keys"]:
        command += ["--key", os.path.join(VECTORS, key)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    words = result.stdout.split()
    seq = int(words[2].rstrip(":")) if words[:2] == ["tampered:", "record"] else None
    return result.returncode, seq, (result.stdout + result.stderr).strip()


with open(os.path.join(VECTORS, "expected.json"), encoding="utf-8") as file:
    cases = json.load(file)
wrong = 0
for case in cases:
    code, seq, text = said(case)
    fits = (code, seq) == (case["exit"], case["seq"])
    wrong += not fits
    if not fits or "-v" in sys.argv:
        print("ok   " if fits else "WRONG", case["case"], "-", text)
print(f"{len(cases)} cases, {wrong} wrong")
sys.exit(1 if wrong else 0)
