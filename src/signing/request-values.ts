// Values of a request for the templates of recipes. Texts are byte strings (one character per byte), so that exactly the
// bytes that are sent are signed.

/** The request as input of the string to sign. */
export interface Message {
  readonly method: string;
  /** path with query, as on the request line */
  readonly target: string;
  readonly scheme: "http" | "https";
  readonly body: Uint8Array;
  /** undefined when the request does not carry the header; names are lower case */
  header(name: string): string | undefined;
}

const HEADER_VALUE = "header.";

const VALUES: ReadonlyMap<string, (message: Message) => string> = new Map([
  ["method", ({ method }) => method],
  ["target", ({ target }) => target],
  ["path", pathOf],
  ["query", queryOf],
  ["scheme", ({ scheme }) => scheme],
  ["host", hostOf],
  ["hostname", (message) => hostOf(message).replace(/:\d*$/, "")],
  ["port", (message) => /:(\d+)$/.exec(hostOf(message))?.[1] ?? defaultPort(message)],
  ["content_type", (message) => message.header("content-type") ?? ""],
  ["media_type", (message) => (message.header("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase()],
  ["body", ({ body }) => bytesOf(body).toString("latin1")],
  ["canonical_path", (message) => sigV4Path(pathOf(message))],
  ["canonical_query", (message) => sigV4Query(queryOf(message))],
]);

/** Placeholders that every request has a value for, in addition to `header.NAME`. */
export const REQUEST_VALUES: readonly string[] = [...VALUES.keys()];

/** The value of a placeholder; a missing header is empty. Undefined for an unknown name. */
export function requestValue(message: Message, name: string): string | undefined {
  if (name.startsWith(HEADER_VALUE)) return message.header(name.slice(HEADER_VALUE.length)) ?? "";
  return VALUES.get(name)?.(message);
}

/** The header that a placeholder reads, or null. */
export function headerBehind(name: string): string | null {
  if (name.startsWith(HEADER_VALUE)) return name.slice(HEADER_VALUE.length);
  if (name === "host" || name === "hostname" || name === "port") return "host";
  return name === "content_type" || name === "media_type" ? "content-type" : null;
}

export function pathOf({ target }: Message): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Without its question mark; empty when there is none. */
export function queryOf({ target }: Message): string {
  const mark = target.indexOf("?");
  return mark < 0 ? "" : target.slice(mark + 1);
}

export function hostOf(message: Message): string {
  return message.header("host") ?? "";
}

export function defaultPort({ scheme }: Message): string {
  return scheme === "https" ? "443" : "80";
}

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Canonical URI of SigV4: every segment of the path is percent-encoded once more. */
function sigV4Path(path: string): string {
  return path
    .replace(/\/{2,}/g, "/")
    .split("/")
    .map(encoded)
    .join("/");
}

/** Canonical query string of SigV4: decoded, encoded canonically, sorted by name and then by value. */
function sigV4Query(query: string): string {
  if (query === "") return "";
  return query
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    })
    .map(([name, value]) => [encoded(decoded(name!)), encoded(decoded(value!))] as const)
    .sort(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A byte string; invalid escapes are kept. */
function decoded(text: string): string {
  return text
    .replaceAll("+", " ")
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** RFC 3986: everything but unreserved characters, byte by byte. */
function encoded(bytes: string): string {
  return bytes.replace(
    /[^A-Za-z0-9_.~-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
