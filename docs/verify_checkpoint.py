#!/usr/bin/env python3
"""Verifies signed checkpoints of a dpa audit log and proofs for them, without dpa and without other packages.

usage: verify_checkpoint.py KEY CHECKPOINT [--proof PROOF] [--since EARLIER]

KEY is the verifier key of the log, a line such as "dpa.example.com/audit/3f1c…+5d2e8a01+AbC…". CHECKPOINT is a signed
note. PROOF is what `dpa audit prove` has printed: that an entry is in the log of the checkpoint, or, with --since, that
the log of the checkpoint only appends entries to that of the checkpoint EARLIER. Exits with 0 if everything is right,
with 2 otherwise.

Written from https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint, RFC 8032, RFC 6962 and docs/audit-log.md.
"""
import argparse
import base64
import hashlib
import json
import sys

# Ed25519, RFC 8032 section 5.1; verification handles no secrets, so it may be slow and simple.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, d - c, d + c, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(factor, point):
    result = (0, 1, 1, 0)
    while factor > 0:
        if factor & 1:
            result = add(result, point)
        point, factor = add(point, point), factor >> 1
    return result


def decode(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(public_key, message, signature):
    key, r = decode(public_key), decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or r is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % L
    left, right = multiply(s, BASE), add(r, multiply(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


class Wrong(Exception):
    pass


def read_key(line):
    name, key_id, encoded = line.strip().split("+", 2)
    key = base64.b64decode(encoded, validate=True)
    expected = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
    if key[0] != 1 or len(key) != 33 or key_id != expected.hex():
        raise Wrong("the key is not an Ed25519 verifier key")
    return name, expected, key[1:]


def read_checkpoint(path, key):
    name, key_id, public_key = key
    with open(path, encoding="utf-8", newline="") as file:
        text, _, signatures = file.read().rpartition("\n\n")
    text += "\n"
    signed = False
    for line in signatures.splitlines():
        dash, signer, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        if dash != "\u2014" or signer != name or signature[:4] != key_id:
            continue
        if not is_signed(public_key, text.encode(), signature[4:]):
            raise Wrong(f"{path}: the signature is wrong")
        signed = True
    origin, size, root = text.split("\n")[:3]
    if not signed or origin != name:
        raise Wrong(f"{path}: not signed by the key")
    return origin, int(size), base64.b64decode(root, validate=True)


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf_of(entry):
    quoted = {name: entry[name] for name in ("action", "actor_email", "created_at", "id", "org_id", "prev_hash", "seq")}
    parts = [f'"{name}":{json.dumps(value, ensure_ascii=False)}' for name, value in quoted.items()]
    parts.insert(3, f'"detail":{entry["detail"]}')
    row_hash = hashlib.sha256(b"v1\n{" + ",".join(parts).encode() + b"}").digest()
    if row_hash.hex() != entry["hash"]:
        raise Wrong("the entry does not have its hash")
    return hashlib.sha256(b"\x00" + row_hash).digest()


def check_entry(proof, checkpoint):
    """RFC 6962 section 2.1.1, from the definition: the path is split where the tree is."""
    origin, size, root = checkpoint
    entry, path = proof["entry"], [bytes.fromhex(one) for one in proof["path"]]
    if proof["tree_size"] != size or entry["org_id"] != origin.rsplit("/", 1)[1]:
        raise Wrong("the proof is for another checkpoint")

    def climb(index, count, rest):
        if count == 1:
            if rest:
                raise Wrong("the path is too long")
            return leaf_of(entry)
        if not rest:
            raise Wrong("the path is too short")
        split = 1 << (count - 1).bit_length() - 1
        if index < split:
            return node(climb(index, split, rest[:-1]), rest[-1])
        return node(rest[-1], climb(index - split, count - split, rest[:-1]))

    if not 0 < entry["seq"] <= size or climb(entry["seq"] - 1, size, path) != root:
        raise Wrong("the log of the checkpoint does not have the entry")
    print(f"proven  entry {entry['seq']}")


def check_consistency(proof, earlier, later):
    """RFC 6962 section 2.1.2, from the definition: both roots are computed from the same path."""
    first, second = earlier[1], later[1]
    path = [bytes.fromhex(one) for one in proof["path"]]
    if (proof["first_size"], proof["second_size"]) != (first, second) or earlier[0] != later[0]:
        raise Wrong("the proof is for other checkpoints")

    def climb(count, total, known, rest):
        """The roots of the first `count` and of all `total` leaves of a subtree."""
        if count == total:
            if known:
                if rest:
                    raise Wrong("the path is too long")
                return earlier[2], earlier[2]
            if len(rest) != 1:
                raise Wrong("the path has another length")
            return rest[0], rest[0]
        if not rest:
            raise Wrong("the path is too short")
        split = 1 << (total - 1).bit_length() - 1
        if count <= split:
            old, new = climb(count, split, known, rest[:-1])
            return old, node(new, rest[-1])
        old, new = climb(count - split, total - split, False, rest[:-1])
        return node(rest[-1], old), node(rest[-1], new)

    if not 0 < first <= second or climb(first, second, True, path) != (earlier[2], later[2]):
        raise Wrong("the later log does not contain the earlier one")
    print(f"proven  {second - first} entries were appended, none was changed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("key")
    parser.add_argument("checkpoint")
    parser.add_argument("--proof")
    parser.add_argument("--since")
    arguments = parser.parse_args()
    key = read_key(arguments.key)
    checkpoint = read_checkpoint(arguments.checkpoint, key)
    print(f"signed  {checkpoint[0]}  size {checkpoint[1]}, root {checkpoint[2].hex()}")
    proof = None
    if arguments.proof:
        with open(arguments.proof, encoding="utf-8") as file:
            proof = json.load(file)
    if arguments.since:
        check_consistency(proof, read_checkpoint(arguments.since, key), checkpoint)
    elif proof:
        check_entry(proof, checkpoint)


try:
    main()
except (Wrong, ValueError, KeyError, IndexError, TypeError, OSError) as error:
    print(f"wrong   {error}")
    sys.exit(2)
