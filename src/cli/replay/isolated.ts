// verdict replay --isolated: the sandbox of one replay, with the rules and projects that its options name.

import type { ReplayInput } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import { openEphemeral, type Ephemeral } from "#src/app/ephemeral.ts";
import { openIsolated } from "#src/app/isolated.ts";
import { CURRENT, type TestedRules } from "#src/app/named-rules.ts";
import { loadNamedRules } from "#src/cli/rules/rule-excerpt.ts";
import type { Replaying } from "./replay-input.ts";
import { safe } from "#src/display/safe.ts";

/** The rules of a replay on a sandbox of its own; null without one. @throws Fault("bad_input") for wrong rules */
export async function readIsolatedRules(invocation: Replaying): Promise<TestedRules | null> {
  const { isolated, rules } = invocation.options;
  return isolated ? loadNamedRules(invocation, rules ?? CURRENT) : null;
}

/** The context of a replay: the given one, or with rules one on a sandbox of its own. */
export async function openReplayContext(
  { options, output, env, executable, signal }: Replaying,
  own: Context,
  { project }: ReplayInput,
  rules: TestedRules | null,
): Promise<Ephemeral> {
  if (rules === null) return { context: own, end: () => Promise.resolve() };
  const projects = [...new Set([project, options.against])].filter((key) => key !== undefined);
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
