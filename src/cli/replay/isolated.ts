// verdict replay --isolated: the sandbox of one replay, with the rules and projects that its options name.

import type { ReplayInput } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import { openEphemeral, type Ephemeral } from "#src/app/ephemeral.ts";
import { openIsolated } from "#src/app/isolated.ts";
import { CURRENT, type RuleText } from "#src/app/named-rules.ts";
import type { Invocation } from "#src/cli/command.ts";
import { loadNamedRules } from "#src/cli/rules/named-rules.ts";
import { usage } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";

/**
 * The rules of a replay on a sandbox of its own; null without `--isolated`.
 * @throws Fault("usage") for options that need or exclude it; Fault("bad_input") for wrong rules
 */
export async function readIsolatedRules(invocation: Invocation): Promise<RuleText | null> {
  const { options } = invocation;
  const word = options.text("rules");
  if (!options.flag("isolated")) {
    if (word === undefined) return null;
    throw usage`--rules needs --isolated: any other sandbox keeps its own rules; add --isolated.`;
  }
  if (options.text("continue") !== undefined) {
    throw usage`--isolated begins without counts, so that a run cannot go on there; replay its sources again.`;
  }
  return loadNamedRules(invocation, word ?? CURRENT);
}

/** The context of a replay: the given one, or with rules one on a sandbox of its own. */
export async function openReplayContext(
  { options, output, env, executable, signal }: Invocation,
  own: Context,
  { project }: ReplayInput,
  rules: RuleText | null,
): Promise<Ephemeral> {
  if (rules === null) return { context: own, end: () => Promise.resolve() };
  const projects = [...new Set([project, options.text("against")])].filter((key) => key !== undefined);
  const onProblem = ({ message }: { readonly message: string }): void => output.complain(message);
  const opened = await openIsolated(
    own,
    (seed, startAt) => openEphemeral({ env, executable, seed, startAt, onProblem }),
    { projects, rules },
    signal,
  );
  output.note(`A sandbox of its own, without earlier counts, decides by ${safe(rules.name)}.`);
  return opened;
}
