// Tests a credential with one zero-amount check.

import { check, type Checked } from "#src/actions/check/check.ts";
import type { Context } from "#src/app/context.ts";
import {
  isCredentialTest,
  TEST_ORDER_PREFIX,
  type HistoryEntry,
} from "#src/contract/records/history-entry.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
/** What the test of a credential showed: it works, it does not, or the test was inconclusive. */
export interface CredentialTest {
  readonly verdict: "works" | "refused" | "open";
  /** One sentence; untrusted text in it is escaped already. */
  readonly sentence: string;
}

/** The hryvnia, for a project whose currency is unknown. */
const TEST_CURRENCY = 980;

/**
 * Sends the check, and keeps it in the history like any other.
 * @throws Fault as `check` does
 */
export async function sendTest(
  context: Context,
  { profile, projectKey }: { readonly profile: string; readonly projectKey: string },
  signal: AbortSignal,
): Promise<Checked> {
  const project = await (await context.projects()).get(profile, projectKey);
  const request: CheckRequest = {
    operation: "verification",
    order_id: `${TEST_ORDER_PREFIX}${context.newId()}`,
    amount: 0,
    currency: project?.currency ?? TEST_CURRENCY,
    description: "Test of a credential; no payment.",
  };
  return check(
    context,
    { request, project: projectKey, canForce3ds: null, warnings: [], repeats: null, record: true },
    signal,
    () => undefined,
  );
}

/** A credential works when the service answers with a verdict, whichever it is. */
export function readTest(result: CheckResult): CredentialTest {
  if (result.outcome === "answered") {
    return { verdict: "works", sentence: "The credential works: the service answered the test check." };
  }
  if (result.httpStatus === 401 || result.httpStatus === 403) {
    return {
      verdict: "refused",
      sentence: `The service does not accept the credential: ${result.explanation}`,
    };
  }
  return { verdict: "open", sentence: `Whether the credential works is open: ${result.explanation}` };
}

/** When keys signed last, as far as the newest checks of the history tell. */
export interface KeyUses {
  /** By key id. */
  readonly byKey: Readonly<Record<string, KeyUse>>;
  /** True where there are no older checks. */
  readonly whole: boolean;
}

interface KeyUse {
  readonly at: Milliseconds;
  /** The last test; null for none. */
  readonly test: { readonly at: Milliseconds; readonly verdict: CredentialTest["verdict"] } | null;
}

export const NO_USES: KeyUses = { byKey: {}, whole: false };

/** Checks of the history that are read for the last use of keys. */
export const RECENT_CHECKS = 500;

/** The last use and the last test of each key. @param entries the newest checks, newest first */
export function keyUses(entries: readonly HistoryEntry[]): KeyUses {
  const byKey: Record<string, KeyUses["byKey"][string]> = {};
  for (const entry of entries) {
    const { at, signed, result } = entry;
    if (signed === undefined) continue;
    const known = byKey[signed.keyId];
    const isTest = isCredentialTest(entry) && result !== null;
    const test = known?.test ?? (isTest ? { at, verdict: readTest(result).verdict } : null);
    byKey[signed.keyId] = { at: known?.at ?? at, test };
  }
  return { byKey, whole: entries.length < RECENT_CHECKS };
}
