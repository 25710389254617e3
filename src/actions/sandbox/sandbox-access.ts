// The way to the administrative plane of the sandbox behind a profile.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { Fault } from "#src/contract/fault.ts";

/** A context that may have an embedded sandbox. */
export type SandboxContext = ActionContext & {
  /** The one behind `service()`; null for another profile, or before that is asked for. */
  sandbox(): { readonly admin: SandboxAdmin } | null;
};

/**
 * The plane of the sandbox, which is started where it does not run yet.
 * @throws Fault("usage") for a profile that is not the sandbox
 */
export async function administer(context: SandboxContext): Promise<SandboxAdmin> {
  const { name, environment } = context.profile;
  if (environment === "SANDBOX") {
    await context.service();
    const sandbox = context.sandbox();
    if (sandbox !== null) return sandbox.admin;
  }
  throw new Fault(
    "usage",
    `The profile ${name} leads to a service that cannot be administered; only the embedded sandbox can.`,
  );
}
