// Reads the clock of a service from the `Date` header of one unauthenticated request.

import { endpointUrl, TLS_CHECK_OFF } from "./address.ts";
import { readFacts } from "./answer-facts.ts";
import { exchange } from "./exchange.ts";
import { readFailure } from "./failure.ts";
import { createRoutes, type NetworkSettings } from "./routes.ts";

const LIMIT_MS = 10_000;

export type ServiceDate =
  /** `aheadMs`: local clock minus the service's, accurate to a second. */
  | { readonly kind: "date"; readonly aheadMs: number }
  /** One sentence; untrusted text in it is escaped. */
  | { readonly kind: "none"; readonly explanation: string };

/**
 * Asks an address for its time. Never rejects.
 * @param now wall time in ms since the epoch
 */
export async function readServiceDate(
  base: string,
  network: NetworkSettings,
  now: () => number,
  signal: AbortSignal,
): Promise<ServiceDate> {
  const url = endpointUrl(base, "");
  if (!(url instanceof URL)) return { kind: "none", explanation: url.explanation };
  if (network.tlsCheckOff) return { kind: "none", explanation: TLS_CHECK_OFF.explanation };
  const routes = createRoutes(network, { connectTimeoutMs: LIMIT_MS / 2, headersTimeoutMs: LIMIT_MS });
  try {
    const opened = await routes.to(url);
    if ("reason" in opened) return { kind: "none", explanation: opened.explanation };
    const outgoing = { url, method: "GET" as const, headers: { "user-agent": "verdict" }, body: null };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const exchanged = await exchange(opened, outgoing, limited, () => undefined);
    if (exchanged.kind === "failure") {
      const { explanation } = readFailure({ ...exchanged, written: false }, url, "check");
      return { kind: "none", explanation };
    }
    const { serverDateMs } = readFacts(exchanged.answer, now(), false);
    return serverDateMs === null
      ? { kind: "none", explanation: "The answer has no Date header." }
      : { kind: "date", aheadMs: now() - serverDateMs };
  } finally {
    await routes.close();
  }
}
