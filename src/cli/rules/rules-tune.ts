// verdict rules tune: tries values of one number of a rule file on labelled payments, proposes one, and writes it if told.

import { usedLabels } from "#src/actions/rules/payment-labels.ts";
import { tuneRules, type TuneEvent, type TuneInput, type Tuned } from "#src/actions/rules/tune.ts";
import { replaceRules } from "#src/actions/rules/write-rules.ts";
import { CURRENT, STARTER } from "#src/app/named-rules.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import type { Output } from "#src/cli/output.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { pointedAt } from "#src/cli/history/filter-caret.ts";
import type { Portion } from "#src/cli/option.ts";
import { excess } from "#src/cli/replay/gates.ts";
import { Rejects } from "#src/cli/replay/rejects.ts";
import { rejectedLines, shareTexts } from "#src/cli/replay/run-text.ts";
import { paragraph } from "#src/cli/report-lines.ts";
import { redrawn } from "#src/cli/progress-bar.ts";
import { wrapped } from "#src/cli/table.ts";
import { usage } from "#src/contract/fault.ts";
import { keptEur, sideShares } from "#src/contract/records/outcome-shares.ts";
import {
  holdsOut,
  readTuneValues,
  type Tried,
  type TuneLimit,
  type Tuning,
} from "#src/contract/records/tuning.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import { paintLine } from "#src/display/span.ts";
import { isoTime } from "#src/display/time.ts";
import { tuneLines, whySentences, whyUnjudged } from "#src/display/tune-lines.ts";
import { labelNotes, untimedText } from "#src/replay/reports/decision-parts.ts";
import { cents, sharesJson } from "#src/replay/reports/outcomes-json.ts";
import { checkRules } from "#src/rules/rule-file/embedded-tests.ts";
import { loadRulesUntested } from "#src/rules/rule-file/rule-file.ts";
import { findNumber } from "#src/rules/rule-file/tuned-number.ts";
import { loadNamedRules } from "./rule-excerpt.ts";
import { expectOneStdin, onlyFilter, readTransactionsInput } from "./rules-backtest.ts";
import type { Asking } from "#src/cli/option-specs.ts";
import type { RULES_TUNE } from "./rules-options.ts";

/** Widest table, in columns. */
const WIDEST = 96;

export const tune: CommandRun<typeof RULES_TUNE> = async (invocation) => {
  const { args, options, output, signal } = invocation;
  const file = args[0]!;
  expectOneStdin(args, options.over);
  if (options.write) expectWritable(file);
  const [param, values] = readParam(options.param);
  const { maxGoodBlocked, minCaught } = options;
  const limits = {
    maxGoodBlocked: limitOf(maxGoodBlocked, (beyond) => beyond <= 0n),
    minCaught: limitOf(minCaught, (beyond) => beyond >= 0n),
  };
  const { ruleSet, name } = await loadNamedRules(invocation, file);
  const number = findNumber(ruleSet, name, param);
  const context = await invocation.context();
  const rejects = new Rejects(options.rejects);
  try {
    const input = {
      ...(await readTransactionsInput(invocation, context)),
      ruleSet,
      number,
      values,
      limits,
      judgeFrom: options.judgeFrom,
    };
    const tuning = await pointedAt(output, onlyFilter(input.sources), () =>
      tuneRules(context, input, signal, eventsOf(output, values.length, rejects)),
    );
    output.progress(null);
    if (!options.json) output.lines(textLines(input, tuning, rejects, output));
    const isPartial = rejects.untaken !== null;
    const written = options.write ? await write(invocation, file, input, tuning, isPartial) : null;
    if (options.json) output.json(tuneJson(tuning, written === null ? null : file));
    for (const { message } of (await context.history()).problems) output.complain(message);
    const code = judge(tuning, rejects, output.complain);
    // A file whose own tests fail is refused until they are changed.
    return code === EXIT.done && written === "failing" ? EXIT.usage : code;
  } finally {
    rejects.close();
    if (options.over.includes("-")) invocation.stdin.destroy();
  }
};

function textLines(
  { labels, stepMs }: TuneInput,
  tuning: Tuned,
  { kept, count }: Rejects,
  { style, columns }: Output,
): string[] {
  const options = { width: Math.min(WIDEST, columns), ascii: style.ascii };
  const lines = whyUnjudged(tuning) === null ? tuneLines(tuning, options) : [];
  const [head = [], ...rest] = lines.map((line) =>
    line.text === "" ? [paintLine(line, style)] : wrapped("", line.text.split(" "), columns, " "),
  );
  const used = usedLabels(labels, tuning.labels);
  const notes = [
    used.origins.length > 0 && `Labels: ${used.origins.join(", ")}.`,
    ...labelNotes(used),
    tuning.untimed > 0 && untimedText({ ...tuning, stepMs }),
  ];
  const told = notes.flatMap((note) => (note === false ? [] : paragraph(note, { columns })));
  return [...head, ...told, ...rest.flat(), ...rejectedLines(kept, count, style)];
}

/** Only a file can be written. @throws Fault("usage") */
function expectWritable(file: string): void {
  if (![CURRENT, STARTER, "-"].includes(file)) return;
  throw usage`--write changes a rule file of your own, and ${file} is not one; write one with "verdict rules print starter > rules.yaml".`;
}

/** @throws Fault("usage") for anything but a name and its values */
function readParam(words: readonly string[]): readonly [string, readonly number[]] {
  const [name, values, ...rest] = words;
  if (name !== undefined && values !== undefined && rest.length === 0) return [name, readTuneValues(values)];
  throw usage`--param takes the name of one number and its values, such as --param BIN_BURST.limit 4..40.`;
}

/** @param admits whether the limit is met, by what a count is beyond it */
function limitOf(portion: Portion | undefined, admits: (beyond: bigint) => boolean): TuneLimit | null {
  if (portion === undefined) return null;
  return {
    text: portion.text,
    admits: ({ part, whole }) => whole > 0 && admits(excess(part, whole, portion)),
  };
}

function eventsOf(output: Output, values: number, rejects: Rejects): (event: TuneEvent) => void {
  const redraw = redrawn(output);
  return (event) => {
    if (event.type === "rejected") return rejects.take(event.line);
    const { taken, fraction } = event;
    const what = `${counted(values, "value")} on ${counted(taken, "payment")}`;
    redraw(() => [...shareTexts(fraction, output.style), what].join("  "));
  };
}

/**
 * Writes the proposed value after a question; null where nothing was to write, or it was not wanted.
 * @returns whether the tests of the file pass with it
 * @param isPartial some payments could not be read
 */
async function write(
  invocation: Invocation<Asking>,
  file: string,
  { ruleSet, number }: TuneInput,
  tuning: Tuning,
  isPartial: boolean,
): Promise<"passing" | "failing" | null> {
  const { output } = invocation;
  const { proposed, levels, param } = tuning;
  const why = isPartial
    ? "lines were rejected"
    : proposed?.isToday
      ? "today's value is proposed"
      : holdsOut(tuning)
        ? null
        : "the proposed value does not keep the limits on the payments that are held out";
  if (proposed === null || why !== null) {
    output.complain(`Nothing was written: ${why ?? "no value is proposed"}.`);
    return null;
  }
  const text = number.written(proposed.value, levels);
  const failing = checkRules(await loadRulesUntested(text, file)).filter(({ ok }) => !ok);
  const what = `${param} ${proposed.value} into ${escapeText(file, 200)}`;
  if (!(await confirm(invocation, `Write ${what}?`, "Stopped; nothing was written."))) {
    output.complain("Nothing was written.");
    return null;
  }
  await replaceRules(file, ruleSet.text, text);
  if (failing.length > 0) {
    const names = failing.map(({ code, name, line }) => `"${escapeText(name)}" of ${code}, line ${line}`);
    output.complain(
      `${counted(names.length, "test of the file fails", "tests of the file fail")} now and must be changed before the file can be used: ${names.join("; ")}.`,
    );
  }
  if (!invocation.options.json) output.line(`Wrote ${what}.`);
  return failing.length > 0 ? "failing" : "passing";
}

/** 8 where no value meets the limits, or the proposed one does not on the payments that are held out, 2 where nothing can be judged or lines were rejected. */
function judge(tuning: Tuning, rejects: Rejects, complain: (text: string) => void): number {
  const code = rejects.judge(complain);
  if (code === EXIT.notWritten) return code;
  const unjudged = whyUnjudged(tuning);
  if (unjudged !== null) {
    complain(unjudged);
    return EXIT.usage;
  }
  return tuning.proposed === null || !holdsOut(tuning) ? EXIT.expectation : code;
}

/** What `verdict rules tune --json` prints. @param written name of the file; null where nothing was written */
function tuneJson(tuning: Tuning, written: string | null) {
  const {
    param,
    levels,
    present,
    total,
    withoutRate,
    today,
    values,
    limits,
    proposed,
    threeDsStops,
    heldOut,
  } = tuning;
  // As a back-test prints a side.
  const triedJson = (tried: Tried) => ({
    shares: sharesJson(sideShares(tried), true),
    eur_shares: sharesJson(sideShares(tried, "eur"), false),
    kept_eur: cents(keptEur(tried, threeDsStops[0])),
    kept_eur_range: threeDsStops.map((stops) => cents(keptEur(tried, stops))),
  });
  return {
    schema: 1,
    type: "tune",
    param,
    levels,
    present,
    total,
    without_rate: withoutRate,
    max_good_blocked: limits.maxGoodBlocked?.text ?? null,
    min_caught: limits.minCaught?.text ?? null,
    // Of the fraud sent to 3-D Secure; money is kept by the first of them, and has a sum for each in the range.
    three_ds_stops: threeDsStops,
    today: triedJson(today),
    // Payments by which no value is chosen; null where none are held out.
    held_out: heldOut && { from: isoTime(heldOut.from), today: triedJson(heldOut.today) },
    values: values.map((tried) => ({
      value: tried.value,
      today: tried.isToday,
      frontier: tried.onFrontier,
      ...triedJson(tried),
      held_out: tried.heldOut && triedJson(tried.heldOut),
    })),
    proposed: proposed?.value ?? null,
    why: whyUnjudged(tuning) === null ? whySentences(tuning) : [],
    written,
  };
}
