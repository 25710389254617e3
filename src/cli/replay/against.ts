// verdict replay --against: the second of its two targets, another project of this profile or a project of another one.

import { chooseProject } from "#src/actions/check/choose-project.ts";
import { requireSendable } from "#src/actions/check/may-send.ts";
import { requireTakesTime } from "#src/actions/replay/open-replay.ts";
import type { ReplayInput } from "#src/actions/replay/replay.ts";
import type { Context } from "#src/app/context.ts";
import type { Invocation } from "#src/cli/command.ts";
import { usage } from "#src/contract/fault.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { RunTime } from "#src/contract/records/run.ts";

export interface Against {
  readonly context: Context;
  /** Key of the project. */
  readonly project: string;
  /** By which time both runs are sent: one that both targets can keep. */
  readonly time: RunTime | undefined;
}

/**
 * Opens the second target, and finds out whatever is wrong with it before anything is sent to either.
 * @param word `<project>`, or `<profile>:<project>`, or `<profile>:` for the only project of that profile
 * @throws Fault("usage") for an unknown profile, the same target twice, and one that reads the same payload as another payment;
 *   Fault("read_only" | "corrupt") for either target; what `chooseProject` throws
 */
export async function openAgainst(
  invocation: Invocation,
  first: Context,
  { time, project: named }: Pick<ReplayInput, "time" | "project">,
  word: string,
): Promise<Against> {
  const [, name, key] = /^([^:]*):(.*)$/s.exec(word) ?? [undefined, undefined, word];
  const context = name === undefined ? first : await contextOf(invocation, first, name);
  requireSendable(first.profile);
  requireSendable(context.profile);
  const [own, other] = [await first.service(), await context.service()];
  requireTakesTime(time, other);
  const option = name === undefined ? "--against" : `--against ${name}:PROJECT`;
  const { key: one } = await chooseProject(first, named);
  const { key: project } = await chooseProject(context, key === "" ? undefined : key, option);
  if (context.profile.name === first.profile.name && project === one) {
    throw usage`Both runs would go to ${one}, which may answer the second from its store; name another target with --against, or compare with an earlier run by --baseline.`;
  }
  // Payments of one day, decided once as of that day and once as of now, would differ for that reason alone.
  return { context, project, time: time ?? (own.takesTime === other.takesTime ? undefined : "now") };
}

/** The home, vault and runs of the first target with the service of another profile. */
async function contextOf(invocation: Invocation, first: Context, name: string): Promise<Context> {
  if (name === first.profile.name) return first;
  const { profile, addresses, service, sandbox } = await invocation.context(name);
  requireSameReading(first.profile, profile);
  return { ...first, profile, addresses, service, sandbox };
}

function requireSameReading(first: Profile, second: Profile): void {
  const reading = ({ amountUnit, currencyNumbering = "iso-4217" }: Profile): string =>
    `amounts in ${amountUnit} units and currencies by ${currencyNumbering}`;
  if (reading(first) === reading(second)) return;
  throw usage`${first.name} takes ${reading(first)}, ${second.name} takes ${reading(second)}. The same payload would mean different amounts, so verdict sent nothing.`;
}
