// Strict parser of one saved HTTP/1.1 request (RFC 9112), as proxies and API clients export it.

import { Fault, whole } from "#src/contract/fault.ts";
import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";
import { escapeText } from "./escape-text.ts";

/** A request as it was sent. Strings are Latin-1: one character per byte. */
export interface RawRequest {
  readonly method: string;
  /** path with query, as on the request line */
  readonly target: string;
  /** Null when unknown. */
  readonly scheme: "http" | "https" | null;
  /** every header line in order, names in their written case */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** False without Content-Length, when the body may end with a line break of the file. */
  readonly isBodyExact: boolean;
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e]{1,8192}) HTTP\/1\.[01]$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):[ \t]*([\x20-\x7e\x80-\xff\t]*?)[ \t]*$/;
const HEADER_LIMIT = 128;

/**
 * Reads a request line, headers and a body (RFC 9112). Lines end with CR LF, or with LF alone. The body has as many bytes as
 * Content-Length says; without it, it is the rest.
 * @throws Fault("bad_input") naming the line that is wrong
 */
export function parseRawRequest(bytes: Uint8Array): RawRequest {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const head = readHead(text);
  const [method, target] = readRequestLine(head.lines[0] ?? "", head.first);
  const headers = head.lines.slice(1).map((line, index) => readHeader(line, head.first + index + 1));
  if (headers.length > HEADER_LIMIT) throw bad(`The request has more than ${HEADER_LIMIT} headers.`);
  const hosts = headers.filter(([name]) => name.toLowerCase() === "host");
  if (hosts.length !== 1) {
    throw bad(`The request has ${hosts.length === 0 ? "no" : "more than one"} Host header; save it whole.`);
  }
  if (headers.some(([name]) => name.toLowerCase() === "transfer-encoding")) {
    throw bad("The request has a Transfer-Encoding; save it with a plain body and its Content-Length.");
  }
  return {
    method,
    ...originOf(target),
    headers,
    ...readBody(bytes.subarray(head.end), headers),
  };
}

function readHead(text: string): { lines: string[]; first: number; end: number } {
  let at = 0;
  let first = 1;
  // RFC 9112 section 2.2: empty lines before the request line are skipped.
  for (let blank = /^\r?\n/.exec(text); blank !== null; blank = /^\r?\n/.exec(text.slice(at))) {
    at += blank[0].length;
    first += 1;
  }
  const lines: string[] = [];
  while (at < text.length) {
    const feed = text.indexOf("\n", at);
    const line = text.slice(at, feed < 0 ? text.length : feed).replace(/\r$/, "");
    at = feed < 0 ? text.length : feed + 1;
    if (line === "") break;
    lines.push(line);
    if (lines.length > HEADER_LIMIT + 1) throw bad(`The request has more than ${HEADER_LIMIT} headers.`);
  }
  return { lines, first, end: at };
}

function readRequestLine(line: string, number: number): [method: string, target: string] {
  const match = REQUEST_LINE.exec(line);
  if (match !== null) return [match[1]!, match[2]!];
  throw bad(
    `Line ${number} is no request line such as "POST /v1/check HTTP/1.1": ${escapeText(line, 80) || "it is empty"}.`,
  );
}

function readHeader(line: string, number: number): readonly [string, string] {
  const match = HEADER_LINE.exec(line);
  if (match !== null) return [match[1]!, match[2]!];
  const why = /^[ \t]/.test(line)
    ? "continues the line before it; write each header on one line"
    : 'is no header such as "Date: Mon, 05 Jan 2026 09:30:00 GMT"';
  throw bad(`Line ${number} of the request ${why}; an empty line ends the headers.`);
}

/** The target as it is signed, and the scheme of an absolute one. */
function originOf(target: string): Pick<RawRequest, "target" | "scheme"> {
  const match = /^(https?):\/\/[^/?#]+(.*)$/i.exec(target);
  if (match !== null) {
    const rest = match[2]!;
    return {
      target: rest.startsWith("/") ? rest : `/${rest}`,
      scheme: match[1]!.toLowerCase() === "http" ? "http" : "https",
    };
  }
  if (target.startsWith("/")) return { target, scheme: null };
  throw bad("The request line needs a path that starts with a slash, or a whole address.");
}

function readBody(
  rest: Uint8Array,
  headers: RawRequest["headers"],
): Pick<RawRequest, "body" | "isBodyExact"> {
  const lengths = headers.filter(([name]) => name.toLowerCase() === "content-length");
  const announced = lengths[0]?.[1];
  if (announced === undefined) {
    if (rest.length > BODY_LIMIT_BYTES + 2) throw tooLarge(rest.length);
    return { body: rest, isBodyExact: rest.length === 0 };
  }
  if (lengths.length > 1 || !/^\d{1,9}$/.test(announced)) {
    throw bad("The request needs one Content-Length that is a number, or none at all.");
  }
  const length = Number(announced);
  if (length > BODY_LIMIT_BYTES) throw tooLarge(length);
  if (rest.length < length) {
    throw bad(
      `Content-Length says ${length} bytes, but ${rest.length} follow the headers: the body was changed or cut when it was saved.`,
    );
  }
  // Editors add a line break at the end of a file.
  if (!/^[\r\n]*$/.test(Buffer.from(rest.subarray(length)).toString("latin1"))) {
    throw bad(
      `Content-Length says ${length} bytes, but ${rest.length} follow the headers: give one request, its body unchanged.`,
    );
  }
  return { body: rest.subarray(0, length), isBodyExact: true };
}

function tooLarge(length: number): Fault {
  return bad(`The body has ${length} bytes; a request has up to ${BODY_LIMIT_BYTES}.`);
}

function bad(sentence: string): Fault {
  return new Fault("bad_input", whole(sentence));
}
