// verdict replay --isolated: the sandbox of one replay, with the rules and projects that its options name.

import type { Context } from "#src/app/context.ts";
import { openEphemeral, type Ephemeral } from "#src/app/ephemeral.ts";
import { ISOLATED_PROJECT, openIsolated } from "#src/app/isolated.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import type { Invocation } from "#src/cli/command.ts";
import { loadNamedRules } from "#src/cli/rules/named-rules.ts";
import { Fault } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";

/**
 * The context of a replay: the given one, or with `--isolated` one on a sandbox of its own.
 * @throws Fault("usage") for options that need or exclude it; Fault("bad_input") for wrong rules
 */
export async function openReplayContext(invocation: Invocation, own: Context): Promise<Ephemeral> {
  const { options, output, env, executable, signal } = invocation;
  const word = options.text("rules");
  if (!options.flag("isolated")) {
    if (word === undefined) return { context: own, end: () => Promise.resolve() };
    throw new Fault("usage", "--rules needs --isolated: any other sandbox keeps its own rules.");
  }
  if (options.text("continue") !== undefined) {
    throw new Fault(
      "usage",
      "--isolated begins without counts, so that a run cannot go on there; replay its sources again.",
    );
  }
  const against = options.text("against");
  const projects = [options.text("project") ?? ISOLATED_PROJECT, ...(against === undefined ? [] : [against])];
  const rules = await loadNamedRules(invocation, word ?? CURRENT);
  const onProblem = ({ message }: { readonly message: string }): void => output.complain(message);
  const opened = await openIsolated(
    own,
    (seed, startAt) => openEphemeral({ env, executable, seed, startAt, onProblem }),
    { projects, rules },
    signal,
  );
  output.complain(`A sandbox of its own, without earlier counts, decides by ${safe(rules.name)}.`);
  return opened;
}
