// Facts of a captured request that need no secret: candidates for its signature, time, nonce and digest.

import { createHash } from "node:crypto";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { decodeSignature, isHmacAlgorithm, signatureBytes } from "#src/signing/hmac.ts";
import {
  DIGEST_HASHES,
  isPlainHash,
  SIGNATURE_ENCODINGS,
  SIGNING_HASHES,
  type DigestHash,
  type HmacAlgorithm,
  type SignatureEncoding,
  type SigningHash,
} from "#src/signing/recipes/recipe.ts";
import {
  isNonce,
  isNonceFormat,
  parseTime,
  TIME_FORMATS,
  type NonceFormat,
  type TimeFormat,
} from "#src/signing/recipes/time-format.ts";
import type { Message } from "#src/signing/request-values.ts";

/** A value in a header: `name="value"`, or `name=value`. */
export interface Param {
  readonly name: string;
  readonly value: string;
  /** start of the value in the header's text */
  readonly from: number;
  readonly to: number;
}

export interface SignatureForm {
  readonly encoding: SignatureEncoding;
  readonly algorithm: SigningHash;
}

/** A text in a header that has the length of a signature. */
export interface SignaturePlace {
  readonly header: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** possible encodings and algorithms, most likely first */
  readonly forms: readonly SignatureForm[];
}

/** A time and its header; null for the header with the signature. */
export interface TimeSource {
  readonly header: string | null;
  readonly text: string;
  readonly format: TimeFormat;
  readonly ms: number;
}

export interface NonceSource {
  readonly header: string | null;
  readonly text: string;
  readonly format: NonceFormat;
}

/** A header with a digest of the body, and its rendering. */
export interface DigestSource {
  readonly header: string;
  readonly hash: DigestHash;
  readonly render: string;
  readonly value: string;
}

export interface WrongDigest {
  readonly header: string;
  /** The older hash that it is, e.g. md5; null if it is no digest of this body. */
  readonly hash: string | null;
}

export interface RequestFacts {
  readonly message: Message;
  /** values by lower-case name; those of a repeated name joined */
  readonly headers: ReadonlyMap<string, string>;
  readonly keyId: string | null;
  readonly owner: string | null;
  readonly algorithm: string | null;
  readonly signatures: readonly SignaturePlace[];
  readonly times: readonly TimeSource[];
  readonly nonces: readonly NonceSource[];
  readonly digest: DigestSource | null;
  /** The first digest header without a digest of this body that recipes support. */
  readonly wrongDigest: WrongDigest | null;
}

/** Headers that never hold a signature. */
const NEVER: ReadonlySet<string> = new Set([
  HEADER.keyId,
  HEADER.projectId,
  HEADER.companyId,
  HEADER.requestId,
  "host",
  "cookie",
  "user-agent",
  "referer",
  "content-type",
  "content-length",
  "date",
]);
const DIGEST_NAME = /digest|content-(?:md5|sha\d+|hash)|payload-hash|body-hash/;
const KEY_NAME = /^(?:key-?_?id|id|username|client-?_?id|app-?_?id|access-?_?key(?:-?_?id)?|credential)$/i;
const NONCE_NAME = /nonce|request-?id|idempotency|correlation|trace-?id/i;
const SIGNATURE_NAME = /sig|mac|auth/i;

/** @param body the captured body, or that without the line end that an editor added */
export function readFacts(request: RawRequest, body: Uint8Array, scheme: "http" | "https"): RequestFacts {
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    const before = headers.get(lower);
    headers.set(lower, before === undefined ? value : `${before}, ${value}`);
  }
  const { method, target } = request;
  const message: Message = { method, target, scheme, body, header: (name) => headers.get(name) };
  const digest = findDigest(headers, body);
  const signatures = signaturePlaces(headers, digest);
  const withSignature = new Set([...signatures.map(({ header }) => header), "signature-input"]);
  const params = [...withSignature].flatMap((header) => paramsOf(headers.get(header) ?? ""));
  const param = (pattern: RegExp): string | null =>
    params.find(({ name }) => pattern.test(name))?.value.split("/")[0] ?? null;
  return {
    message,
    headers,
    keyId: headers.get(HEADER.keyId) ?? param(KEY_NAME),
    owner: headers.get(HEADER.projectId) ?? headers.get(HEADER.companyId) ?? null,
    algorithm: params.find(({ name }) => /^alg(?:orithm)?$/i.test(name))?.value ?? null,
    signatures,
    times: [
      ...params.flatMap(({ value }) => timesIn(null, value)),
      ...[...headers].flatMap(([name, value]) => (name === "date" ? [] : timesIn(name, value))),
      ...timesIn("date", headers.get("date") ?? ""),
    ],
    nonces: [
      ...params.flatMap(({ name, value }) => (NONCE_NAME.test(name) ? noncesIn(null, value) : [])),
      ...[...headers].flatMap(([name, value]) => (NONCE_NAME.test(name) ? noncesIn(name, value) : [])),
    ],
    digest,
    wrongDigest: digest === null ? findWrongDigest(headers, body) : null,
  };
}

const DIGEST_EXEMPT = /^(?:UNSIGNED-PAYLOAD|STREAMING-)/;

/** Every `name=value` of a header; quoted values may hold anything, others end at a comma, a space or a semicolon. */
export function paramsOf(text: string): Param[] {
  const bare = text.includes(",") ? '[^\\s",]+' : '[^\\s",;&]+';
  const pattern = new RegExp(`(?<=^|[\\s,;&])([A-Za-z][\\w-]*)=(?:"([^"]*)"|(?!=|\\s|,|;|$)(${bare}))`, "g");
  return Array.from(text.matchAll(pattern), (match) => {
    const value = match[2] ?? match[3]!;
    const from = match.index + match[1]!.length + (match[2] === undefined ? 1 : 2);
    return { name: match[1]!, value, from, to: from + value.length };
  });
}

const KEYED = SIGNING_HASHES.filter((hash) => !isPlainHash(hash));

/** As long as identifiers and nonces are, too. */
function isShort({ algorithm }: SignatureForm): boolean {
  return algorithm === "hmac-md5" || algorithm === "hmac-sha1";
}

/** Encodings in which a text has the length of a signature. */
export function signatureForms(text: string): SignatureForm[] {
  const forms = SIGNATURE_ENCODINGS.flatMap((encoding) =>
    KEYED.filter((algorithm) => decodeSignature(text, encoding, signatureBytes(algorithm)) !== null).map(
      (algorithm) => ({ encoding, algorithm }),
    ),
  );
  // Such a text is no base64 by chance. Digits are the same in both letter cases, and some base64 is also base64url.
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text))
    return forms.filter(({ encoding }) => isHex(encoding)).slice(0, 1);
  return forms.filter(
    (form, at) =>
      !forms
        .slice(0, at)
        .some(
          (other) => other.algorithm === form.algorithm && isHex(other.encoding) === isHex(form.encoding),
        ),
  );
}

function isHex(encoding: SignatureEncoding): boolean {
  return encoding === "hex" || encoding === "HEX";
}

function signaturePlaces(
  headers: ReadonlyMap<string, string>,
  digest: DigestSource | null,
): SignaturePlace[] {
  const places: (SignaturePlace & { readonly rank: number })[] = [];
  for (const [header, value] of headers) {
    if (NEVER.has(header) || header === digest?.header) continue;
    for (const { name, from, to } of pieces(value)) {
      const text = value.slice(from, to);
      const forms = signatureForms(text);
      const isNamed = header === HEADER.authorization || SIGNATURE_NAME.test(`${header} ${name}`);
      if (forms.length === 0 || (!isNamed && forms.every(isShort))) continue;
      if (places.some((place) => place.header === header && place.to === to)) continue;
      const rank =
        (header === HEADER.authorization ? 0 : SIGNATURE_NAME.test(header) ? 2 : 4) +
        (name === "" || /sig|mac|^v\d$/i.test(name) ? 0 : 1);
      places.push({ header, text, from, to, forms, rank });
    }
  }
  return places.sort((a, b) => a.rank - b.rank);
}

/** Substrings of a header that may be values: parameters, then words, then what follows a punctuation mark. */
function pieces(value: string): Pick<Param, "name" | "from" | "to">[] {
  const words: Pick<Param, "name" | "from" | "to">[] = [...paramsOf(value)];
  for (const match of value.matchAll(/[^\s",;:]+/g)) {
    const [word] = match;
    const from = match.index;
    words.push({ name: "", from, to: from + word.length });
    for (const mark of word.matchAll(/[/=._-]/g)) {
      const rest = from + mark.index + 1;
      if (rest < from + word.length) words.push({ name: "", from: rest, to: from + word.length });
    }
  }
  return words;
}

/** Years 2001 to 2096: other numbers are no times. */
const PLAUSIBLE: readonly [number, number] = [1_000_000_000_000, 4_000_000_000_000];

function timesIn(header: string | null, text: string): TimeSource[] {
  return TIME_FORMATS.flatMap((format): TimeSource[] => {
    const ms = parseTime(format, text);
    return ms === null || ms < PLAUSIBLE[0] || ms > PLAUSIBLE[1] ? [] : [{ header, text, format, ms }];
  });
}

function noncesIn(header: string | null, text: string): NonceSource[] {
  const format = nonceFormat(text);
  return format === undefined ? [] : [{ header, text, format }];
}

/** The narrowest format in which a text is a nonce. */
export function nonceFormat(text: string): NonceFormat | undefined {
  return (["uuid4", `hex:${text.length}`, `alnum:${text.length}`] as const).find(
    (format) => isNonceFormat(format) && isNonce(format, text),
  );
}

function findDigest(headers: ReadonlyMap<string, string>, body: Uint8Array): DigestSource | null {
  const names = [...headers.keys()].sort((a, b) => Number(DIGEST_NAME.test(b)) - Number(DIGEST_NAME.test(a)));
  for (const hash of DIGEST_HASHES) {
    const digest = createHash(hash).update(body).digest();
    for (const header of names) {
      const value = headers.get(header)!;
      for (const [mark, text] of [
        ["{b64}", digest.toString("base64")],
        ["{hex}", digest.toString("hex")],
      ] as const) {
        if (header === HEADER.authorization || !value.includes(text) || /[{}]/.test(value)) continue;
        return { header, hash, render: value.replace(text, () => mark), value };
      }
    }
  }
  return null;
}

function findWrongDigest(headers: ReadonlyMap<string, string>, body: Uint8Array): WrongDigest | null {
  const found = [...headers].find(([name, value]) => DIGEST_NAME.test(name) && !DIGEST_EXEMPT.test(value));
  if (found === undefined) return null;
  const [header, value] = found;
  const hash = ["md5", "sha1"].find((each) => {
    const digest = createHash(each).update(body).digest();
    return value.includes(digest.toString("base64")) || value.includes(digest.toString("hex"));
  });
  return { header, hash: hash ?? null };
}

/** The forms of plain hashes, for a text that holds the secret. */
export function withoutKey(forms: readonly SignatureForm[]): SignatureForm[] {
  return forms.map(({ encoding, algorithm }) => ({
    encoding,
    algorithm: algorithm.replace("hmac-", "") as DigestHash,
  }));
}

/** Encodings and algorithms in words. */
export function formsInWords(forms: readonly SignatureForm[]): string {
  return forms.map(({ encoding, algorithm }) => `${algorithm} in ${encoding}`).join(", or ");
}

/** The algorithm token of a credential that would sign this request in the same way. */
export function tokenOf({ algorithm }: RequestFacts, signed: HmacAlgorithm): string {
  return algorithm !== null && isHmacAlgorithm(algorithm) ? algorithm : signed;
}
