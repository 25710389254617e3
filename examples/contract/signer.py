"""Two signing recipes, each as a function: put your own signer in their place."""
import base64, hashlib, hmac, uuid
from email.utils import formatdate


def mac(key, text):
    return hmac.new(key["secret"].encode(), text, key["algorithm"].removeprefix("hmac-")).digest()


def http_signatures(key, method, target, headers, body, at, nonce):
    """The text that is signed, and all headers to send. `at` is in seconds since 1970, `nonce` None for a new one."""
    headers = headers | {
        "date": formatdate(at, usegmt=True),
        "digest": "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode(),
        "x-request-id": nonce or str(uuid.uuid4()),
    }
    owner = "x-project-id" if "x-project-id" in headers else "x-company-id"
    names = ["(request-target)", "host", "date", "digest", "content-type", "x-request-id", "x-key-id", owner]
    values = headers | {"(request-target)": f"{method.lower()} {target}"}
    text = "\n".join(f"{name}: {values[name]}" for name in names)
    signature = base64.b64encode(mac(key, text.encode())).decode()
    parts = {"keyId": key["key_id"], "algorithm": key["algorithm"], "headers": " ".join(names), "signature": signature}
    return text, headers | {"authorization": "Signature " + ",".join(f'{k}="{v}"' for k, v in parts.items())}


def timestamp_body(key, method, target, headers, body, at, nonce):
    text = f"{at}.{body.decode(errors='replace')}"
    return text, headers | {"x-timestamp": str(at), "authorization": mac(key, f"{at}.".encode() + body).hex()}


SIGNERS = {"http-signatures": http_signatures, "timestamp-body": timestamp_body}
