// verdict payload import: takes payments out of foreign files, shows the first, and writes all as payloads.

import {
  importedEnvelope,
  importPayloads,
  writeImported,
  type Imported,
  type NamedDocument,
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
/** Rows that are looked at while none of them is a payment: a recording may have many other requests ahead. */
const LOOKED_AT = 1_000;
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
  const named = async (option: string, wanted: string): Promise<NamedDocument | null> => {
    const name = options.text(option);
    if (name === undefined) return null;
    return { bytes: await readDocument(name, () => invocation.stdin, signal, wanted), source: safe(name) };
  };
  const input = {
    files: args as readonly string[],
    words,
    template: await named("template", "a payload as JSON"),
    variables: {
      environment: await named("environment", "an environment of Postman"),
      data: options.text("data") ?? null,
    },
    stdin: lazyStdin(invocation),
  };
  const stopped = "Stopped; nothing was written.";
  // A pipe that nobody writes to would be waited for.
  signal.addEventListener("abort", () => void invocation.stdin.destroy(new Fault("interrupted", stopped)));
  const found = importPayloads(context, input, signal, progressBar(output, "importing"));
  try {
    const first = await takeFirst(found);
    const shown = first.filter((one, index) => index < TRIED || "item" in one);
    output.progress(null);
    if (!options.flag("json") && out !== STDOUT) showFirst(invocation, context, shown);
    requireOne(first);
    const question = `Write all payments to ${escapeText(out ?? "")}?`;
    const isWanted = out === STDOUT || (out !== undefined && (await confirm(invocation, question, stopped)));
    const goal = isWanted ? out : null;
    const payments = taken.from(first, goal === null ? none() : found);
    if (goal === STDOUT) await print(invocation, payments);
    else if (goal !== null) await writeImported(goal, payments);
    else for await (const _ of payments) continue;
    output.progress(null);
    const map = goal === null ? null : saveAs;
    if (map !== null) await (await context.importMaps()).put({ ...words, name: map });
    finish(invocation, taken, { out: goal, map, first: shown });
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

async function takeFirst(found: AsyncGenerator<Found>): Promise<Found[]> {
  const first: Found[] = [];
  for (let isPayment = false; first.length < (isPayment ? TRIED : LOOKED_AT);) {
    const next = await found.next();
    if (next.done === true) break;
    first.push(next.value);
    isPayment ||= "item" in next.value;
  }
  return first;
}

async function* none(): AsyncGenerator<never> {}

/** @throws Fault("bad_input") with the first reason when nothing could be taken */
function requireOne(first: readonly Found[]): void {
  if (first.some((found) => "item" in found)) return;
  const reasons = first.filter((found) => "why" in found);
  const none =
    reasons.length > 1 ? `, because none of the first ${counted(reasons.length, "row")} could be taken` : "";
  const [reason = { place: "the files", why: "They hold no payment." }] = reasons;
  throw new Fault("bad_input", `Nothing was written${none}: ${reason.place}: ${reason.why}`);
}

function showFirst({ output }: Invocation, { profile }: Context, first: readonly Found[]): void {
  const { style } = output;
  output.line(style.paint("heading", "The first rows as payments, personal data masked"));
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
function maskedEnvelope(found: Imported): Readonly<Record<string, unknown>> {
  const { item, name } = found;
  const hide = (text: string): string => redactText(text, item.request);
  const tags = item.tags.map(hide);
  const shown = importedEnvelope({
    ...found,
    name: name === null ? null : hide(name),
    item: { ...item, tags },
  });
  return { ...shown, request: redactRequest(item.request) };
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
): void {
  const { payloads, sentences: warned } = warnings.sum();
  const where = done.out === STDOUT ? "standard output" : escapeText(done.out ?? "");
  const sentences = [
    done.out === null
      ? "Nothing was written; --out FILE.ndjson writes all payments."
      : `${counted(count, "payment")} written to ${where}, with the personal data of payers.`,
    done.map === null ? null : `Map ${done.map} saved; --with ${done.map} uses it again.`,
  ];
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
