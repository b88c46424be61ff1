#!/usr/bin/env python3
"""Checks an exported trace; written from docs/trace-format.md alone, whose sections the comments name.

usage: verify.py FILE [--key FILE]...      FILE: the export, or - for standard input
                                           --key: a PEM file with one or more public keys that you trust

Prints one line, the verdict, and exits with 0 (intact), 1 (tampered) or 3 (incomplete); with 2 and a
message on standard error where there is no verdict (usage, unreadable files, no openssl, too big).

Needs Python 3.9 and the command openssl 3 (for Ed25519). The file is read once, from front to back. Held in
memory: 64 bytes for each record, some hundred bytes for each blob, and one line or one list at a time.
"""
import argparse
import base64
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

MAX_INT = 2**53 - 1             # section 1
MAX_DEPTH = 32                  # section 1; the outermost object is the first level
MAX_RECORDS = 16_777_216        # section 2
MAX_LIST = 16 * 1024 * 1024     # section 4
MAX_LINE = 1_048_576            # sections 2 and 6, without the line feed
PART = 524_288                  # section 6
LIST = "application/vnd.glovebox.list+json"

MAX_KEYS = 1_000                # section 6

MAX_BLOBS = MAX_HEADS = 4_194_304       # heads: of this verifier, not of the format: beyond them there is no verdict


class Tampered(Exception):
    """A must is broken: which, and the seq of the record or None."""


class Unable(Exception):
    """There is no verdict."""


def sha256(data):
    return hashlib.sha256(data).digest()


def room(container, most):
    if len(container) >= most:
        raise Unable("more blobs or heads than this verifier can hold")


def must(holds, otherwise, seq=None):
    if not holds:
        raise Tampered(otherwise, seq)


# ---- Section 1: canonical JSON

def _members(pairs):
    names = [name.encode("utf-16-be", "surrogatepass") for name, _ in pairs]
    if any(left >= right for left, right in zip(names, names[1:])):
        raise ValueError("members out of order, or twice")
    return dict(pairs)          # keeps the order


def _integer(number):
    if not re.fullmatch("-?[0-9]{1,16}", number) or abs(int(number)) > MAX_INT:
        raise ValueError("number that is not an integer in the range")
    return int(number)


def _fits(value, levels):
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return True
    return levels > 0 and all(_fits(element, levels - 1) for element in value)


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def parse(data):
    """The value of canonical bytes; anything else is a ValueError (so are those of UTF-8 and of json)."""
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_members, parse_int=_integer,
                           parse_float=_integer, parse_constant=_integer)       # constants: NaN, Infinity
    except RecursionError:
        raise ValueError("nests too deep") from None
    if not _fits(value, MAX_DEPTH):
        raise ValueError("nests too deep")
    if canonical(value) != data:
        raise ValueError("other bytes than the canonical form")
    return value


# ---- The forms of objects: for each member, what its value must satisfy

def text(pattern):
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def number(low, high=MAX_INT):
    return lambda value: type(value) is int and low <= value <= high       # True is no number


def a(kind):
    return lambda value: isinstance(value, kind)


def has_form(value, required, optional={}):
    return (isinstance(value, dict) and all(name in value for name in required)
            and all(name in required or name in optional for name in value)
            and all((required.get(name) or optional[name])(value[name]) for name in value))


HEX = text("[0-9a-f]{64}")
SIGNATURE = text("[0-9a-f]{128}")
RUN = text("[0-9a-z-]{1,64}")
TIME = number(0)
RECORD = {"at": TIME, "body": a(dict), "hash": HEX, "prev": HEX, "run": RUN, "seq": number(0),
          "type": text("[a-z][a-z0-9.-]{0,63}"), "v": number(1)}
BODY = {"derived": a(dict), "observed": a(dict)}
REFERENCE = {"blob": HEX, "bytes": number(0)}, {"media": a(str), "salted": lambda value: value is True}
LIST_FORM = {"add": a(list), "length": number(0)}
CONTINUED = {**LIST_FORM, "keep": number(0),
             "base": lambda value: has_form(value, *REFERENCE) and value.get("media") == LIST}
LEAF = {"at": TIME, "hash": HEX, "run": RUN, "seq": number(0), "type": text("start|mark|end")}
HEAD = {"at": TIME, "key": HEX, "log": HEX, "root": HEX, "size": number(1), "v": number(1, 1)}
ROTATION = {"at": TIME, "log": HEX, "new": HEX, "old": HEX, "v": number(1, 1)}
SEAL = {"head": a(dict), "index": number(0), "leaf": a(dict), "proof": a(list), "signature": SIGNATURE}
HEADER = {"format": text("glovebox[.]trace"), "records": number(1, MAX_RECORDS), "run": RUN, "v": number(1, 1)}
BEHIND = [  # the lines behind the records, in their order (section 6)
    ({"blob": HEX, "data": a(str), "part": number(0), "parts": number(1)}, {"salt": HEX}),
    ({"publicKey": HEX},), ({"rotation": a(dict), "signature": SIGNATURE},), ({"seal": a(dict)},), ({"end": HEX},)]


def references(value):
    """All objects with a member blob, at any depth (section 4)."""
    if isinstance(value, dict):
        if "blob" in value:
            yield value
        value = value.values()
    for element in value:
        if isinstance(element, (dict, list)):
            yield from references(element)


# ---- Section 5: the tree, and signatures

def leads_to(root, leaf, index, size, proof):
    """Does the inclusion proof lead from the leaf to the root? The names are those of section 5."""
    f, s, r = index, size - 1, sha256(b"\0" + leaf)
    for p in proof:
        if s == 0:
            return False
        if f & 1 or f == s:
            r = sha256(b"\1" + p + r)
            while f and not f & 1:
                f, s = f >> 1, s >> 1
        else:
            r = sha256(b"\1" + r + p)
        f, s = f >> 1, s >> 1
    return index < size and s == 0 and r == root


SPKI = bytes.fromhex("302a300506032b6570032100")    # stands before the 32 raw bytes of an Ed25519 key


@functools.lru_cache(maxsize=256)
def signed(key, message, signature):
    """Is it the key's Ed25519 signature of the message? openssl does the arithmetic."""
    pem = b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(SPKI + key) + b"\n-----END PUBLIC KEY-----\n"
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:       # for its owner only
        for name, content in ("key", pem), ("message", message), ("signature", signature):
            with open(os.path.join(folder, name), "xb") as out:
                out.write(content)
        try:
            return subprocess.run(
                ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-rawin", "-in", "message",
                 "-sigfile", "signature"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, timeout=60, check=False).returncode == 0
        except (OSError, subprocess.SubprocessError) as problem:
            raise Unable(f"cannot run openssl: {problem}") from None


@functools.lru_cache(maxsize=None)
def openssl_works():
    """RFC 8032, 7.1, test 2: so that an openssl without Ed25519 is not taken for a wrong signature."""
    key = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    signature = bytes.fromhex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                              "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    return signed(key, b"\x72", signature) and not signed(key, b"\x73", signature)


# ---- The file, from front to back

class Verifier:
    def __init__(self, stream, trusted):
        self.stream = stream
        self.known = {sha256(key).hex() for key in trusted}
        self.all = hashlib.sha256()     # of the lines so far
        self.run, self.records = None, 0            # the name; how many there are
        self.hashes = bytearray()       # of the records, 32 bytes each
        self.marks = [bytearray() for _ in range(256)]      # by their first byte
        self.finished, self.redacted = None, set()  # the seq of run.finished; digests
        self.sizes = {}                 # digest -> (bytes, salted), of all that is referred to
        self.lists, self.others = {}, {}            # digest -> seq of the record that led to it, in the order of the file
        self.todo = {True: [], False: []}           # digests of lists, of others; next: which of each must come
        self.next = {True: 0, False: 0}
        self.lengths, self.kept = {}, {}            # of lists: their length; how much of them is kept by others
        self.blob = None                # the one whose parts are being read
        self.keys, self.last_key = {}, b""          # id -> raw; the last raw one
        self.needed = set()             # ids of the keys that signatures are checked with
        self.chain, self.rotations = [], []         # ids of the log's keys: its first one, then the new ones
        self.last_index, self.roots = -1, {}        # of the seals; size of a head -> its root
        self.sealed = {}                # (type, seq), of run.finished and the last record -> ids of the keys

    def line(self, seq=None):
        """The next line, with its line feed, and its value; section 6."""
        line = self.stream.readline(MAX_LINE + 1)
        must(line, "missing: the file ends here", seq)
        must(line.endswith(b"\n"), "line is too long" if len(line) > MAX_LINE else "line is cut off", seq)
        try:
            return line, parse(line[:-1])
        except ValueError as problem:
            raise Tampered(f"line is not canonical JSON: {problem}", seq) from None

    def verify(self):
        line, header = self.line()
        if isinstance(header, dict) and header.get("format") == "glovebox.trace" and number(2)(header.get("v")):
            return 3, "incomplete: a higher version of the format, of which nothing more was checked"     # section 7
        must(has_form(header, HEADER), "first line is not the header of a trace of version 1")
        self.run, self.records = header["run"], header["records"]
        self.all.update(line)
        before = {"hash": "0" * 64, "at": 0}
        for seq in range(self.records):
            line, record = self.line(seq)
            self.record(seq, record, before)
            self.all.update(line)
            before = record
        self.behind_the_records()
        return self.verdict()

    # ---- Sections 2 and 3: records
    def record(self, seq, record, before):
        must(has_form(record, RECORD), "not a record: members are missing, unknown or malformed", seq)
        must(record["seq"] == seq, f"seq is {record['seq']}", seq)
        must(record["run"] == self.run, "of another run", seq)
        must(record["prev"] == before["hash"], "prev is not the hash of the record before", seq)
        digest = sha256(canonical({name: record[name] for name in record if name != "hash"}))
        must(record["hash"] == digest.hex(), "hash is wrong", seq)
        must(record["at"] >= before["at"], "at goes back", seq)
        kind, body = record["type"], record["body"]
        must((seq == 0) == (kind == "run.started"), "record 0, and no other, is run.started", seq)
        must(self.finished is None or kind == "blob.redacted", "comes after run.finished", seq)
        self.hashes += digest
        if record["v"] == 1:
            must(has_form(body, BODY), "body is not derived and observed", seq)
            if body["derived"] and self.finished is None:
                mark = sha256(canonical({"derived": body["derived"], "type": kind}))
                self.marks[mark[0]] += mark
            if kind == "run.finished":
                must(body["observed"].get("replayDigest") == self.replay_digest(), "replayDigest is wrong", seq)
            if kind == "blob.redacted":
                must(HEX(body["observed"].get("redacted")), "redacted is not a digest", seq)
                room(self.redacted, MAX_BLOBS)
                self.redacted.add(bytes.fromhex(body["observed"]["redacted"]))
            for reference in references(body):
                must(has_form(reference, *REFERENCE), "malformed reference to a blob", seq)
                self.refer(reference, seq)
        if kind == "run.finished":
            self.finished = seq

    def replay_digest(self):
        whole = hashlib.sha256()
        for marks in self.marks:
            for mark in sorted({bytes(marks[i:i + 32]) for i in range(0, len(marks), 32)}):
                whole.update(mark)
        return whole.hexdigest()

    # ---- Section 4: content. The seq of a problem with a blob is that of the first record that leads to it
    def refer(self, reference, seq):
        digest, same = bytes.fromhex(reference["blob"]), (reference["bytes"], "salted" in reference)
        is_list = reference.get("media") == LIST
        must(self.sizes.setdefault(digest, same) == same, f"blob {digest.hex()}: references to it differ", seq)
        queue = self.lists if is_list else self.others
        if digest not in queue:
            must(len(self.lists) + len(self.others) < MAX_BLOBS, "too many blobs", seq)
            queue[digest] = seq
            self.todo[is_list].append(digest)

    def expected(self):
        """The blob that must come next, whether it is a list, and its seq; section 6."""
        for is_list, queue in (True, self.lists), (False, self.others):
            while self.next[is_list] < len(self.todo[is_list]):
                digest = self.todo[is_list][self.next[is_list]]
                if digest not in self.redacted:
                    return digest, is_list, queue[digest]
                self.next[is_list] += 1
        return None, False, None

    def blob_line(self, line):
        """One part of a blob; section 6."""
        digest, is_list, seq = self.expected()
        must(digest, f"blob {line['blob']} is not referred to, or redacted")
        size, salted = self.sizes[digest]
        name, salt, parts = f"blob {digest.hex()}", line.get("salt", ""), max(1, -(-size // PART))
        must(not is_list or size <= MAX_LIST, f"{name} is too long for a list", seq)
        must(line["blob"] == digest.hex(), f"{name} is missing; there is {line['blob']} in its place", seq)
        if self.blob is None:
            self.blob = {"salt": salt, "part": 0, "hash": hashlib.sha256(bytes.fromhex(salt)), "content": bytearray()}
        blob = self.blob
        must((line["part"], line["parts"]) == (blob["part"], parts), f"{name}: parts do not fit", seq)
        must(salt == blob["salt"] and (salt != "") == salted, f"{name}: not the salt that it should have", seq)
        try:
            data = base64.b64decode(line["data"].encode("ascii"), validate=True)
        except ValueError:
            data = b"\0"
        must(base64.b64encode(data) == line["data"].encode("utf-8"), f"{name} is not in base64", seq)
        must(len(data) == min(PART, size - blob["part"] * PART), f"{name}: a part has the wrong length", seq)
        blob["part"] += 1
        blob["hash"].update(data)
        if is_list:
            blob["content"] += data
        if blob["part"] == parts:
            must(blob["hash"].digest() == digest, f"{name} does not have this digest", seq)
            if is_list:
                self.read_list(digest, seq, bytes(blob["content"]))
            self.next[is_list] += 1
            self.blob = None

    def blobs_end(self):
        digest, _, seq = self.expected()
        must(digest is None, f"blob {digest and digest.hex()} is missing, or a part of it", seq)

    def read_list(self, digest, seq, text):
        malformed = f"blob {digest.hex()} is not a well-formed list"
        try:
            content = parse(text)
        except ValueError as problem:
            raise Tampered(f"{malformed}: {problem}", seq) from None
        must(has_form(content, LIST_FORM) or has_form(content, CONTINUED), malformed, seq)
        must(content["length"] == content.get("keep", 0) + len(content["add"]), f"{malformed}: length", seq)
        must(self.kept.get(digest, 0) <= content["length"], f"{malformed}: more of it is kept than it has", seq)
        self.lengths[digest] = content["length"]
        if "base" in content:
            base, keep = bytes.fromhex(content["base"]["blob"]), content["keep"]
            self.refer(content["base"], seq)
            must(keep <= self.lengths.get(base, keep), f"{malformed}: it keeps more than its base has", seq)
            self.kept[base] = max(keep, self.kept.get(base, 0))
        for reference in references(content["add"]):
            must(has_form(reference, *REFERENCE), f"{malformed}: reference", seq)
            self.refer(reference, seq)

    # ---- Section 6: what follows the records
    def behind_the_records(self):
        checks = [self.blob_line, self.key_line, self.rotation_line, self.seal_line, self.end_line]     # as in BEHIND
        stage = 0
        while stage < len(BEHIND) - 1:
            seq = self.expected()[2]        # whatever stands in the place of a blob: the blob is missing
            line, value = self.line(seq)
            here = next((i for i, form in enumerate(BEHIND) if has_form(value, *form)), -1)
            must(here >= stage, "a line that does not belong there", seq)
            if stage == 0 and here > 0:
                self.blobs_end()
            stage = here
            checks[stage](value)
            self.all.update(line)
        must(not self.stream.read(1), "something follows the end")

    def end_line(self, line):
        must(self.needed == set(self.keys), "a key is there that no signature needs")
        must(line["end"] == self.all.hexdigest(), "end is not the hash of the file")

    # ---- Section 5: the log
    def key_line(self, line):
        raw = bytes.fromhex(line["publicKey"])
        must(raw > self.last_key, "a key is out of order, or there twice")
        must(len(self.keys) < MAX_KEYS, f"there are more than {MAX_KEYS} keys")
        self.last_key = self.keys[sha256(raw).hex()] = raw

    def signature(self, key, prefix, value, signature, name):
        """Of a head or a rotation; they all name one log, whose name is the id of its first key."""
        self.chain = self.chain or [value["log"]]
        must(value["log"] == self.chain[0], f"{name} is of another log")
        must(key in self.keys, f"{name}: the key that signed it is missing")
        self.needed.add(key)
        if not openssl_works():
            raise Unable("this openssl cannot check Ed25519 signatures; version 3 can")
        must(signed(self.keys[key], prefix + canonical(value), bytes.fromhex(signature)),
             f"{name}: the signature is wrong")

    def rotation_line(self, line):
        rotation, name = line["rotation"], f"rotation {len(self.rotations)}"
        must(has_form(rotation, ROTATION), "malformed rotation")
        self.signature(rotation["old"], b"glovebox-key-rotation-v1\n", rotation, line["signature"], name)
        must(rotation["old"] == self.chain[-1], f"{name} does not follow from the one before, or from the log")
        new = sha256(bytes.fromhex(rotation["new"])).hex()
        must(new not in self.chain, f"{name}: a key comes twice in the log")
        self.rotations.append(rotation)
        self.chain.append(new)

    def seal_line(self, line):
        seal = line["seal"]
        must(has_form(seal, SEAL) and has_form(seal["leaf"], LEAF) and has_form(seal["head"], HEAD)
             and all(HEX(node) for node in seal["proof"]), "malformed seal, or not of a run")
        leaf, head, name = seal["leaf"], seal["head"], f"seal {seal['index']}"
        must(seal["index"] > self.last_index, f"{name} is out of order, or there twice")
        self.last_index = seal["index"]
        must(leaf["run"] == self.run, f"{name} is of another run")
        must(leaf["seq"] < self.records, f"{name} is of a record that is missing")
        try:
            self.seal(seal, leaf, head, name)
        except Tampered as problem:
            raise Tampered(problem.args[0], leaf["seq"]) from None      # section 7

    def seal(self, seal, leaf, head, name):
        kind, seq = leaf["type"], leaf["seq"]
        must(self.hashes[32 * seq:32 * seq + 32].hex() == leaf["hash"], f"{name} is not of a record of this run")
        must(kind != "start" or seq == 0, f"{name}: a start that is not record 0")
        must(kind != "end" or seq == self.finished, f"{name}: an end that is not run.finished")
        must(leads_to(bytes.fromhex(head["root"]), canonical(leaf), seal["index"], head["size"],
                      [bytes.fromhex(node) for node in seal["proof"]]), f"{name}: the proof does not lead to the root")
        self.signature(head["key"], b"glovebox-tree-head-v1\n", head, seal["signature"], name)
        must(head["key"] in self.chain, f"{name}: signed by a key that is none of the log")
        room(self.roots, MAX_HEADS)
        must(self.roots.setdefault(head["size"], head["root"]) == head["root"],
             f"{name}: another head of the same size has another root")
        if seq in (self.finished, self.records - 1):
            self.sealed.setdefault((kind, seq), set()).add(head["key"])

    # ---- Section 7: the verdict, where nothing is tampered with
    def verdict(self):
        if self.finished is None:
            return 3, "incomplete: the run is not finished"
        for _ in self.rotations:        # more than once, since a log may come back to a key
            self.known |= {new for old, new in zip(self.chain, self.chain[1:]) if old in self.known}
        needed = [("end", self.finished, "the end of the run")]
        if self.finished < self.records - 1:
            needed.append(("mark", self.records - 1, "the last redaction behind the end of the run"))
        for kind, seq, name in needed:
            keys = self.sealed.get((kind, seq), set())
            if not keys & self.known:
                return 3, f"incomplete: {name} is " + ("sealed, but not by a known key" if keys else "not sealed")
        return 0, "intact"


def read_keys(path):
    with open(path, "rb") as file:
        data = file.read(MAX_LINE)
    blocks = re.findall(rb"-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----", data)
    if not blocks or len(blocks) != data.count(b"-----BEGIN"):
        raise Unable(f"{path}: not a PEM file of public keys")
    for block in blocks:
        try:
            der = base64.b64decode(b"".join(block.split()), validate=True)
        except ValueError:
            der = b""
        if len(der) != len(SPKI) + 32 or not der.startswith(SPKI):
            raise Unable(f"{path}: not an Ed25519 public key")
        yield der[len(SPKI):]


def main():
    parser = argparse.ArgumentParser(description="Checks an exported trace.")
    parser.add_argument("file", metavar="FILE", help="the export, or - for standard input")
    parser.add_argument("--key", metavar="FILE", action="append", default=[],
                        help="a PEM file with one or more public keys that you trust")
    arguments = parser.parse_args()
    try:
        trusted = [key for path in arguments.key for key in read_keys(path)]
        with open(0 if arguments.file == "-" else arguments.file, "rb") as stream:
            code, verdict = Verifier(stream, trusted).verify()
    except Tampered as tampered:
        problem, seq = tampered.args
        code, verdict = 1, f"tampered: {problem}" if seq is None else f"tampered: record {seq}: {problem}"
    except (Unable, OSError, MemoryError, KeyboardInterrupt) as problem:
        print(f"verify.py: {str(problem) or type(problem).__name__}", file=sys.stderr)
        return 2
    try:
        print(verdict, flush=True)
    except OSError:                     # nobody reads it; the exit code still counts
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


if __name__ == "__main__":
    sys.exit(main())
