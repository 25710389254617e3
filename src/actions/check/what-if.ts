// Asks the sandbox for the answer that a check would get, without counting, signing or recording it.

import { administer, type SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { SweepVerdict } from "#src/contract/records/sweep.ts";
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
 * Asks one question, with the flip points of the decision. The vault stays locked, because nothing is signed.
 * @throws Fault("usage") away from the sandbox, Fault("credential_missing") without a project,
 *   Fault("bad_input") for a request that the sandbox would refuse
 */
export async function whatIf(
  context: SandboxContext,
  { request, project }: WhatIfInput,
): Promise<WhatIfAnswer> {
  return (await suppose(context, project)).ask(request, { flips: true });
}

/** Prepares many questions about one project. @throws Fault as `whatIf` does */
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

/** A magic order id that breaks the answer leaves the caller without a verdict. */
function verdictOf({ decision, magic }: WhatIf): SweepVerdict {
  const isSpoilt = magic !== null && decision?.decidedBy !== "magic";
  return decision === null || isSpoilt ? "unknown" : decision.recommendation;
}
