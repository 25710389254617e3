// Formats of times and nonces in recipes; parsers accept the canonical form only.

import { randomBytes, randomInt, randomUUID } from "node:crypto";

export const TIME_FORMATS = ["http-date", "unix-s", "unix-ms", "iso8601", "amz-basic"] as const;

export type TimeFormat = (typeof TIME_FORMATS)[number];

/** `hex:N` is N hexadecimal digits, N even; `alnum:N` is N letters and digits. */
export type NonceFormat = "uuid4" | `hex:${number}` | `alnum:${number}`;

/** @param ms ms since the epoch; truncated in formats without milliseconds */
export function formatTime(format: TimeFormat, ms: number): string {
  switch (format) {
    case "http-date":
      return new Date(ms).toUTCString();
    case "unix-s":
      return String(Math.floor(ms / 1000));
    case "unix-ms":
      return String(Math.floor(ms));
    case "iso8601":
      return new Date(ms).toISOString();
    case "amz-basic":
      return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
  }
}

/** The day in UTC as SigV4 writes it in a credential scope: `20150830`. */
export function formatDay(ms: number): string {
  return formatTime("amz-basic", ms).slice(0, 8);
}

/** Cache of the last parsed time, which many requests in a second share. */
let latest: { readonly format: TimeFormat; readonly text: string; readonly ms: number | null } | null = null;

/** @returns ms since the epoch, or null for anything but the canonical form */
export function parseTime(format: TimeFormat, text: string): number | null {
  if (latest?.text === text && latest.format === format) return latest.ms;
  const read = lenientTime(format, text);
  const isTime = Number.isFinite(read) && Math.abs(read) <= 8.64e15 && formatTime(format, read) === text;
  const ms = isTime ? read : null;
  latest = { format, text, ms };
  return ms;
}

function lenientTime(format: TimeFormat, text: string): number {
  switch (format) {
    case "http-date":
    case "iso8601":
      return Date.parse(text);
    case "unix-s":
      return Number(text) * 1000;
    case "unix-ms":
      return Number(text);
    case "amz-basic":
      return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  }
}

const NONCE_FORMAT = /^(?:uuid4|(hex|alnum):([1-9]\d?))$/;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Whether a text is a nonce format: `uuid4`, `hex:N` with an even N, or `alnum:N`; N up to 98. */
export function isNonceFormat(text: string): text is NonceFormat {
  const match = NONCE_FORMAT.exec(text);
  return match !== null && (match[1] !== "hex" || Number(match[2]) % 2 === 0);
}

export function createNonce(format: NonceFormat): string {
  if (format === "uuid4") return randomUUID();
  const length = nonceLength(format);
  if (format.startsWith("hex:")) return randomBytes(length / 2).toString("hex");
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

export function isNonce(format: NonceFormat, text: string): boolean {
  if (format === "uuid4") {
    return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);
  }
  const characters = format.startsWith("hex:") ? /^[0-9a-f]+$/ : /^[0-9A-Za-z]+$/;
  return text.length === nonceLength(format) && characters.test(text);
}

function nonceLength(format: Exclude<NonceFormat, "uuid4">): number {
  return Number(format.slice(format.indexOf(":") + 1));
}
