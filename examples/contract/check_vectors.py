#!/usr/bin/env python3
"""Signs the requests of signature vectors with signer.py, and compares; nothing is sent.

  check_vectors.py signature-vectors.ndjson      exits with 1 when anything differs"""
import json, sys
from urllib.parse import urlsplit
from signer import SIGNERS


def judge(vector):
    """As a service does: what signing again does not give, or not in time, is refused."""
    key, sent = vector["key"], vector["sent"]
    url, body = urlsplit(sent.get("url", vector["url"])), sent.get("body", vector["body"]).encode()
    target = url.path + ("?" + url.query if url.query else "")
    sign = SIGNERS[vector["recipe"]]
    text, headers = sign(key, vector["method"], target, vector["headers"], body, vector["signed_at"], vector["nonce"])
    in_time = abs(vector["verified_at"] - vector["signed_at"]) <= vector["tolerance_s"]
    accepted = in_time and sorted(headers.items()) == sorted(map(tuple, sent["headers"]))
    return accepted == (vector["expect"]["status"] == 200), text


if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
vectors = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
known = [vector for vector in vectors if vector["recipe"] in SIGNERS]
failed = 0
for vector in known:
    is_right, text = judge(vector)
    failed += not is_right
    print("pass" if is_right else "FAIL", vector["recipe"] + ":", vector["name"])
    if not is_right:
        print(f"    expected {vector['expect']}, string to sign {vector['string_to_sign']!r}\n    signed {text!r}")
print(f"{len(known) - failed} of {len(known)} passed, {len(vectors) - len(known)} of other recipes left out")
sys.exit(failed > 0 or not known)
