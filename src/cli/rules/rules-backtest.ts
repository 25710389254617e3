// verdict rules backtest: decides saved transactions by a rule file, shows the changes, and exits by their number.

import { resolve } from "node:path";
import { backtestReport } from "#src/actions/rules/backtest-report.ts";
import { DecidedPayments, planRows, RowsFile } from "#src/actions/rules/backtest-rows.ts";
import type { TransactionsInput } from "#src/actions/rules/backtest-transactions.ts";
import {
  runBacktest,
  type Backtested,
  type BacktestInput,
  type BacktestProgress,
} from "#src/actions/rules/backtest.ts";
import { unitsByProfile } from "#src/app/amount-units.ts";
import type { Context } from "#src/app/context.ts";
import { redrawn } from "#src/cli/progress-bar.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { pointedAt } from "#src/cli/history/filter-caret.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import { lazyStdin } from "#src/app/read-input.ts";
import { askedGates, failedGates } from "#src/cli/replay/gates.ts";
import { Rejects } from "#src/cli/replay/rejects.ts";
import { ignoredColumns } from "#src/cli/replay/replay-input.ts";
import { rejectedLines, shareTexts } from "#src/cli/replay/run-text.ts";
import { reportLines } from "#src/cli/report-lines.ts";
import { deliver, hasReports, readReports, type Reports } from "#src/cli/replay/report-files.ts";
import { usage } from "#src/contract/fault.ts";
import type { FailedGate } from "#src/contract/records/run.ts";
import { formatCount } from "#src/display/count.ts";
import { rateText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { decisionReport } from "#src/replay/reports/decision-parts.ts";
import { flipJson, backtestJson } from "./backtest-json.ts";
import type { Style } from "#src/display/style.ts";
import { readLabelChoice } from "./label-options.ts";
import { loadNamedRules } from "./rule-excerpt.ts";
import type { LABELLING, READING, TIMES_AND_LEVEL } from "#src/cli/option-specs.ts";
import type { OptionSpec, Values } from "#src/cli/option.ts";
import type { RULES_BACKTEST } from "./rules-options.ts";

const HISTORY = "history:";

type Backtesting = Invocation<typeof RULES_BACKTEST>;
type Transactions = typeof TIMES_AND_LEVEL &
  typeof READING &
  Partial<typeof LABELLING> & { readonly over?: OptionSpec<readonly string[]> };

export const backtest: CommandRun<typeof RULES_BACKTEST> = async (invocation) => {
  const { options, output, signal } = invocation;
  const reports = readReports(options);
  const rows = readRows(options, reports);
  expectOneStdin([invocation.args[0], options.against], options.over);
  const rejects = new Rejects(options.rejects);
  const context = await invocation.context();
  const startedAt = context.now();
  const payments = new DecidedPayments(signal);
  const rowsFile = rows === null ? null : new RowsFile(rows, signal);
  try {
    const input = await readInput(invocation, context);
    const keeps = reports.annotate || reports.files.some(({ kind }) => OF_ROWS.has(kind));
    const done = await pointedAt(output, onlyFilter(input.sources), () =>
      run(invocation, context, input, rejects, [keeps ? payments : null, rowsFile]),
    );
    const { comparison, outcomes } = done;
    const failed = failedGates({ comparison, summary: null, outcomes }, options);
    const { showPersonal } = options;
    const told = { failedGates: failed, gates: askedGates(options), showPersonal, startedAt, payments };
    const report = backtestReport(context, input, done, told);
    if (options.json) {
      output.json({ ...backtestJson(input, done), failed_gates: failed });
      for (const { origin, message } of rejects.kept) output.complain(`${safe(origin)}: ${message}`);
    } else {
      // The limits that are not kept are the last words.
      const decision = decisionReport({ ...report.decision, showPersonal: true, failedGates: [], gates: [] });
      const allRejected = done.rejected + done.labels.rejected;
      output.lines([
        ...reportLines(decision, output),
        ...rejectedLines(rejects.kept, allRejected, output.style),
      ]);
    }
    if (hasReports(reports) && done.summary.total > 0) {
      output.progress("Writing reports");
      await deliver(invocation, reports, report);
    }
    if (rowsFile !== null && done.summary.total > 0) {
      await rowsFile.write();
      output.note(`Wrote ${safe(rows!)}.`);
    }
    for (const { message } of (await context.history()).problems) output.complain(message);
    return judge(done, failed, rejects, output.complain);
  } finally {
    output.progress(null);
    payments.close();
    rowsFile?.close();
    rejects.close();
    if (options.over.includes("-")) invocation.stdin.destroy();
  }
};

/** Reports that have every row in them; the others are about the rules. */
const OF_ROWS: ReadonlySet<string> = new Set(["json", "junit"]);

/** The file of --rows; null for none. @throws Fault("usage") for a file that cannot be made */
function readRows(options: Values<typeof RULES_BACKTEST>, { files }: Reports): string | null {
  const path = options.rows;
  if (path === undefined) return null;
  planRows(path);
  const taken = files.find((file) => resolve(file.path) === resolve(path));
  if (taken === undefined) return path;
  throw usage`A report and the rows both go to ${path}; give each of them a file of its own.`;
}

/** Standard input is gone after the first time. */
export function expectOneStdin(rules: readonly (string | undefined)[], over: readonly string[]): void {
  const uses = rules.filter((name) => name === "-").length + (over.includes("-") ? 1 : 0);
  if (uses > 1) throw usage`Standard input can be read once only; name - once.`;
}

async function readInput(invocation: Backtesting, context: Context): Promise<BacktestInput> {
  const { args, options } = invocation;
  const proposed = await loadNamedRules(invocation, args[0]!);
  const current = await loadNamedRules(invocation, options.against ?? CURRENT);
  return {
    current: { ruleSet: current.ruleSet, name: `${current.name} (${current.ruleSet.hash.slice(0, 8)})` },
    proposed: { ruleSet: proposed.ruleSet, name: `${proposed.name} (${proposed.ruleSet.hash.slice(0, 8)})` },
    ...(await readTransactionsInput(invocation, context)),
  };
}

/** What the options say of the transactions. */
export async function readTransactionsInput(
  invocation: Invocation<Transactions>,
  context: Context,
): Promise<TransactionsInput> {
  const { options } = invocation;
  const stops = options["3dsStops"];
  return {
    sources: options.over ?? [],
    riskLevel: options.riskLevel ?? null,
    startAt: options.startAt ?? context.now(),
    stepMs: options.step,
    unitOf: await unitsByProfile(context),
    strict: options.strict,
    ignoredColumns: ignoredColumns(options),
    labels: readLabelChoice(options),
    ...(stops !== undefined && { threeDsStops: [stops] }),
    stdin: lazyStdin(invocation),
  };
}

/** The history filter, if there is exactly one, for the position of an error. */
export function onlyFilter(sources: readonly string[]): string | undefined {
  const filters = sources.filter((source) => source.startsWith(HISTORY));
  return filters.length === 1 ? filters[0]!.slice(HISTORY.length) : undefined;
}

async function run(
  { options, output, signal }: Backtesting,
  context: Context,
  input: BacktestInput,
  rejects: Rejects,
  keepers: readonly (DecidedPayments | RowsFile | null)[],
): Promise<Backtested> {
  const startedAt = performance.now();
  const redraw = redrawn(output);
  if (options.labels !== undefined) output.progress("Reading labels");
  try {
    return await runBacktest(context, input, signal, (event) => {
      if (event.type === "rejected") rejects.take(event.line);
      else if (event.type === "decided") {
        const { current, proposed } = event.payment.verdicts;
        for (const keeper of keepers) keeper?.take(event.payment);
        if (options.json && current.recommendation !== proposed.recommendation)
          output.json(flipJson(event.row, event.payment.verdicts));
      } else {
        redraw(() => progressText(event.progress, performance.now() - startedAt, output.style));
      }
    });
  } finally {
    output.progress(null);
  }
}

/** Progress of a back-test in one line, without colours. */
function progressText(
  { taken, flipped, fraction }: BacktestProgress,
  elapsedMs: number,
  style: Style,
): string {
  return [
    ...shareTexts(fraction, style),
    `${formatCount(taken)} decided`,
    rateText((taken * 1_000) / Math.max(1, elapsedMs)),
    `${formatCount(flipped)} changed`,
  ].join("  ");
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
