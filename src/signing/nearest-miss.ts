// Diagnosis of a wrong signature for the journal: tries the usual mistakes of signers, one at a time.

import {
  isPlainHash,
  KEY_ENCODINGS,
  SIGNATURE_ENCODINGS,
  SIGNING_HASHES,
  type KeyEncoding,
  type SignatureEncoding,
  type SigningHash,
} from "#src/signing/recipes/recipe.ts";
import { decodeSignature, sameSignature, signatureBytes } from "./hmac.ts";

export interface Miss {
  /** the received text, untrusted */
  readonly signature: string;
  /** as required by the recipe and the key's record */
  readonly encoding: SignatureEncoding;
  readonly keyEncoding: KeyEncoding;
  readonly algorithm: SigningHash;
  readonly stringToSign: string;
  /** Signs a text; null where the secret is not written in that encoding. */
  readonly sign: (
    text: string,
    key: KeyEncoding,
    algorithm: SigningHash,
    encoding: SignatureEncoding,
  ) => string | null;
}

/** In words: the single mistake that would have given this signature, or that no known one would. */
export function nearestMiss(miss: Miss): string {
  const { encoding, keyEncoding, algorithm, stringToSign } = miss;
  const gives = (
    written: SignatureEncoding,
    text: string = stringToSign,
    key: KeyEncoding = keyEncoding,
    hash: SigningHash = algorithm,
  ): boolean => {
    const wanted = miss.sign(text, key, hash, written);
    return wanted !== null && sameSignature(wanted, miss.signature);
  };
  const written = SIGNATURE_ENCODINGS.find((other) => other !== encoding && gives(other));
  if (written !== undefined) return `the signature is right but written in ${written}, not ${encoding}`;
  const key = KEY_ENCODINGS.find((other) => other !== keyEncoding && gives(encoding, stringToSign, other));
  if (key !== undefined) return `the secret was used as ${key}, not as ${keyEncoding}`;
  const hash = SIGNING_HASHES.find(
    (other) =>
      other !== algorithm &&
      isPlainHash(other) === isPlainHash(algorithm) &&
      gives(encoding, stringToSign, keyEncoding, other),
  );
  if (hash !== undefined) return `the signature was made with ${hash}, not with ${algorithm}`;
  if (gives(encoding, `${stringToSign}\n`)) return "the signed string ends with an extra line end";
  if (gives(encoding, stringToSign.replaceAll("\n", "\r\n"))) {
    return "the lines of the signed string end with CR and LF, not with LF";
  }
  const length = signatureBytes(algorithm);
  if (decodeSignature(miss.signature, encoding, length) === null) {
    return `the signature is not ${length} bytes in ${encoding}`;
  }
  return "the signature differs: another secret, or a signed part was changed in transit";
}
