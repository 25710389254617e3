// Observations about a captured request, in sentences, as hints when no recipe reproduces it.

import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { formsInWords, type RequestFacts, type WrongDigest } from "./infer-facts.ts";
import { plainKeys } from "./infer-trial.ts";

/** Reveals nothing of the secret but its length. */
export function observations(facts: RequestFacts, secret: Secret): string[] {
  const { signatures, digest, wrongDigest, times, nonces, keyId, algorithm } = facts;
  const [place] = signatures;
  const [time] = times;
  const [nonce] = nonces;
  const keys = plainKeys(secret).map(([encoding, bytes]) => `${bytes.length} bytes as ${encoding}`);
  const where = (header: string | null): string => header ?? "the header with the signature";
  return [
    place === undefined
      ? "No header holds anything as long as a signature in hexadecimal digits or base64."
      : `The signature is most likely in ${place.header}: as long as ${formsInWords(place.forms)}.`,
    ...(algorithm === null ? [] : [`The request names the algorithm ${escapeText(algorithm, 40)}.`]),
    ...(digest === null
      ? wrongDigest === null
        ? ["No header holds a digest of the body."]
        : [wrongDigestSentence(wrongDigest)]
      : [`The digest in ${escapeText(digest.header, 60)} is right (${digest.hash}), so the body is intact.`]),
    time === undefined
      ? "No header holds a time that recipes can write."
      : `There is a time in ${where(time.header)} (${time.format}).`,
    ...(nonce === undefined ? [] : [`There is a nonce in ${where(nonce.header)} (${nonce.format}).`]),
    keyId === null
      ? "No key id is recognised."
      : `It names the key ${escapeText(keyId, 60)}, and is signed with the secret of that key.`,
    `The secret was tried as a key of ${keys.join(", ")}.`,
  ];
}

export function wrongDigestSentence({ header, hash }: WrongDigest): string {
  return hash === null
    ? `The header ${escapeText(header, 60)} holds no SHA digest of this body: the body was changed when the request was saved.`
    : `The header ${escapeText(header, 60)} holds the ${hash} digest of the body, which recipes cannot write.`;
}

/** What an inference goes through, and what would help where it finds nothing. */
export const WITHOUT_RESULT: readonly string[] = [
  "Tried: the recipes there are, with every encoding of key, hash and digest;",
  "  header lists, RFC 9421, SigV4 and tokens as the request has them; its parts in the usual orders;",
  "  the sorted fields of the body as JSON, pairs or values; hashes of these with the secret.",
  "A second accepted request tells more, best with a short body, or the exact text that was signed.",
  "A signature inside the body is not supported.",
  "If you know the scheme, write your own recipe: verdict recipe show timestamp-body > mine.yaml",
];
