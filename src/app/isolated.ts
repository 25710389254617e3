// A sandbox of its own for one replay: no counts from before, the rules of choice, and nothing left of it afterwards.

import { registerProjects } from "#src/actions/sandbox/demo.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import type { Context } from "./context.ts";
import { openEphemeral, type Ephemeral, type EphemeralOptions } from "./ephemeral.ts";

export interface IsolatedOptions extends Pick<EphemeralOptions, "env" | "executable" | "onProblem"> {
  readonly projects: readonly RegistrationRequest[];
  /** Text of a rule file, and its name in messages; null for the starter rules. */
  readonly rules: { readonly text: string; readonly name: string } | null;
}

/** Same ids and latencies every time. */
const SEED = 1;

/**
 * Opens it with the home of a context: runs, payloads and history are those of the user, while service, vault and projects are
 * those of the sandbox.
 * @throws Fault("bad_input") for rules that are wrong; Fault("sandbox") when the sandbox does not answer
 */
export async function openIsolated(
  own: Context,
  options: IsolatedOptions,
  signal: AbortSignal,
): Promise<Ephemeral> {
  const { env, executable, onProblem, projects, rules } = options;
  const startAt = own.now();
  const ephemeral = await openEphemeral({ env, executable, onProblem, seed: SEED, startAt });
  const { context, end } = ephemeral;
  try {
    await registerProjects(context, projects, startAt, signal);
    const { admin } = context.sandbox()!;
    if (rules !== null) await admin.saveRules(rules.text, rules.name);
    // From here on time goes by, for payments without a time of their own.
    await admin.changeClock({ do: "resume" });
  } catch (error) {
    await end();
    throw error;
  }
  const { profile, addresses, service, vault, projects: registered, sandbox } = context;
  return { context: { ...own, profile, addresses, service, vault, projects: registered, sandbox }, end };
}
