"""Judges a solution without letting it near the tests.

Standard input has the prompt, the tests and a word. The solution runs in a process of its own, which is
asked for answers and sees neither tests nor word. The word is printed only after all tests have passed.
"""

import sys

# What lies beside this program was written by whom it judges.
if not getattr(sys.flags, "safe_path", False):
    del sys.path[0]

import builtins
import ctypes
import json
import os
import subprocess
import traceback

LONGEST_ANSWER = 16 << 20
PR_SET_DUMPABLE = 4

SOLVER = r'''
import json, os, sys, traceback, types
path, entry = sys.argv[1:]
asked = os.fdopen(os.dup(0), "r", encoding="ascii")
answers = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

def pack(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [pack(one) for one in value]
    for kind in (tuple, set, frozenset):
        if isinstance(value, kind):
            return {kind.__name__: [pack(one) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[pack(key), pack(one)] for key, one in value.items()]}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": value.hex()}
    raise TypeError("the answer is a " + type(value).__name__ + ", which cannot be compared")

def unpack(value):
    if isinstance(value, list):
        return [unpack(one) for one in value]
    if isinstance(value, dict):
        (kind, parts), = value.items()
        if kind == "dict":
            return {unpack(key): unpack(one) for key, one in parts}
        if kind == "complex":
            return complex(*parts)
        if kind == "bytes":
            return bytes.fromhex(parts)
        return {"tuple": tuple, "set": set, "frozenset": frozenset}[kind](map(unpack, parts))
    return value

def failed(problem):
    trace = problem.__traceback__.tb_next if problem.__traceback__ else None
    return "".join(traceback.format_exception(type(problem), problem, trace))

sys.path[0] = os.path.dirname(os.path.abspath(path))
solution = types.ModuleType("solution")
solution.__file__ = path
sys.modules["solution"] = solution
try:
    with open(path, "rb") as source:
        exec(compile(source.read(), path, "exec"), solution.__dict__)
except Exception as problem:
    sys.stderr.write(failed(problem))
    sys.exit(1)
for line in asked:
    question = json.loads(line)
    try:
        function = getattr(solution, entry, None)
        if function is None:
            raise NameError("name " + repr(entry) + " is not defined")
        names = {name: unpack(one) for name, one in question["names"].items()}
        answer = {"value": pack(function(*unpack(question["values"]), **names))}
    except Exception as problem:
        answer = {"error": type(problem).__name__, "says": str(problem), "trace": failed(problem)}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
'''

# Both sides speak the same language; only its definitions are taken from there.
LANGUAGE = {}
exec(SOLVER[SOLVER.index("def pack") : SOLVER.index("def failed")], LANGUAGE)


class Gone(BaseException):
    """The solution has ended, and answers no more."""


class Solution:
    """Asks the other process."""

    def __init__(self, path, entry):
        self.process = subprocess.Popen(
            [sys.executable, "-c", SOLVER, path, entry], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __call__(self, *values, **names):
        pack = LANGUAGE["pack"]
        question = {"values": pack(list(values)), "names": {k: pack(v) for k, v in names.items()}}
        try:
            self.process.stdin.write(json.dumps(question).encode("ascii") + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Gone()
        line = self.process.stdout.readline(LONGEST_ANSWER)
        if not line.endswith(b"\n"):
            raise Gone()
        try:
            answer = json.loads(line)
            if "value" in answer:
                return LANGUAGE["unpack"](answer["value"])
            error, says, trace = (str(answer[name]) for name in ("error", "says", "trace"))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Gone()
        raise problem(error, says, trace)


def problem(error, says, trace):
    """The exception that the solution threw, as far as it is one that everybody knows."""
    kind = getattr(builtins, error, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = RuntimeError
    try:
        thrown = kind(says)
    except TypeError:
        thrown = RuntimeError(says)
    thrown.trace_of_solution = trace
    return thrown


def main():
    # Nobody else in the box reads the memory or the files of this process from here on.
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        sys.exit("The judge cannot be shielded here")
    case = json.loads(sys.stdin.buffer.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    names = {"__name__": "test"}
    exec(compile(case["prompt"], "<prompt>", "exec"), names)
    solution = Solution(sys.argv[1], case["entry"])
    names[case["entry"]] = solution
    exec(compile(case["test"], "<test>", "exec"), names)
    try:
        names["check"](solution)
    except Gone:
        sys.stderr.write("The solution ended before it had answered all questions\n")
        return 1
    except Exception as thrown:
        trace = getattr(thrown, "trace_of_solution", None)
        if trace is None:
            trace = "".join(traceback.format_exception(type(thrown), thrown, thrown.__traceback__.tb_next))
        sys.stderr.write(trace)
        return 1
    finally:
        solution.process.kill()
        solution.process.wait()
    print(case["proof"], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
