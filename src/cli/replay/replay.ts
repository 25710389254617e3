// verdict replay: sends saved payloads again, compares each verdict with the earlier one, and exits by the result.

import { requireSendable } from "#src/actions/check/may-send.ts";
import { preflightSources } from "#src/actions/replay/preflight.ts";
import type { Replayed, ReplayEvent, ReplayInput } from "#src/actions/replay/replay.ts";
import { startReplay } from "#src/actions/replay/running-replay.ts";
import { readReportData } from "#src/actions/replay/write-report.ts";
import type { Context } from "#src/app/context.ts";
import { boundYoungGeneration } from "#src/app/young-generation.ts";
import { confirmByName, noTerminal } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { interrupted, usage, whole } from "#src/contract/fault.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { placeOf, withoutVerdict, type FailedGate, type RunHeader } from "#src/contract/records/run.ts";
import { counted } from "#src/display/count.ts";
import { choiceText, leftOutText, orderText, sortedText, timeText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { acceptsMissing, failedGates, type Gates } from "./gates.ts";
import { settleGolden } from "./golden.ts";
import { openAgainst } from "./against.ts";
import { nextStep } from "./next-step.ts";
import { openReplayContext, readIsolatedRules } from "./isolated.ts";
import { Rejects } from "./rejects.ts";
import { readReplayInput, type Replaying } from "./replay-input.ts";
import { preflightLines, replayLines, showProgress } from "./replay-text.ts";
import { deliver, hasReports, NO_REPORTS, readReports, type Reports } from "./report-files.ts";
import { preflightJson, progressJson, resultJson, startedJson, summaryJson } from "./run-json.ts";
import { FINDINGS_SHOWN } from "./run-text.ts";
import type { OptionSpec } from "#src/cli/option.ts";
import type { REPLAY } from "./replay-options.ts";
import type { Json, REPORTS } from "#src/cli/option-specs.ts";

const PROGRESS_MS = 1_000;

/** How a run is reported and judged. */
export interface Ending {
  readonly gates: Gates;
  readonly reports: Reports;
  readonly rejects: Rejects;
}

/** What a report reads; a merge has no second target. */
type Reporting = Invocation<Json & typeof REPORTS & { readonly against?: OptionSpec<string | undefined> }>;

interface Plan extends Ending {
  readonly input: ReplayInput;
}

export const replay: CommandRun<typeof REPLAY> = async (invocation) => {
  const { options } = invocation;
  const input = await readReplayInput(invocation);
  const gates = options;
  const reports = readReports(options);
  const rejects = new Rejects(options.rejects);
  const own = await invocation.context();
  let end = (): Promise<void> => Promise.resolve();
  try {
    const rules = await readIsolatedRules(invocation);
    if (options.dryRun) return await preflight(invocation, own, input, rejects);
    const opened = await openReplayContext(invocation, own, input, rules);
    const { context } = opened;
    ({ end } = opened);
    const plan = { input, gates, reports, rejects };
    if (options.against === undefined) {
      await askForLive(invocation, [context.profile]);
      return await replayOnce(invocation, context, plan);
    }
    const { context: other, project, time } = await openAgainst(invocation, context, input, options.against);
    await askForLive(invocation, [context.profile, other.profile]);
    const before = await run(invocation, context, { ...input, time }, new Rejects(undefined));
    if (before.stopped !== "done" || before.notSaved !== null) {
      return await report(invocation, context, before, { ...plan, reports: NO_REPORTS });
    }
    const place = placeOf({ profile: other.profile.name, project });
    invocation.output.note(`Run ${before.info.id} is the baseline; now on ${safe(place)}.`);
    const second = { ...input, time, project, baseline: before.info.id };
    return await replayOnce(invocation, other, { ...plan, input: second });
  } finally {
    await end();
    rejects.close();
    // A pipe that is not read to its end would keep this process alive.
    if (usesStdin(input)) invocation.stdin.destroy();
  }
};

function usesStdin({ sources, continues }: ReplayInput): boolean {
  return sources.includes("-") || continues !== null;
}

async function preflight(
  { options, output, signal }: Replaying,
  context: Context,
  input: ReplayInput,
  rejects: Rejects,
): Promise<number> {
  const found = await preflightSources(context, input, signal, (line) => rejects.take(line));
  if (options.json) output.json(preflightJson(found));
  else output.lines(preflightLines(found, context.profile.amountUnit, output.style));
  const choice = choiceText(input);
  if (choice !== null) output.note(`${leftOutText(found.leftOut)}; ${choice}.`);
  output.note("Nothing was sent.");
  const code = rejects.judge(output.complain);
  return found.items === 0 && code === EXIT.done ? EXIT.usage : code;
}

/**
 * Requires confirmation before many payments are sent to a live service.
 * @throws Fault("read_only") before the question, Fault("usage") without a terminal and without `--confirm`
 */
async function askForLive(invocation: Replaying, targets: readonly Profile[]): Promise<void> {
  for (const profile of targets) requireSendable(profile);
  const live = new Set(targets.filter(({ environment }) => environment === "LIVE").map(({ name }) => name));
  const wrong = invocation.options.confirm.find((name) => !live.has(name));
  if (live.size > 0 && wrong !== undefined) {
    throw usage`--confirm names ${wrong}, and the live profile is ${whole([...live].map((name) => safe(name)).join(" or "))}; nothing was sent.`;
  }
  for (const name of live) {
    if (invocation.options.confirm.includes(name)) continue;
    if (invocation.stdin.isTTY !== true) {
      throw usage`The profile ${name} is LIVE, and ${noTerminal(invocation, "to confirm on")}; add --confirm ${name} to send to it.`;
    }
    const warning = `Profile ${safe(name)} is LIVE: every payload is checked as a real payment.`;
    if (!(await confirmByName(invocation, warning, name))) {
      throw interrupted`That is not its name; nothing was sent.`;
    }
  }
}

async function replayOnce(invocation: Replaying, context: Context, plan: Plan): Promise<number> {
  const replayed = await run(invocation, context, plan.input, plan.rejects);
  return await report(invocation, context, replayed, plan);
}

async function run(
  { options, output, signal }: Replaying,
  context: Context,
  input: ReplayInput,
  rejects: Rejects,
): Promise<Replayed> {
  let header: RunHeader | null = null;
  const onEvent = (event: ReplayEvent): void => {
    switch (event.type) {
      case "started": {
        ({ header } = event);
        if (options.json) output.json(startedJson(event.header, event.alreadySent));
        const choice = choiceText(event.header);
        const chosen = choice === null ? "" : `; ${choice}`;
        output.note(
          event.alreadySent === 0
            ? `Run ${header.id} on ${safe(placeOf(header))}${chosen}.`
            : `Run ${header.id} goes on; ${counted(event.alreadySent, "of its items was", "of its items were")} sent before${chosen}.`,
        );
        const order = orderText(header, event.keepsOrder);
        if (order !== null) output.note(order);
        return;
      }
      case "time": {
        const text = timeText(event.time, event.from);
        if (text !== null) output.note(text);
        return;
      }
      case "sorted":
        output.note(sortedText(event.outOfOrder));
        return;
      case "rejected":
        rejects.take(event.line);
        if (options.json) output.json({ schema: 1, type: "rejected", run: header!.id, ...event.line });
        return;
      case "settled":
        if (options.json) output.json(resultJson(header!, event.row, event.change));
        return;
      case "tripped":
        if (options.json)
          output.json({ schema: 1, type: "tripped", run: header!.id, message: event.message });
        output.complain(safe(event.message, { max: 600 }));
    }
  };
  boundYoungGeneration();
  const replaying = startReplay(context, input, signal, onEvent);
  const progress = showProgress(replaying, output);
  const told = setInterval(() => {
    if (options.json && header !== null) output.json(progressJson(header.id, replaying.progress()));
  }, PROGRESS_MS);
  try {
    return await replaying.ended;
  } finally {
    progress.end();
    clearInterval(told);
  }
}

/** Prints the result, writes the reports, and returns the exit code. */
export async function report(
  invocation: Reporting,
  context: Context,
  replayed: Replayed,
  { reports, rejects, gates }: Ending,
): Promise<number> {
  const { options, output } = invocation;
  const { info, side, comparison, notSaved } = replayed;
  const failed = failedGates({ ...replayed, summary: info.summary, state: info.state }, gates);
  const runs = await context.runs();
  const hits = await runs.hits(info.id);
  const compared = info.baseline === null && comparison.compared === 0 ? null : comparison;
  const totals = summaryJson(replayed, failed, hits);
  if (options.json) {
    output.json(totals);
    for (const { origin, message } of rejects.kept) output.complain(`${safe(origin)}: ${message}`);
  } else {
    const kept = await runs.kept(info.id, FINDINGS_SHOWN);
    // The limits that are not kept are the last words.
    const told = { failedGates: [], showPersonal: true, generatedAt: context.now() };
    const data = { info, comparison: compared, earlier: side.run, hits, ...told };
    output.lines(replayLines(data, replayed, rejects, kept, output));
  }
  for (const { message } of runs.problems) output.complain(message);
  const total = info.summary!.counts.total;
  if (hasReports(reports) && total > 0) {
    const told = { info, comparison: compared, failedGates: failed, showPersonal: options.showPersonal };
    await deliver(invocation, reports, await readReportData(context, side, told));
  }
  if (notSaved !== null)
    output.complain(`The run stopped because it could not be saved: ${notSaved.message}`);
  if (rejects.failure !== null) output.complain(rejects.failure.message);
  const isNamed = invocation.profile !== undefined || invocation.options.against?.includes(":") === true;
  const next = total === 0 ? null : nextStep(info, { isDone: replayed.stopped === "done", isNamed });
  if (next !== null) output.note(next);
  await settleGolden(replayed, info, gates.update === true, output.complain);
  return judge(replayed, { failed, accepted: acceptsMissing(gates, failed) }, rejects, output.complain);
}

/** Fail closed: 0 only when every item has a trustworthy verdict and no check failed. */
function judge(
  { info, comparison, leftOut, stopped, notSaved }: Replayed,
  { failed, accepted }: { readonly failed: readonly FailedGate[]; readonly accepted: boolean },
  rejects: Rejects,
  complain: (text: string) => void,
): number {
  const { counts, expectationsFailed } = info.summary!;
  if (notSaved !== null || rejects.failure !== null) return EXIT.notWritten;
  if (stopped === "cancelled") return EXIT.interrupted;
  if (counts.total === 0 && info.shard !== undefined && info.summary!.rejected === 0) {
    complain("No item of the sources is in this shard.");
    return EXIT.done;
  }
  if (counts.total === 0) {
    const choice = leftOut > 0 || rejects.count === 0 ? choiceText(info) : null;
    complain(
      `${choice === null ? "No payload could be read" : `No payload fits; ${choice}`}; nothing was sent.`,
    );
    return EXIT.usage;
  }
  for (const { message } of failed) complain(message);
  if (stopped === "tripped") return failed.length > 0 ? EXIT.expectation : EXIT.unknown;
  if (expectationsFailed > 0) {
    complain(
      expectationsFailed === 1
        ? "1 item got another verdict than its payload expects."
        : `${counted(expectationsFailed, "item")} got another verdict than their payloads expect.`,
    );
  }
  const lacking = withoutVerdict(counts);
  const earlier = comparison.changes.failed - lacking;
  if (earlier > 0) {
    complain(
      `${counted(earlier, "item has", "items have")} no trustworthy verdict in the run that is compared with, and cannot count as unchanged; compare with another run.`,
    );
  }
  if (rejects.untaken !== null) complain(rejects.untaken);
  if (failed.length > 0 || expectationsFailed > 0) return EXIT.expectation;
  if (((lacking > 0 || info.state === "partial") && !accepted) || earlier > 0) return EXIT.unknown;
  return rejects.untaken === null ? EXIT.done : EXIT.usage;
}
