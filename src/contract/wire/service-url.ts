// Which addresses of a service may be called.

const LOOPBACK_V4 = /^127(?:\.\d{1,3}){3}$/;

/** True for a loopback host: 127.0.0.0/8, ::1, localhost. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return host === "localhost" || host === "[::1]" || host === "::1" || LOOPBACK_V4.test(host);
}

/** The origin of a listening service; an IPv6 address is in brackets (RFC 3986 section 3.2.2). */
export function originOf(host: string, port: number, isTls: boolean): string {
  return `${isTls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * A typed address as it is meant: https where no scheme is typed (http for a loopback host), and without the path of the check,
 * which is appended to it. Anything else is left for `serviceUrlProblem`.
 */
export function readServiceUrl(typed: string): string {
  const text = typed
    .trim()
    .replace(/\/v1\/check\/*$/, "")
    // As browsers read https:/host and //host.
    .replace(/^(https?:)(?:\/+|(?=[^/\d]))/i, "$1//")
    .replace(/^\/{2,}/, "");
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const { hostname = "" } = URL.parse(`http://${text}`) ?? {};
  return `${isLoopbackHost(hostname) ? "http" : "https"}://${text}`;
}

/**
 * The problem of a service address, worded to follow its name; null when it may be called.
 * https anywhere, http only on loopback; no user name, query or fragment.
 */
export function serviceUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return "must be an address such as https://service.example";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must start with https://";
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return "must start with https://, because http is for loopback addresses only";
  }
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) return "must not hold a query or a fragment";
  return null;
}
