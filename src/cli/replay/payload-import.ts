// verdict payload import: takes payments out of foreign files, shows the first, and writes all as payloads.

import {
  importedEnvelope,
  importPayloads,
  writeImported,
  type Imported,
} from "#src/actions/replay/import-payloads.ts";
import { expectNewFile } from "#src/actions/whole-file.ts";
import type { Context } from "#src/app/context.ts";
import { lazyStdin, readDocument } from "#src/app/read-input.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { Fault } from "#src/contract/fault.ts";
import type { ImportWords } from "#src/contract/records/import-map.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import { redactRequest, redactText } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import type { Untaken } from "#src/replay/imports/candidate.ts";
import { WarningTally } from "#src/replay/warning-tally.ts";
import { readMapName, savedMap, sameWords } from "./payload-map.ts";
import { Rejects } from "./rejects.ts";

/** Rows that are converted and shown before anything is written. */
const TRIED = 10;
const WARNINGS_SHOWN = 3;
const STDOUT = "-";

type Found = Imported | Untaken;

export const importFiles: CommandRun = async (invocation) => {
  const { args, options, output, signal } = invocation;
  const out = options.flag("try") ? undefined : options.text("out");
  if (out === STDOUT && options.flag("json")) {
    throw new Fault(
      "usage",
      "--out - prints the payloads, and --json something else; leave one of them out.",
    );
  }
  if (out !== undefined && out !== STDOUT) expectNewFile(out);
  const context = await invocation.context();
  const words = await readWords(invocation, context);
  const saveAs = await mapToSave(invocation, context, words);
  const rejects = new Rejects(options.text("rejects"));
  const taken = new Taken(rejects);
  const template = options.text("template");
  const input = {
    files: args as readonly string[],
    words,
    template:
      template === undefined
        ? null
        : {
            bytes: await readDocument(template, () => invocation.stdin, signal, "a payload as JSON"),
            source: safe(template),
          },
    stdin: lazyStdin(invocation),
  };
  const found = importPayloads(context, input, signal, progressBar(output, "importing"));
  try {
    const first = await takeFirst(found, TRIED);
    output.progress(null);
    if (!options.flag("json") && out !== STDOUT) showFirst(invocation, context, first);
    requireOne(first);
    if (out === undefined) {
      for await (const _ of taken.from(first, none())) continue;
      finish(
        invocation,
        taken,
        { out: null, map: null, first },
        "Nothing was written; --out FILE.ndjson writes all payments.",
      );
      return exitCode(invocation, taken);
    }
    const question = `Write all payments to ${escapeText(out)}?`;
    if (out !== STDOUT && !(await confirm(invocation, question, "Stopped; nothing was written."))) {
      finish(invocation, taken, { out: null, map: null, first }, "Nothing was written.");
      return EXIT.done;
    }
    if (out === STDOUT) await print(invocation, taken.from(first, found));
    else await writeImported(out, taken.from(first, found));
    output.progress(null);
    if (saveAs !== null) await (await context.importMaps()).put({ ...words, name: saveAs });
    const payments = counted(taken.count, "payment");
    finish(
      invocation,
      taken,
      { out, map: saveAs, first },
      `${payments} written to ${out === STDOUT ? "standard output" : escapeText(out)}, with the personal data of payers.`,
      saveAs === null ? null : `Map ${saveAs} saved; --with ${saveAs} uses it again.`,
    );
    return exitCode(invocation, taken);
  } finally {
    output.progress(null);
    await found.return(undefined);
    rejects.close();
  }
};

/** The words of the options, after those of the map that --with names. @throws Fault("usage") for an unknown map */
async function readWords({ options }: Invocation, context: Context): Promise<ImportWords> {
  const name = options.text("with");
  const saved = name === undefined ? null : await savedMap(await context.importMaps(), name);
  const names = (option: string): string[] =>
    options.list(option).flatMap((text) => text.split(",").map((each) => each.trim()));
  return {
    map: [...(saved?.map ?? []), ...options.list("map")],
    set: [...(saved?.set ?? []), ...options.list("set")],
    ignore: [...(saved?.ignore ?? []), ...names("ignore")].filter((each) => each !== ""),
    ignoreOthers: saved?.ignoreOthers === true || options.flag("ignoreOthers"),
    reducePan: [...(saved?.reducePan ?? []), ...options.list("reducePan")],
  };
}

/** The name under which the words are kept in the end; null for none. @throws Fault("usage") for a name that has other words */
async function mapToSave(
  { options }: Invocation,
  context: Context,
  words: ImportWords,
): Promise<string | null> {
  const name = options.text("saveMap");
  if (name === undefined) return null;
  const held = await (await context.importMaps()).get(readMapName(name));
  if (held === null || sameWords(held, words)) return name;
  throw new Fault(
    "usage",
    `There is another map "${name}" already; choose another name, or remove that one with "verdict payload map remove ${name}".`,
  );
}

/** Counts what was taken, and sets the rest aside. */
class Taken {
  readonly rejects: Rejects;
  readonly warnings = new WarningTally();
  count = 0;

  constructor(rejects: Rejects) {
    this.rejects = rejects;
  }

  async *from(first: readonly Found[], rest: AsyncIterable<Found>): AsyncGenerator<Imported> {
    for (const found of first) if (this.#take(found)) yield found;
    for await (const found of rest) if (this.#take(found)) yield found;
  }

  #take(found: Found): found is Imported {
    if ("why" in found) {
      this.rejects.take({ origin: found.place, message: found.why });
      return false;
    }
    this.count += 1;
    this.warnings.take(found.item.warnings ?? []);
    return true;
  }
}

async function takeFirst(found: AsyncGenerator<Found>, most: number): Promise<Found[]> {
  const first: Found[] = [];
  while (first.length < most) {
    const next = await found.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  return first;
}

async function* none(): AsyncGenerator<never> {}

/** @throws Fault("bad_input") with the first reason when nothing could be taken */
function requireOne(first: readonly Found[]): void {
  if (first.some((found) => "item" in found)) return;
  const [found] = first;
  throw new Fault(
    "bad_input",
    found === undefined || !("why" in found)
      ? "The files hold no payment; nothing was written."
      : `Nothing was written, because none of the first ${counted(first.length, "row")} could be taken: ${found.place}: ${found.why}`,
  );
}

function showFirst({ output }: Invocation, { profile }: Context, first: readonly Found[]): void {
  const { style } = output;
  output.line(
    style.paint("heading", `The first ${counted(first.length, "row")} as payments, personal data masked`),
  );
  for (const found of first) {
    if ("why" in found) {
      output.line(`  ${found.place}  ${style.paint("warning", "not taken")}: ${found.why}`);
      continue;
    }
    const { amount, currency } = found.item.request;
    output.line(`  ${found.place}  ${safe(formatMoney(amount, currency, profile.amountUnit))}`);
    output.line(`    ${safeJson(maskedEnvelope(found))}`);
  }
}

/** The envelope with personal data masked. */
function maskedEnvelope(found: Imported): object {
  const { request } = found.item;
  const envelope = JSON.stringify({ ...importedEnvelope(found), request: undefined });
  return { ...(JSON.parse(redactText(envelope, request)) as object), request: redactRequest(request) };
}

async function print({ output, signal }: Invocation, imported: AsyncIterable<Imported>): Promise<void> {
  for await (const one of imported) {
    output.exact(`${safeJson(importedEnvelope(one))}\n`);
    await output.drained(signal);
    if (output.isUnread) return;
  }
}

/** Says what was done, and on standard error what was not taken. */
function finish(
  { options, output }: Invocation,
  { count, rejects, warnings }: Taken,
  done: { readonly out: string | null; readonly map: string | null; readonly first: readonly Found[] },
  ...sentences: readonly (string | null)[]
): void {
  const { payloads, sentences: warned } = warnings.sum();
  if (done.out === STDOUT) {
    for (const sentence of sentences) if (sentence !== null) output.note(sentence);
  } else {
    sayDone(
      { options, output },
      {
        out: done.out,
        map: done.map,
        payments: count,
        not_taken: rejects.count,
        first: done.first.map((found) =>
          "why" in found ? found : { place: found.place, payload: maskedEnvelope(found) },
        ),
        rejected: rejects.kept,
        warnings: { payloads, sentences: warned },
      },
      ...sentences,
    );
  }
  for (const { message, count: times } of warned.slice(0, WARNINGS_SHOWN))
    output.note(`Warning, in ${counted(times, "payment")}: ${safe(message)}`);
  if (rejects.count === 0) return;
  // Those of the first rows stand above.
  const isShown = done.out !== STDOUT && !options.flag("json");
  const shown = isShown ? done.first.filter((found) => "why" in found).length : 0;
  for (const { origin, message } of rejects.kept.slice(shown)) output.complain(`${origin}: ${message}`);
  const more = rejects.count - rejects.kept.length;
  const rest = more > 0 ? ` (${more} of them are not shown here)` : "";
  const advice = options.text("rejects") === undefined ? "; --rejects FILE lists all of them" : "";
  output.complain(`${counted(rejects.count, "row was", "rows were")} not taken${rest}${advice}.`);
}

function exitCode({ options, output }: Invocation, { rejects }: Taken): number {
  rejects.close();
  if (rejects.failure !== null) {
    output.complain(rejects.failure.message);
    return EXIT.notWritten;
  }
  return rejects.count > 0 && options.text("rejects") === undefined ? EXIT.usage : EXIT.done;
}
