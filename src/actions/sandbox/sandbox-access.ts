// Access to the administrative plane of the profile's sandbox.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { usage } from "#src/contract/fault.ts";

/** A context that may have an embedded sandbox. */
export type SandboxContext = ActionContext & {
  /** The sandbox of `service()`; null for another profile, or before the first call of `service()`. */
  sandbox(): { readonly admin: SandboxAdmin } | null;
};

/**
 * The administrative plane; starts the sandbox if it does not run.
 * @throws Fault("usage") for a profile that is not the sandbox
 */
export async function administer(context: SandboxContext): Promise<SandboxAdmin> {
  const { name, environment } = context.profile;
  if (environment === "SANDBOX") {
    await context.service();
    const sandbox = context.sandbox();
    if (sandbox !== null) return sandbox.admin;
  }
  throw usage`The profile ${name} does not use the embedded sandbox, and only the embedded sandbox can be administered.`;
}
