// Signs a request and explains how.

import type { SigningExplanation, VisibleLine } from "#src/contract/wire/signing-explanation.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import { unsignedParts } from "#src/signing/recipes/signed-parts.ts";
import { basicCredentials, keyBytes, signatureBytes, startsFromText } from "./hmac.ts";
import { sign, type Identity, type Signed, type Unsigned } from "./sign.ts";

/**
 * @param at as for `sign`
 * @throws Fault as `sign` does
 */
export function explainSigning(
  recipe: Recipe,
  request: Unsigned,
  identity: Identity,
  at: { readonly nowMs: number; readonly nonce?: string },
  call: Call,
): SigningExplanation {
  const active = recipeFor(recipe, call);
  const signed = sign(recipe, request, identity, at, call);
  const { stringToSign, canonicalRequest, algorithm } = signed;
  const isUsed = algorithm !== null;
  const unsigned = stringToSign === null ? null : unsignedParts(recipe, call);
  return {
    recipe: recipe.recipe,
    status: recipe.status,
    call,
    method: request.method,
    url: request.url.href,
    stringToSign: stringToSign === null ? null : visibleLines(stringToSign),
    canonicalRequest: canonicalRequest === null ? null : visibleLines(canonicalRequest),
    bodyDigest: signed.bodyDigest,
    key: {
      encoding: active.key.encoding,
      bytes: isUsed ? keyBytes(identity.secret, active.key.encoding)!.length : null,
      derived: isUsed ? derivedInWords(active) : [],
    },
    headers: maskedHeaders(active, signed, identity),
    algorithm,
    signatureEncoding: active.signature.encoding,
    signatureBytes: isUsed ? signatureBytes(algorithm) : null,
    validUntil:
      active.time === null || unsigned === null || unsigned.includes("time")
        ? null
        : at.nowMs + active.time.skew_s * 1000,
    unsigned: unsigned ?? unsignedParts({ ...recipe, canonical: null, emit: {}, endpoints: {} }, call),
  };
}

/** Splits a byte string into lines and makes every byte visible. */
export function visibleLines(bytes: string): VisibleLine[] {
  const parts = bytes.split(/(\r?\n)/);
  const lines: VisibleLine[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const end = parts[at + 1];
    lines.push({
      text: visible(parts[at]!),
      end: end === undefined ? null : end === "\n" ? "LF" : "CRLF",
    });
  }
  return lines;
}

function visible(bytes: string): string {
  return bytes.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Only a recipe without a signature sends the secret itself, where `{secret}` or `{basic}` stands in `emit`. */
function maskedHeaders(recipe: Recipe, { headers }: Signed, key: Identity): [string, string][] {
  const isSent = (name: string): boolean => /\{(?:secret|basic)\}/.test(recipe.emit[name] ?? "");
  const masked = (value: string): string =>
    [key.secret.expose(), basicCredentials(key)].reduce(
      (text, sent) => text.replaceAll(sent, () => String(key.secret)),
      value,
    );
  return Object.entries(headers).map(([name, value]) => [name, isSent(name) ? masked(value) : value]);
}

function derivedInWords({ derive }: Recipe): string[] {
  return derive.map((step, index) =>
    index === 0 && startsFromText(step)
      ? `the text ${step.replace("{secret}", "[secret]")} is the first key`
      : `HMAC of ${step} with ${index === 0 ? "the secret" : "the key before"}`,
  );
}
