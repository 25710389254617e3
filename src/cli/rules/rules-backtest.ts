// verdict rules backtest: decides saved transactions by a rule file, shows the changes, and exits by their number.

import {
  backtestReport,
  runBacktest,
  type Backtested,
  type BacktestInput,
} from "#src/actions/rules/backtest.ts";
import type { Context } from "#src/app/context.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { pointedAt } from "#src/cli/history/filter-caret.ts";
import { unitsByProfile } from "#src/cli/history/history.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import { lazyStdin } from "#src/app/read-input.ts";
import { failedGates, readGates } from "#src/cli/replay/gates.ts";
import { Rejects } from "#src/cli/replay/rejects.ts";
import { readIgnoredColumns } from "#src/cli/replay/replay-options.ts";
import { deliver, hasReports, readReports, type Reports } from "#src/cli/replay/report-files.ts";
import { Fault } from "#src/contract/fault.ts";
import type { FailedGate } from "#src/contract/records/run.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { safe } from "#src/display/safe.ts";
import { isPipe } from "#src/replay/sources/pipe.ts";
import { flipJson, backtestJson } from "./backtest-json.ts";
import { backtestLines, backtestProgress } from "./backtest-text.ts";
import { loadNamedRules } from "./named-rules.ts";

const DEFAULT_STEP = "1m";
const LONGEST_STEP_MS = 366 * 86_400_000;
const REDRAW_MS = 100;
const HISTORY = "history:";

export const backtest: CommandRun = async (invocation) => {
  const { options, output, signal } = invocation;
  const gates = readGates(options);
  const reports = readReports(options);
  expectOneStdin(invocation, reports);
  const rejects = new Rejects(options.text("rejects"));
  const context = await invocation.context();
  const startedAt = context.now();
  try {
    const input = await readInput(invocation, context);
    const done = await pointedAt(output, onlyFilter(input.sources), () =>
      run(invocation, context, input, rejects),
    );
    const failed = failedGates({ comparison: done.comparison, summary: null }, gates);
    show(invocation, input, done, failed, rejects);
    if (hasReports(reports) && done.summary.total > 0) {
      const showPersonal = options.flag("showPersonal");
      output.progress("Writing reports");
      const data = backtestReport(context, input, done, {
        showPersonal,
        startedAt,
        signal,
        failedGates: failed,
      });
      await deliver(invocation, reports, data);
    }
    for (const { message } of (await context.history()).problems) output.complain(message);
    return judge(done, failed, rejects, output.complain);
  } finally {
    rejects.close();
    if (options.list("over").includes("-")) invocation.stdin.destroy();
  }
};

/** Standard input is gone after the first time. */
function expectOneStdin({ args, options }: Invocation, reports: Reports): void {
  const overStdin = options.list("over").includes("-");
  const uses = [args[0] === "-", options.text("against") === "-", overStdin].filter(Boolean).length;
  if (uses > 1) throw new Fault("usage", "Standard input can be read once only; name - once.");
  if (hasReports(reports) && (overStdin || options.list("over").some(isPipe))) {
    throw new Fault(
      "usage",
      "A report reads the transactions again, and a pipe is empty after the first time; name a file.",
    );
  }
}

async function readInput(invocation: Invocation, context: Context): Promise<BacktestInput> {
  const { args, options } = invocation;
  const proposed = await loadNamedRules(invocation, args[0]!);
  const current = await loadNamedRules(invocation, options.text("against") ?? CURRENT);
  const level = options.text("riskLevel");
  return {
    current: { ruleSet: current.ruleSet, name: `${current.name} (${current.ruleSet.hash.slice(0, 8)})` },
    proposed: { ruleSet: proposed.ruleSet, name: `${proposed.name} (${proposed.ruleSet.hash.slice(0, 8)})` },
    sources: options.list("over"),
    riskLevel: RISK_LEVELS.find((each) => each === level) ?? null,
    startAt: options.instant("startAt", "--start-at") ?? context.now(),
    stepMs: readStep(options.text("step") ?? DEFAULT_STEP),
    unitOf: await unitsByProfile(context),
    strict: options.flag("strict"),
    ignoredColumns: readIgnoredColumns(options),
    stdin: lazyStdin(invocation),
  };
}

function readStep(text: string): number {
  const step = parseDuration(text);
  if (step !== null && step <= LONGEST_STEP_MS) return step;
  throw new Fault(
    "usage",
    `--step takes a duration of at most a year, such as 10s, 1m or 2h30m, not "${escapeText(text, 40)}".`,
  );
}

/** The history filter, if there is exactly one, for the position of an error. */
function onlyFilter(sources: readonly string[]): string | undefined {
  const filters = sources.filter((source) => source.startsWith(HISTORY));
  return filters.length === 1 ? filters[0]!.slice(HISTORY.length) : undefined;
}

async function run(
  { options, output, signal }: Invocation,
  context: Context,
  input: BacktestInput,
  rejects: Rejects,
): Promise<Backtested> {
  const json = options.flag("json");
  const startedAt = performance.now();
  let drawnAt = -Infinity;
  try {
    return await runBacktest(context, input, signal, (event) => {
      switch (event.type) {
        case "rejected":
          rejects.take(event.line);
          return;
        case "decided":
          if (json && event.verdicts.current.recommendation !== event.verdicts.proposed.recommendation)
            output.json(flipJson(event.row, event.verdicts));
          return;
        case "progress": {
          const now = performance.now();
          if (!output.showsProgress || now - drawnAt < REDRAW_MS) return;
          drawnAt = now;
          output.progress(backtestProgress(event.progress, now - startedAt, output.style));
        }
      }
    });
  } finally {
    output.progress(null);
  }
}

function show(
  { options, output }: Invocation,
  input: BacktestInput,
  done: Backtested,
  failed: readonly FailedGate[],
  rejects: Rejects,
): void {
  if (options.flag("json")) {
    output.json({ ...backtestJson(input, done), failed_gates: failed });
    for (const { origin, message } of rejects.kept) output.complain(`${safe(origin)}: ${message}`);
    return;
  }
  for (const line of backtestLines(input, done, rejects.kept, output)) output.line(line);
}

/** 8 for a failed gate, else 2 for rejected lines; both are reported. */
function judge(
  { summary }: Backtested,
  failed: readonly FailedGate[],
  rejects: Rejects,
  complain: (text: string) => void,
): number {
  if (rejects.failure !== null) {
    complain(rejects.failure.message);
    return EXIT.notWritten;
  }
  if (summary.total === 0) {
    complain("There is no transaction to decide about; name a source that holds some.");
    return EXIT.usage;
  }
  for (const { message } of failed) complain(message);
  if (rejects.untaken !== null) complain(rejects.untaken);
  if (failed.length > 0) return EXIT.expectation;
  return rejects.untaken === null ? EXIT.done : EXIT.usage;
}
