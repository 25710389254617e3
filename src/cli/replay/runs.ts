// verdict run: lists, shows, moves and removes stored runs.

import { declined, sayDone } from "#src/cli/done.ts";
import stringWidth from "string-width";
import { findRun } from "#src/actions/replay/compare-runs.ts";
import { exportRun, importRun } from "#src/actions/replay/move-runs.ts";
import { readRunOutcomes } from "#src/actions/replay/run-outcomes.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { openOutput } from "#src/cli/output-file.ts";
import { layOut } from "#src/cli/table.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { withoutVerdict } from "#src/contract/records/run.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { placeText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { totalsOf } from "#src/replay/reports/report-data.ts";
import { outcomeTable, runReport } from "#src/replay/reports/run-report.ts";
import { reportLines } from "#src/cli/report-lines.ts";
import { askedGates, failedGates } from "./gates.ts";
import { nextStep } from "./next-step.ts";
import { outcomesJson, runJson } from "./run-json.ts";
import { FINDINGS_SHOWN, runBrief } from "./run-text.ts";
import type { ANSWER_GATES, Asking, Json } from "#src/cli/option-specs.ts";
import type { RUN_EXPORT } from "./replay-options.ts";

export const list: CommandRun<Json> = async ({ context, options, output }) => {
  const runs = await (await context()).runs();
  const all = await runs.list();
  for (const { message } of runs.problems) output.complain(message);
  if (options.json) return all.forEach((run) => output.json(runJson(run)));
  if (all.length === 0) return output.advise('There is no run yet; "verdict replay" makes one.');
  const { style } = output;
  const rows = all.map((run) => {
    const { id, at, state, summary, sources } = run;
    const counts = summary?.counts;
    const of = (count: number | undefined): string => (count === undefined ? "-" : formatCount(count));
    return [
      id,
      formatZoned(at),
      state === "complete" ? state : style.paint("warning", state),
      of(counts?.total),
      of(counts?.pass),
      of(counts?.threeDs),
      of(counts?.block),
      of(counts === undefined ? undefined : withoutVerdict(counts)),
      placeText(run),
      safe(sources.join(" "), { max: 60 }),
    ];
  });
  const headings = [
    "RUN",
    "STARTED",
    "STATE",
    "ITEMS",
    VERDICTS.pass.word,
    VERDICTS["3ds_or_block"].word,
    VERDICTS.block.word,
    "NO VERDICT",
    "PROFILE:PROJECT",
    "SOURCES",
  ];
  const table = layOut(style, headings, rows, [3, 4, 5, 6, 7]);
  const fits = !output.isTerminal || table.every((line) => stringWidth(line) <= output.columns);
  output.lines(fits ? table : all.flatMap((run) => runBrief(run, style)));
};

export const show: CommandRun<Json & typeof ANSWER_GATES> = async ({ args, context, options, output }) => {
  const gates = options;
  const opened = await context();
  const runs = await opened.runs();
  const run = await findRun(runs, args[0]!);
  const failed = failedGates({ comparison: null, summary: run.summary, state: run.state }, gates);
  const outcomes = await readRunOutcomes(opened, run);
  if (options.json) {
    const rules = await runs.hits(run.id);
    output.json({ ...runJson(run), failed_gates: failed, rules, outcomes: outcomesJson(outcomes) });
  } else {
    const comparison = null;
    const told = { earlier: null, failedGates: [], showPersonal: true, generatedAt: opened.now() };
    const data = { info: run, comparison, hits: await runs.hits(run.id), ...told };
    const { parts, ...rest } = runReport(
      data,
      totalsOf(run.summary, await runs.kept(run.id, FINDINGS_SHOWN)),
    );
    output.lines(
      reportLines(
        { ...rest, parts: [...parts, ...(outcomes === null ? [] : [outcomeTable(outcomes)])] },
        output,
      ),
    );
  }
  for (const { message } of [...runs.problems, ...failed]) output.complain(message);
  const next = nextStep(run, { isDone: false, isNamed: run.profile !== opened.profile.name });
  if (next !== null) output.note(next);
  if (failed.length > 0) return EXIT.expectation;
  // A gate that holds for a part proves nothing of the whole.
  return run.state === "partial" && askedGates(gates).length > 0 ? EXIT.unknown : EXIT.done;
};

export const exportRuns: CommandRun<typeof RUN_EXPORT> = async (invocation) => {
  const data = openOutput(invocation);
  const runs = await (await invocation.context()).runs();
  const run = await findRun(runs, invocation.args[0]!);
  await data.write(exportRun(runs, run));
  if (data.file !== null) {
    invocation.output.line(
      `Run ${run.id} is in ${data.file}, with the personal data of payers as it was sent.`,
    );
  }
};

export const importRuns: CommandRun<Json> = async ({ args, context, options, output, signal }) => {
  const opened = await context();
  const profiles = await (await opened.profiles()).list();
  const numberingOf = (name: string): CurrencyNumbering | undefined =>
    profiles.find((profile) => profile.name === name)?.currencyNumbering;
  for (const path of args) {
    const { info, isNew } = await importRun(opened, { path: path!, numberingOf }, signal);
    const items = counted(info.summary?.counts.total ?? 0, "item");
    if (options.json) output.json(runJson(info));
    else output.line(`Run ${info.id} ${isNew ? "imported" : "was here already"}: ${items}.`);
  }
};

export const remove: CommandRun<Asking> = async (invocation) => {
  const runs = await (await invocation.context()).runs();
  const run = await findRun(runs, invocation.args[0]!);
  const items = run.summary === null ? "" : ` with ${counted(run.summary.counts.total, "item")}`;
  if (!(await confirm(invocation, `Remove run ${run.id}${items}? Comparisons with it are lost.`))) {
    return declined(invocation, { run: run.id, removed: false });
  }
  await runs.remove(run.id);
  sayDone(invocation, { run: run.id, removed: true }, `Run ${run.id} removed.`);
};
