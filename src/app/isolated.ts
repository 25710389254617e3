// A sandbox of its own for one replay: no counts from before, the rules of choice, and nothing left of it afterwards.

import { usage } from "#src/contract/fault.ts";
import { NO_CURRENCY } from "#src/contract/lists/currency.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";
import type { Context } from "./context.ts";
import type { Ephemeral, OpenEphemeral } from "./ephemeral.ts";
import type { TestedRules } from "./named-rules.ts";

/** Stands for a project where none is named. */
export const ISOLATED_PROJECT = "isolated/medium";

/** Same ids and latencies every time. */
const SEED = 1;

/**
 * Opens it with the home of a context: runs, payloads and history are those of the user, while service, vault and projects are
 * those of the sandbox.
 * @param projects their keys; each is registered as the user's project of that key, where there is one
 * @throws Fault("usage") for a key without a risk level; Fault("bad_input") for rules that are wrong; Fault("sandbox") when the sandbox does not answer
 */
export async function openIsolated(
  own: Context,
  openEphemeral: OpenEphemeral,
  { projects, rules }: { readonly projects: readonly string[]; readonly rules: TestedRules },
  signal: AbortSignal,
): Promise<Ephemeral> {
  const requests = await Promise.all(projects.map((key) => registrationOf(own, key)));
  const startAt = own.now();
  const { context, end } = await openEphemeral(SEED, startAt);
  const stop = (): void => void end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { registerProjects } = await import("#src/actions/register/register-projects.ts");
    await registerProjects(context, requests, startAt, signal);
    const { admin } = context.sandbox()!;
    await admin.saveRules(rules.text, rules.name);
    // From here on time goes by, for payments without a time of their own.
    await admin.changeClock({ do: "resume" });
  } catch (error) {
    await end();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const { profile, addresses, service, vault, projects: registered, sandbox } = context;
  const theirs = { profile, addresses, service, vault, projects: registered, sandbox };
  return {
    context: { ...own, ...theirs, isolatedRules: { name: rules.name, hash: rules.ruleSet.hash } },
    end,
  };
}

async function registrationOf(own: Context, key: string): Promise<RegistrationRequest> {
  const slash = key.lastIndexOf("/");
  const level = RISK_LEVELS.find((each) => each === key.slice(slash + 1));
  if (slash < 1 || level === undefined) {
    throw usage`With --isolated a project is named by merchant and risk level, such as shop/medium, not "${key}".`;
  }
  const known = await (await own.projects()).get(own.profile.name, key);
  // Without one, rules judge as a back-test does, which knows no project either.
  const currency = known?.currency ?? NO_CURRENCY;
  return { merchant_id: key.slice(0, slash), name: key, currency, risk_level: level };
}
