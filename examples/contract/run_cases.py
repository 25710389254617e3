#!/usr/bin/env python3
"""Sends the contract cases, signed by signer.py, to a running `verdict serve`, and compares the answers.

  run_cases.py cases.ndjson URL KEYS [ENDPOINT]      exits with 1 when anything differs

KEYS and ENDPOINT are integration-keys.json and endpoint.json in its state folder. Without ENDPOINT the cases that turn
its clock are left out, and it must run with --credential-delay 0. RECIPE=timestamp-body in the environment takes another
signer than http-signatures."""
import base64, http.client, json, os, sys, time, uuid
from urllib.parse import urlsplit
from signer import SIGNERS


def request_of(case, host, keys, at):
    wrong, changed = case.get("signed_with", {}), case.get("changed", {})
    body = base64.b64decode(case["body_base64"]) if "body_base64" in case else case.get("body", "").encode()
    body = body.replace(b"{run}", RUN).ljust(case.get("padded_to", 0))
    headers = {"host": host} | case["headers"]
    if case.get("signer") == "administration":
        host, headers["authorization"] = keys["administration"]
    elif "signer" in case:
        key = keys[case["signer"]] | wrong
        headers |= {"x-key-id": key["key_id"], case["owner_header"]: key["owner"]}
        at += wrong.get("offset_s", 0)
        _, headers = SIGNERS[RECIPE](key, case["method"], case["path"], headers, body, at, None)
    times = {changed.get("without"): 0, changed.get("twice"): 2}
    sent = [header for header in headers.items() for _ in range(times.get(header[0], 1))]
    return host, case["method"], case["path"], sent, changed.get("body", "").encode() or body


def send(host, method, path, headers, body):
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers + ([("content-length", str(len(body)))] if method == "POST" else []):
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    text, names = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    connection.close()
    return {"status": answer.status, "headers": names, "body": json.loads(text) if text else None}


def fits(wanted, got):
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(fits(value, got.get(name)) for name, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(map(fits, wanted, got))
    return got is not None if wanted is True else wanted == got


if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
cases = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
company = json.load(open(sys.argv[3]))["companies"][0]
keys = {"company": company["integration_keys"][0] | {"owner": company["company_id"]}}
if len(sys.argv) == 5:
    endpoint = json.load(open(sys.argv[4]))
    keys["administration"] = f"127.0.0.1:{endpoint['adminPort']}", "Bearer " + endpoint["adminToken"]
STARTED, RUN, RECIPE = int(time.time()), uuid.uuid4().hex.encode(), os.environ.get("RECIPE", "http-signatures")
known = [case for case in cases if case.get("needs", "company") in keys]
failed, request = 0, None
for index, case in enumerate(known):
    if "again" not in case:
        # A time of its own for each, without which a signer that has no nonce would sign the same twice.
        request = request_of(case, urlsplit(sys.argv[2]).netloc, keys, STARTED - 200 + index)
    answer = send(*request)
    if "keep" in case and answer["status"] == 200:
        keys["project"] = answer["body"]["credential"] | {"owner": answer["body"]["credential"]["project_id"]}
    is_right = fits(case["expect"], answer)
    failed += not is_right
    print("pass" if is_right else "FAIL", case["name"])
    if not is_right:
        print(f"    expected {case['expect']}\n    got {answer}")
print(f"{len(known) - failed} of {len(known)} passed, {len(cases) - len(known)} left out")
sys.exit(failed > 0 or not known)
