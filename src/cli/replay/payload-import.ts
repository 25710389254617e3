// verdict payload import: takes payments out of foreign files, shows the first, and writes all as payloads.

import {
  guessImport,
  importedEnvelope,
  importPayloads,
  STOPPED,
  type Imported,
} from "#src/actions/replay/import-payloads.ts";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { lazyStdin, readDocument } from "#src/app/read-input.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { openOutput } from "#src/cli/output-file.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { redactRequest, redactText } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { NO_WORDS, savedWords, type ImportWords } from "#src/replay/imports/import-map.ts";
import { WarningTally } from "#src/replay/warning-tally.ts";
import { Rejects } from "./rejects.ts";
import { warningLines } from "./replay-text.ts";
import { rejectedLines } from "./run-text.ts";
import type { IMPORT } from "./replay-options.ts";

/** Payments that are shown before anything is written. */
const TRIED = 10;

export const importFiles: CommandRun<typeof IMPORT> = async (invocation) => {
  const { args, options, signal } = invocation;
  if (options.guess) return guess(invocation);
  const { output: out, saveMap, rejects: aside } = options.try ? ({} as Partial<typeof options>) : options;
  const data = out === undefined ? null : openOutput(invocation);
  if (saveMap !== undefined) expectNewFile(saveMap);
  const output = data?.report ?? invocation.output;
  const context = await invocation.context();
  const words = await readWords(invocation);
  const rejects = new Rejects(aside, "written");
  const template = await readNamed(invocation, options.template, "a payload as JSON");
  const input = {
    files: args as readonly string[],
    words,
    template,
    data: options.data ?? null,
    stdin: lazyStdin(invocation),
  };
  // A pipe that nobody writes to would be waited for.
  signal.addEventListener("abort", () => {
    // An error that nobody hears would end the process before the unfinished file is removed.
    invocation.stdin.on("error", () => undefined).destroy(new Fault("interrupted", whole(STOPPED)));
  });
  const warnings = new WarningTally();
  const labels: LabelCounts = new Map();
  let count = 0;
  let leftOut = 0;
  async function* taken(): AsyncGenerator<Imported> {
    for await (const found of importPayloads(context, input, signal, progressBar(output, "importing"))) {
      if ("why" in found) rejects.take({ origin: found.place, message: found.why });
      else if ("leftOut" in found) leftOut += 1;
      else if ("note" in found) output.note(found.note);
      else {
        count += 1;
        labels.set(found.item.label, (labels.get(found.item.label) ?? 0) + 1);
        warnings.take(found.item.warnings ?? []);
        yield found;
      }
    }
  }
  const payments = taken();
  const first: Imported[] = [];
  async function* lines(): AsyncGenerator<string> {
    for (const one of first) yield `${safeJson(importedEnvelope(one))}\n`;
    for await (const one of payments) yield `${safeJson(importedEnvelope(one))}\n`;
  }
  try {
    for (let next; first.length < TRIED && (next = await payments.next()).done !== true;)
      first.push(next.value);
    output.progress(null);
    const [reason = { origin: "the files", message: "They hold no payment." }] = rejects.kept;
    if (first.length === 0) {
      const none =
        rejects.count > 1 ? `, because ${counted(rejects.count, "row")} could not be read as payments` : "";
      throw badInput`Nothing was written${none}: ${whole(reason.origin)}: ${whole(reason.message)}`;
    }
    const shown = first.map((one) => ({ place: one.place, payload: maskedEnvelope(one) }));
    if (!options.json) {
      output.line(output.style.paint("heading", "The first payments, personal data masked"));
      for (const [at, { place, payload }] of shown.entries()) {
        const { amount, currency } = first[at]!.item.request;
        const money = safe(formatMoney(amount, currency, context.profile.amountUnit));
        output.line(`  ${place}  ${money}  ${safeJson(payload)}`);
      }
    }
    const to = data?.file ?? "standard output";
    const isWritten = data !== null && (await confirm(invocation, `Write all payments to ${to}?`, STOPPED));
    const map = (isWritten && saveMap) || null;
    if (isWritten) await data.write(lines());
    if (map !== null) await createWhole(map, [`${JSON.stringify(words, null, 2)}\n`]);
    output.progress(null);
    rejects.close();
    const sum = warnings.sum();
    sayDone(
      { options, output },
      {
        out: isWritten ? out : null,
        map,
        payments: count,
        not_taken: rejects.count,
        left_out: leftOut,
        labels: Object.fromEntries(LABELS.map((label) => [label, labels.get(label) ?? 0])),
        first: shown,
        rejected: rejects.kept,
        warnings: sum,
      },
      ...warningLines(sum, output.style),
      ...rejectedLines(rejects.kept, rejects.count, output.style),
      isWritten
        ? `${counted(count, "payment")} written to ${to}, with the personal data of payers.`
        : "Nothing was written; --output FILE.ndjson writes all payments.",
      labelText(labels, isWritten),
      leftOut === 0 ? null : `${counted(leftOut, "row")} left out by --only.`,
      map === null ? null : `Map saved; --with ${escapeText(map)} uses it again.`,
    );
    return rejects.judge(output.complain);
  } finally {
    output.progress(null);
    await payments.return(undefined);
    rejects.close();
  }
};

/** Prints a first map or saves it, and says what to look at. */
async function guess(invocation: Invocation<typeof IMPORT>): Promise<void> {
  const { args, options, output, signal } = invocation;
  if (options.saveMap !== undefined) expectNewFile(options.saveMap);
  const input = { files: args as readonly string[], stdin: lazyStdin(invocation) };
  const { words, notes } = await guessImport(await invocation.context(), input, signal);
  const text = JSON.stringify(words, null, 2);
  for (const note of notes) output.note(note);
  if (options.saveMap === undefined) output.line(text);
  else await createWhole(options.saveMap, [`${text}\n`]);
  const name = options.saveMap === undefined ? "MAP" : escapeText(options.saveMap);
  output.note(`This map is a guess: read it, edit it, and see what it gives with --with ${name} --try.`);
}

/** Payments of each label, and of none. */
type LabelCounts = Map<Label | undefined, number>;

/** `Labels: 3 fraud, 150 good, 47 without a label`; null where no payment has one. */
function labelText(counts: LabelCounts, isAll: boolean): string | null {
  if (LABELS.every((label) => !counts.has(label))) return null;
  const known = LABELS.filter((label) => counts.has(label)).map(
    (label) => `${formatCount(counts.get(label)!)} ${label}`,
  );
  const none = counts.get(undefined) ?? 0;
  const all = [...known, ...(none === 0 ? [] : [`${formatCount(none)} without a label`])].join(", ");
  return `Labels${isAll ? "" : " of these"}: ${all}.`;
}

/** The words of the options, after those of the map that --with names. @throws Fault("bad_input") for a file that is no map */
async function readWords(invocation: Invocation<typeof IMPORT>): Promise<ImportWords> {
  const { options } = invocation;
  const file = await readNamed(invocation, options.with, "a map that --save-map wrote");
  const saved = file === null ? NO_WORDS : savedWords(file.bytes, file.source);
  const ignored = options.ignore.flatMap((text) => text.split(",").map((each) => each.trim()));
  return {
    map: [...saved.map, ...options.map],
    set: [...saved.set, ...options.set],
    ignore: [...saved.ignore, ...ignored.filter((each) => each !== "")],
    only: [...saved.only, ...options.only],
    reducePan: [...saved.reducePan, ...options.reducePan],
    ignoreOthers: saved.ignoreOthers || options.ignoreOthers,
  };
}

/** The file that an option names, and its name in messages; null without the option. */
async function readNamed({ stdin, signal }: Invocation, name: string | undefined, wanted: string) {
  if (name === undefined) return null;
  return { bytes: await readDocument(name, () => stdin, signal, wanted), source: safe(name) };
}

/** The envelope with personal data masked. */
function maskedEnvelope(found: Imported): Readonly<Record<string, unknown>> {
  const { item, name } = found;
  const hide = (text: string): string => redactText(text, item.request);
  const masked = {
    ...found,
    name: name && hide(name),
    item: { ...item, tags: item.tags.map(hide) },
  };
  return { ...importedEnvelope(masked), request: redactRequest(item.request) };
}
