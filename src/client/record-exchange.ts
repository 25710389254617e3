// Records an exchange without secrets: known ones by their value in every usual form, unknown ones by where they stand.

import { withoutCardNumber } from "#src/contract/fields/card-data.ts";
import { BODY_KEPT, type HeaderLine, type RecordedExchange } from "#src/contract/records/exchange.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { Exchange, Outgoing } from "./exchange.ts";

const MASK = "********";
const HEADERS_KEPT = 64;
const VALUE_KEPT = 1_024;

/** Headers that hold a secret by their meaning, wherever they come from. */
const SECRET_HEADER =
  /^(?:(?:set-)?cookie2?|x-api-key|proxy-auth.*|.*(?:token|secret|password|passwd|session).*)$/;
const BEARER = /^(?:basic|bearer)\s/i;

/** What may be seen of an answer to a credential request, which holds a secret at a place that is not known. */
const CREDENTIAL_HEADERS =
  /^(?:content-(?:type|length)|date|retry-after|server|www-authenticate|x-request-id|x-verdict-.*)$/;
const CREDENTIAL_MEMBERS = new Set(
  "status code error message request_id path key_id project_id algorithm".split(" "),
);

export interface Guarded {
  readonly secret: Secret;
  /** As it was sent; null to leave it readable, and where there is none. */
  readonly signature: string | null;
}

/** Pure. @param exchanged what came of the request */
export function recordExchange(
  call: Call,
  { url, method, headers }: Outgoing,
  exchanged: Exchange,
  { secret, signature }: Guarded,
): RecordedExchange {
  const hide = hider([...formsOf(secret.expose()), ...(signature === null ? [] : formsOf(signature))]);
  const masked = (lines: readonly HeaderLine[], shown: (name: string) => boolean): HeaderLine[] =>
    lines.slice(0, HEADERS_KEPT).map(([name, value]) => {
      const isSecret = !shown(name) || SECRET_HEADER.test(name) || BEARER.test(value);
      return [
        hide(name).slice(0, VALUE_KEPT),
        isSecret ? MASK : withoutCardNumber(hide(value)).slice(0, VALUE_KEPT),
      ];
    });
  const isCredential = call === "credential";
  const answer = exchanged.kind === "answer" ? exchanged.answer : null;
  return {
    method,
    url: url.href,
    headers: masked(Object.entries(headers), () => true),
    answer:
      answer === null
        ? null
        : {
            status: answer.status,
            headers: masked(answer.headers, (name) => !isCredential || CREDENTIAL_HEADERS.test(name)),
            body: bodyText(answer.body, isCredential, hide),
          },
  };
}

function bodyText(bytes: Uint8Array, isCredential: boolean, hide: (text: string) => string): string {
  if (bytes.byteLength === 0) return "";
  const whole = Buffer.from(bytes).toString("utf8");
  const text = withoutCardNumber(hide(isCredential ? credentialText(whole) : whole));
  const kept = Buffer.from(text, "utf8");
  if (kept.byteLength <= BODY_KEPT) return text;
  // A character that is cut in two becomes a replacement character.
  return `${kept.subarray(0, BODY_KEPT).toString("utf8")} (cut: ${kept.byteLength} bytes)`;
}

/** The members that are known to be harmless; nothing of a text that is no JSON. */
function credentialText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      typeof value === "object" || CREDENTIAL_MEMBERS.has(name) ? value : MASK,
    );
  } catch {
    return `(not shown, because it may hold the secret: ${Buffer.byteLength(text)} bytes that are no JSON)`;
  }
}

/** A text as it may stand somewhere: as it is, in JSON, in an address, in hexadecimal and in Base64. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = [bytes.toString("base64").replace(/=+$/, ""), ...insideBase64(bytes)];
  const hex = bytes.toString("hex");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** A shorter part of Base64 is found in any text. */
const FEWEST_BYTES = 6;

/** What Base64 of a longer text, such as of a whole header, has of these bytes: it depends on where they begin in three bytes. */
function insideBase64(bytes: Buffer): string[] {
  if (bytes.length < FEWEST_BYTES) return [];
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function hider(forms: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(forms)].filter((form) => form !== "").sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, MASK), text);
}
