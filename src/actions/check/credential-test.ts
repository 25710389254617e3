// Tests a credential with one zero-amount check.

import type { ActionContext } from "#src/actions/action-context.ts";
import { TEST_ORDER_PREFIX } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { check, type Checked } from "./check.ts";

/** What the test of a credential showed: it works, it does not, or the test was inconclusive. */
export interface CredentialTest {
  readonly verdict: "works" | "refused" | "open";
  /** One sentence; untrusted text in it is escaped already. */
  readonly sentence: string;
}

/** The hryvnia, for a project whose currency is unknown. */
const TEST_CURRENCY = 980;

/** The check that tests a credential. @param currency ISO 4217 numeric code of the project, null where it is not known */
export function testRequest(id: string, currency: number | null = null): CheckRequest {
  return {
    operation: "verification",
    order_id: `${TEST_ORDER_PREFIX}${id}`,
    amount: 0,
    currency: currency ?? TEST_CURRENCY,
    description: "Test of a credential; no payment.",
  };
}

/**
 * Sends the check, and keeps it in the history like any other.
 * @throws Fault as `check` does
 */
export async function sendTest(
  context: ActionContext,
  { profile, projectKey }: { readonly profile: string; readonly projectKey: string },
  signal: AbortSignal,
  given?: CheckRequest,
): Promise<Checked> {
  const project = await (await context.projects()).get(profile, projectKey);
  const request = given ?? testRequest(context.newId(), project?.currency);
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
  return { verdict: "open", sentence: `It is unknown whether the credential works: ${result.explanation}` };
}
