// The address of an endpoint, and the local reasons for refusing to send.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { isLoopbackHost, serviceUrlProblem } from "#src/contract/wire/service-url.ts";

/** A local refusal to send: a stable word and one sentence. */
export interface Refusal {
  readonly reason: string;
  readonly explanation: string;
}

/**
 * The URL of an endpoint below a base address, which may have a path.
 * Refused: what `serviceUrlProblem` finds.
 */
export function endpointUrl(base: string, path: string): URL | Refusal {
  const trimmed = base.replace(/\/$/, "");
  const problem = serviceUrlProblem(trimmed);
  if (problem === null) return new URL(trimmed + path);
  const isPlain = URL.parse(trimmed)?.protocol === "http:" && !isLoopbackHost(new URL(trimmed).hostname);
  // What stands before an @ may be a password.
  const shown = base.includes("@") ? "of the profile" : escapeText(base);
  return {
    reason: isPlain ? "plain_http" : "bad_address",
    explanation: `Nothing was sent, because the address ${shown} ${problem}: correct it in the profile.`,
  };
}

/** With certificate checks off, a signed payment could go to any server. */
export const TLS_CHECK_OFF: Refusal = {
  reason: "tls_check_disabled",
  explanation:
    "Nothing was sent, because NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate validation. Unset the variable, and add your certificate authority to the profile with --ca.",
};
