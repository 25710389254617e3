// What a replay needs before its first item: the project, the baseline, and a run on disk, new or continued.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { chooseProject } from "#src/actions/check/choose-project.ts";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import { requireSendable } from "#src/actions/check/may-send.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import type { RunHeader, RunPace, RunTime } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { CourseTally } from "#src/replay/run-course.ts";
import { Tally } from "#src/replay/tally.ts";
import type { OpenRun, Runs } from "#src/storage/database/runs.ts";
import { findRun, openSide, usualRates, type Side } from "./compare-runs.ts";
import { runIdForOrders } from "./replay-places.ts";
import type { ReplayInput } from "./replay.ts";
import { findRunSource, runSourceWord } from "./run-source.ts";

export interface OpenReplay {
  readonly journal: OpenRun;
  readonly credential: ProjectCredential;
  readonly tally: Tally;
  readonly course: CourseTally;
  /** So far, while it runs: the database compares what was written in the end. */
  readonly flips: FlipCounter;
  readonly side: Side;
  readonly pace: RunPace;
  /** True for a sandbox that decides the items in order at any concurrency. */
  readonly keepsOrder: boolean;
  /** Undefined where it hangs on what the first item carries. */
  readonly time: RunTime | undefined;
}

const CONCURRENCY = 8;

/**
 * @throws Fault("read_only"); Fault("usage") for an unknown run, or one that cannot go on here; Fault("credential_missing" | "vault_locked");
 *   Fault("storage") when the run cannot be written: nothing was sent then
 */
export async function openReplay(context: ActionContext, input: ReplayInput): Promise<OpenReplay> {
  requireSendable(context.profile);
  const runs = await context.runs();
  const continued = input.continues === null ? null : await findRun(runs, input.continues);
  if (continued !== null) expectContinuable(context, continued);
  // The service comes first: starting the embedded one puts its keys into the vault.
  const { takesTime } = await context.service();
  const time = input.time ?? continued?.time ?? (takesTime ? undefined : "now");
  requireTakesTime(time, { takesTime });
  const wanted = continued?.project ?? input.project ?? (await projectOfSource(context, runs, input.sources));
  const project = await chooseProject(context, wanted);
  if (continued !== null && input.project !== undefined) {
    const asked = await chooseProject(context, input.project);
    if (asked.key !== continued.project) throw otherPlace(continued, "project", continued.project);
  }
  const side = await openSide(runs, input.baseline ?? continued?.baseline ?? null);

  const pace = paceOf(input, continued);
  const rules = context.isolatedRules;
  const header: RunHeader = continued ?? {
    id: input.freshOrderIds ? runIdForOrders(() => context.newId()) : context.newId(),
    at: context.now(),
    profile: context.profile.name,
    project: project.key,
    amountUnit: context.profile.amountUnit,
    sources: await namedSources(runs, input.sources),
    baseline: side.run?.id ?? null,
    freshOrderIds: input.freshOrderIds,
    pace,
    ...(input.time === undefined ? {} : { time: input.time }),
    shard: input.shard,
    onlyTags: input.onlyTags,
    skipTags: input.skipTags,
    ignoredColumns: input.ignoredColumns,
    ...(rules === undefined ? {} : { isolated: rules.name, rulesHash: rules.hash }),
  };
  const tally = new Tally();
  const course = new CourseTally();
  const labels = { baseline: side.name, run: header.id };
  const flips = new FlipCounter(labels, await usualRates(header.amountUnit));
  const journal =
    continued === null
      ? await runs.create(header)
      : await runs.resume(header.id, async (rows) => {
          const earlier = await side.earlierOf(rows);
          for (const [index, row] of rows.entries()) {
            tally.take(row);
            course.take(row);
            flips.take(row, earlier[index]!);
          }
        });
  tally.forgetFailures();
  return {
    journal,
    credential: project.credential,
    tally,
    course,
    flips,
    side,
    pace,
    keepsOrder: takesTime,
    time,
  };
}

/** @throws Fault("usage") where payments shall be decided as at their own time and the service cannot */
export function requireTakesTime(time: RunTime | undefined, { takesTime }: Pick<Service, "takesTime">): void {
  if (time !== "recorded" || takesTime) return;
  throw usage`Only a sandbox can use the recorded time of a payment; remove --time recorded, or use --time x60.`;
}

/** What is asked for now, else what the run was begun with. */
function paceOf({ concurrency, ratePerS, orderBy }: ReplayInput, continued: RunHeader | null): RunPace {
  const before = continued?.pace;
  const keys = orderBy ?? before?.orderBy;
  return {
    concurrency: concurrency ?? before?.concurrency ?? CONCURRENCY,
    ratePerS: ratePerS === undefined ? (before?.ratePerS ?? null) : ratePerS,
    ...(keys === undefined ? {} : { orderBy: keys }),
  };
}

/** `run:last` by the id that it means now: this run will be the last one itself. */
async function namedSources(runs: Runs, sources: readonly string[]): Promise<string[]> {
  const named = [];
  for (const source of sources) {
    const found = await findRunSource(runs, source);
    named.push(found === null ? source : runSourceWord(found));
  }
  return named;
}

/** Where nothing is said, the items of a run go where it went; undefined where that is not known here. */
async function projectOfSource(
  context: ActionContext,
  runs: Runs,
  [source, ...others]: readonly string[],
): Promise<string | undefined> {
  const found = source === undefined || others.length > 0 ? null : await findRunSource(runs, source);
  if (found === null || found.run.profile !== context.profile.name) return undefined;
  const held = await heldCredentials(context);
  return held.find(({ projectKey }) => projectKey === found.run.project)?.projectKey;
}

function expectContinuable(context: ActionContext, run: RunHeader): void {
  if (run.copyOf !== undefined) {
    throw usage`Run ${run.id} was imported or merged and cannot be continued; continue the original run.`;
  }
  if (run.isolated !== undefined) {
    throw usage`Run ${run.id} used a temporary sandbox that no longer exists, so it cannot be continued; replay its sources again.`;
  }
  if (run.profile !== context.profile.name) throw otherPlace(run, "profile", run.profile);
}

function otherPlace(run: RunHeader, what: "profile" | "project", name: string): Fault {
  const named = escapeText(name, 80);
  return usage`Run ${run.id} belongs to the ${whole(what)} ${named}; continue it with --${whole(what)} ${named}.`;
}
