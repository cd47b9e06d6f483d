#!/usr/bin/env python3
"""Verifies a dump of dpa's audit log, independently of dpa.

Needs only Python 3.8 or later. audit-log.md describes the format of the dump and the canonical form. This script shares
no code with dpa, so that the two verifiers check each other. `dpa audit verify` has the same verdicts, output and exit
codes: 0 if every chain is intact, 2 if a chain is broken, 1 if the dump could not be verified.
"""

import argparse
import datetime
import hashlib
import json
import re
import sys

MAX_LINE_BYTES = 1_048_576
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
EXPECTATION = re.compile(r"(platform|" + UUID + r")=([0-9]{1,15})(?::([0-9a-f]{64}))?", re.IGNORECASE)

TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")

MEANING = {
    "seq_gap": "a row is missing, moved, duplicated or renumbered",
    "prev_hash_mismatch": "the row does not follow the one before it",
    "hash_mismatch": "the row was changed after it was written",
    "anchor_hash_mismatch": "the row differs from the anchor: the chain was rewritten",
    "chain_head_below_anchor": "an anchor exists for this row: rows were deleted from the end",
}


class Unreadable(Exception):
    """The input cannot be verified; the message says where and why."""


def canonical_text(row):
    """The canonical form v1 of a row: all columns except `hash`, sorted keys, no whitespace, the detail as stored."""
    return (
        '{"action":' + quoted(row["action"])
        + ',"actor_email":' + quoted(row["actor_email"])
        + ',"created_at":' + quoted(row["created_at"])
        + ',"detail":' + row["detail"]
        + ',"id":' + quoted(row["id"])
        + ',"org_id":' + quoted(row["org_id"])
        + ',"prev_hash":' + quoted(row["prev_hash"])
        + ',"seq":' + str(row["seq"])
        + "}"
    )


def quoted(text):
    """A string (or null) in the form of RFC 8785: only quotes, backslashes and control characters are escaped."""
    return json.dumps(text, ensure_ascii=False)


def hash_row(row):
    return hashlib.sha256(("v1\n" + canonical_text(row)).encode("utf-8")).hexdigest()


def is_as_written(row):
    """Whether the service can have written the row: required values, a valid time, and the correct hash."""
    needed = ("id", "seq", "actor_email", "action", "detail", "created_at", "hash")
    if any(row[name] is None for name in needed) or row["canon_version"] != 1:
        return False
    return is_time(row["created_at"]) and row["hash"] == hash_row(row)


def is_time(text):
    """UTC with milliseconds, in the years 1 to 9999. Any other time has no canonical text."""
    if TIME.fullmatch(text) is None:
        return False
    try:
        datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return False
    return True


class Chain:
    """One chain: its head and its anchors. Rows are checked and not kept."""

    def __init__(self, org_id, anchors):
        self.org_id = org_id
        self.anchors = sorted(anchors, key=lambda anchor: anchor["head_seq"])
        self.met = 0
        self.checked = 0
        self.head_seq = 0
        self.head_hash = ""
        self.broken_at_seq = None
        self.reason = None

    def add(self, row):
        if self.reason is not None:
            return
        expected = self.head_seq + 1
        self.reason = self.deviation(row, expected)
        self.checked += 1
        if self.reason is None:
            self.head_seq = expected
            self.head_hash = row["hash"]
            self.reason = self.compare_with_anchors(row)
        if self.reason is not None:
            self.broken_at_seq = expected

    def deviation(self, row, expected):
        if row["seq"] != expected:
            return "seq_gap"
        if row["prev_hash"] != (self.head_hash if self.checked > 0 else None):
            return "prev_hash_mismatch"
        return None if is_as_written(row) else "hash_mismatch"

    def compare_with_anchors(self, row):
        while self.met < len(self.anchors) and self.anchors[self.met]["head_seq"] == row["seq"]:
            if self.anchors[self.met]["head_hash"] not in ("", row["hash"]):
                return "anchor_hash_mismatch"
            self.met += 1
        return None

    def finish(self):
        if self.reason is None and self.met < len(self.anchors):
            self.reason = "chain_head_below_anchor"
            self.broken_at_seq = self.head_seq + 1

    def report(self):
        return {
            "org_id": self.org_id,
            "checked": self.checked,
            "head_seq": self.head_seq,
            "head_hash": self.head_hash,
            "status": "ok" if self.reason is None else "broken",
            "broken_at_seq": self.broken_at_seq,
            "reason": self.reason,
            "anchored_seq": self.anchors[self.met - 1]["head_seq"] if self.met > 0 else 0,
        }


def verify(rows, anchors):
    """One report per chain, in the order of first appearance; then chains that only anchors contain."""
    anchored = {}
    for anchor in anchors:
        # A head of 0 means that there was no row yet: any chain matches.
        if anchor["head_seq"] >= 1:
            anchored.setdefault(anchor["org_id"], []).append(anchor)
    chains = {}
    for row in rows:
        org_id = row["org_id"]
        if org_id not in chains:
            chains[org_id] = Chain(org_id, anchored.get(org_id, []))
        chains[org_id].add(row)
    for org_id in anchored:
        if org_id not in chains:
            chains[org_id] = Chain(org_id, anchored[org_id])
    for chain in chains.values():
        chain.finish()
    return [chain.report() for chain in chains.values()]


def read_rows(stream, name):
    """Reads the rows of a dump, one at a time."""
    number = 0
    while True:
        line = stream.readline(MAX_LINE_BYTES + 2)
        if not line:
            return
        number += 1
        place = name + ": line " + str(number)
        content = line[:-1] if line.endswith(b"\n") else line
        if len(content) > MAX_LINE_BYTES:
            raise Unreadable(place + " is longer than " + str(MAX_LINE_BYTES) + " bytes")
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            raise Unreadable(place + " is no UTF-8")
        if text.strip(" \t\r"):
            yield parse_row(text, place)


def parse_row(text, place):
    row = parse_object(text, place)
    if isinstance(row.get("detail"), (dict, list)):
        raise Unreadable(place + ": detail must be the stored text in a string: dump it as detail::text")
    return {
        "id": or_null(text_of, row, "id", place),
        "org_id": org_id_of(row, place),
        "seq": or_null(integer_of, row, "seq", place),
        "actor_email": or_null(text_of, row, "actor_email", place),
        "action": or_null(text_of, row, "action", place),
        "detail": or_null(text_of, row, "detail", place),
        "created_at": or_null(text_of, row, "created_at", place),
        "prev_hash": or_null(text_of, row, "prev_hash", place),
        "hash": or_null(text_of, row, "hash", place),
        "canon_version": canon_version_of(row, place),
    }


def canon_version_of(row, place):
    """No release wrote a version below 1; a later release can write a higher one."""
    if "canon_version" not in row:
        return 1
    version = or_null(integer_of, row, "canon_version", place)
    if version is not None and version > 1:
        raise Unreadable(
            place + ": canon_version is " + str(version) + ", but this release supports only version 1: verify with the "
            "release that wrote the row; if there is no such release, the row was modified"
        )
    return version


def or_null(read, row, name, place):
    """A database administrator can have set any column to null."""
    return None if row.get(name, "") is None else read(row, name, place)


def read_anchors(path):
    """Reads an anchor file of the service: {"taken_at", "heads": [{"org_id", "head_seq", "head_hash"}]}."""
    name = name_of(path)
    with open_input(path) as stream:
        heads = parse_object(stream.read().decode("utf-8", "replace"), name + ":").get("heads")
    if not isinstance(heads, list):
        raise Unreadable(name + ": heads must be an array")
    return [parse_anchor(head, name, index) for index, head in enumerate(heads)]


def parse_anchor(head, name, index):
    if not isinstance(head, dict):
        raise Unreadable(name + ": heads[" + str(index) + "] must be an object")
    anchor = {
        "org_id": org_id_of(head, name),
        "head_seq": integer_of(head, "head_seq", name),
        "head_hash": text_of(head, "head_hash", name),
    }
    if not re.fullmatch(r"([0-9a-f]{64})?", anchor["head_hash"]):
        raise Unreadable(name + ": head_hash must be 64 hex digits")
    return anchor


def parse_expectation(text):
    match = EXPECTATION.fullmatch(text)
    if match is None:
        raise Unreadable(
            "--expect " + text + ": use <org id>=<seq> or platform=<seq>, optionally with :<64 hex digits> for the hash"
        )
    chain, seq, head_hash = match.groups()
    org_id = None if chain.lower() == "platform" else chain.lower()
    return {"org_id": org_id, "head_seq": int(seq), "head_hash": (head_hash or "").lower()}


def parse_object(text, place):
    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Unreadable(place.rstrip(":") + ": is not JSON")
    if not isinstance(value, dict):
        raise Unreadable(place.rstrip(":") + ": must be a JSON object")
    return value


def refuse_constant(name):
    raise ValueError(name + " is no JSON")


def org_id_of(members, place):
    value = members.get("org_id", "")
    if value is None or (isinstance(value, str) and re.fullmatch(UUID, value)):
        return value
    raise Unreadable(place + ": org_id must be a lowercase UUID, or null for the platform")


def text_of(members, name, place):
    value = members.get(name)
    try:
        if isinstance(value, str) and value.encode("utf-8") is not None:
            return value
    except UnicodeEncodeError:
        pass  # Half a surrogate pair has no UTF-8 form and therefore no hash.
    raise Unreadable(place + ": " + name + " must be a string without lone surrogates")


def integer_of(members, name, place):
    value = members.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise Unreadable(place + ": " + name + " must be an integer")


def name_of(path):
    return "standard input" if path == "-" else path


def open_input(path):
    if path == "-":
        return sys.stdin.buffer
    try:
        return open(path, "rb")
    except OSError as error:
        raise Unreadable(path + ": " + (error.strerror or "cannot be read"))


def render(reports):
    lines = [render_chain(report) for report in reports]
    broken = sum(1 for report in reports if report["status"] == "broken")
    rows = sum(report["checked"] for report in reports)
    verdict = "all intact" if broken == 0 else str(broken) + " broken"
    lines.append("chains: " + str(len(reports)) + ", rows: " + str(rows) + ", " + verdict + "\n")
    return "".join(lines)


def render_chain(report):
    name = (report["org_id"] or "platform").ljust(36)
    reason = report["reason"]
    if reason is not None:
        place = "at seq " + str(report["broken_at_seq"]) + ": " + reason
        return "broken  " + name + "  " + place + ", " + MEANING[reason] + "\n"
    head = "head " + str(report["head_seq"]) + ":" + report["head_hash"]
    anchored = report["anchored_seq"]
    return "ok      " + name + "  " + head + ", " + ("anchored at seq " + str(anchored) if anchored else "no anchor") + "\n"


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        # argparse would exit with 2, which means "broken" here.
        self.print_usage(sys.stderr)
        raise Unreadable(message)


def parse_arguments(arguments):
    parser = Arguments(prog="verify_audit_log.py", description="Verifies a dump of dpa's audit log.",
                       epilog="Exits with 0 if every chain is intact, 2 if a chain is broken, 1 if the dump could not be verified.")
    parser.add_argument("dump", help="one row per line as JSON, see audit-log.md; - reads standard input")
    parser.add_argument("--expect", action="append", default=[], metavar="chain=seq[:hash]",
                        help="a head that you stored earlier: <org id>=<seq> or platform=<seq>, preferably with its hash")
    parser.add_argument("--anchors", action="append", default=[], metavar="file",
                        help="file with heads that the service wrote to audit-anchors/; repeatable")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="output format")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse_arguments(arguments)
    anchors = [parse_expectation(text) for text in options.expect]
    for path in options.anchors:
        anchors.extend(read_anchors(path))
    with open_input(options.dump) as stream:
        reports = verify(read_rows(stream, name_of(options.dump)), anchors)
    if not reports:
        raise Unreadable(name_of(options.dump) + ": contains no rows, so nothing was verified")
    intact = all(report["status"] == "ok" for report in reports)
    if options.format == "json":
        document = {"status": "ok" if intact else "broken", "chains": reports}
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    else:
        text = render(reports)
    sys.stdout.buffer.write(text.encode("utf-8"))
    return 0 if intact else 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Unreadable, OSError) as problem:
        sys.stderr.write("verify_audit_log: " + str(problem) + "\n")
        sys.exit(1)
