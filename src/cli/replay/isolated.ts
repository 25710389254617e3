// verdict replay --isolated: the sandbox of one replay, with the rules and projects that its options name.

import type { Context } from "#src/app/context.ts";
import type { Ephemeral } from "#src/app/ephemeral.ts";
import { openIsolated } from "#src/app/isolated.ts";
import type { Invocation } from "#src/cli/command.ts";
import { CURRENT, loadNamedRules } from "#src/cli/rules/named-rules.ts";
import { Fault } from "#src/contract/fault.ts";
import { NO_CURRENCY } from "#src/contract/lists/currency.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";
import { safe } from "#src/display/safe.ts";

const PROJECT = "isolated/medium";

/**
 * The context of a replay: the given one, or with `--isolated` one on a sandbox of its own.
 * @throws Fault("usage") for options that need or exclude it; Fault("bad_input") for wrong rules
 */
export async function openReplayContext(invocation: Invocation, own: Context): Promise<Ephemeral> {
  const { options, output, env, executable, signal } = invocation;
  const rules = options.text("rules");
  if (!options.flag("isolated")) {
    if (rules === undefined) return { context: own, end: () => Promise.resolve() };
    throw new Fault("usage", "--rules needs --isolated: any other sandbox keeps its own rules.");
  }
  if (options.text("continue") !== undefined) {
    throw new Fault(
      "usage",
      "--isolated begins without counts, so that a run cannot go on there; replay its sources again.",
    );
  }
  const keys = [options.text("project") ?? PROJECT, options.text("against")].filter(
    (key) => key !== undefined,
  );
  const projects = await Promise.all(keys.map((key) => registrationOf(own, key)));
  const named = await loadNamedRules(invocation, rules ?? CURRENT);
  const opened = await openIsolated(
    own,
    { env, executable, projects, rules: named, onProblem: ({ message }) => output.complain(message) },
    signal,
  );
  output.complain(`A sandbox of its own, without earlier counts, decides by ${safe(named.name)}.`);
  return opened;
}

/** As the user's project of that key, where there is one. @throws Fault("usage") for a key without a risk level */
async function registrationOf(own: Context, key: string): Promise<RegistrationRequest> {
  const slash = key.lastIndexOf("/");
  const level = RISK_LEVELS.find((each) => each === key.slice(slash + 1));
  if (slash < 1 || level === undefined) {
    throw new Fault(
      "usage",
      `With --isolated a project is named by merchant and risk level, such as shop/medium, not "${escapeText(key, 60)}".`,
    );
  }
  const known = await (await own.projects()).get(own.profile.name, key);
  // Without one, rules judge as a back-test does, which knows no project either.
  const currency = known?.currency ?? NO_CURRENCY;
  return { merchant_id: key.slice(0, slash), name: key, currency, risk_level: level };
}
