// What the sandbox would say to a check now, without sending it: nothing is counted, signed or recorded.

import { administer, type SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { SweepVerdict } from "#src/contract/records/sweep.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { nameProject } from "./choose-project.ts";

export interface WhatIfInput {
  readonly request: CheckRequest;
  /** `<merchant_id>/<risk_level>` or a project id; undefined for the only project there is. */
  readonly project: string | undefined;
}

export interface WhatIfAnswer extends WhatIf {
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
  readonly verdict: SweepVerdict;
}

/** Questions about one project of the sandbox. */
export interface Supposing {
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
  /** @throws Fault("bad_input") for a request that the sandbox would refuse */
  ask(request: CheckRequest, options?: { readonly flips?: boolean }): Promise<WhatIfAnswer>;
}

/**
 * Asks, with what would flip the decision. A vault stays locked, because nothing is signed.
 * @throws Fault("usage") away from the sandbox, Fault("credential_missing") without a project,
 *   Fault("bad_input") for a request that the sandbox would refuse
 */
export async function whatIf(
  context: SandboxContext,
  { request, project }: WhatIfInput,
): Promise<WhatIfAnswer> {
  return (await suppose(context, project)).ask(request, { flips: true });
}

/** For who asks many times. @throws Fault as `whatIf` does */
export async function suppose(context: SandboxContext, project: string | undefined): Promise<Supposing> {
  // The service comes first: starting it puts its keys into the vault.
  const admin: SandboxAdmin = await administer(context);
  const { key, projectId } = await nameProject(context, project);
  return {
    project: key,
    async ask(request, options) {
      const answer = await admin.whatIf(projectId, request, options);
      return { ...answer, project: key, verdict: verdictOf(answer) };
    },
  };
}

/** An order id that spoils the answer leaves whoever sent it without one, whatever was decided. */
function verdictOf({ decision, magic }: WhatIf): SweepVerdict {
  const isSpoilt = magic !== null && decision?.decidedBy !== "magic";
  return decision === null || isSpoilt ? "unknown" : decision.recommendation;
}

/** Live rules that hit: the one that decided first, then by their weight. */
export function hitsOf({ rules }: Pick<Explanation, "rules">): Explanation["rules"] {
  return rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live");
}
