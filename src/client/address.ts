// The address of an endpoint, and the local reasons for refusing to send.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { isLoopbackHost } from "#src/contract/wire/service-url.ts";

/** A local refusal to send: a stable word and one sentence. */
export interface Refusal {
  readonly reason: string;
  readonly explanation: string;
}

/**
 * The URL of an endpoint below a base address, which may have a path.
 * Refused: other protocols than http and https, `http:` to another machine, user names, queries and fragments.
 */
export function endpointUrl(base: string, path: string): URL | Refusal {
  const trimmed = base.replace(/\/$/, "");
  if (!URL.canParse(trimmed)) return badAddress(base, "is not an address");
  const url = new URL(trimmed);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return badAddress(base, "is neither https nor http");
  if (url.username !== "" || url.password !== "") {
    return badAddress("of the profile", "holds a user name or password");
  }
  if (/[?#]/.test(trimmed)) return badAddress(base, "holds a query or a fragment");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return {
      reason: "plain_http",
      explanation: `Nothing was sent, because ${escapeText(url.host)} would be reached without encryption: use an https address in the profile.`,
    };
  }
  return new URL(trimmed + path);
}

/** With certificate checks off, a signed payment could go to any server. */
export const TLS_CHECK_OFF: Refusal = {
  reason: "tls_check_disabled",
  explanation:
    "Nothing was sent, because NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off: unset it, and name an authority of your own with --ca in the profile.",
};

function badAddress(base: string, what: string): Refusal {
  return {
    reason: "bad_address",
    explanation: `Nothing was sent, because the address ${escapeText(base)} ${what}: correct it in the profile.`,
  };
}
