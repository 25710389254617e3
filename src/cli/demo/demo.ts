// verdict demo: presents a deck on a temporary sandbox, on the presenter's screen or in plain text.

import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { planReport } from "#src/actions/replay/write-report.ts";
import { unexpectedChecks } from "#src/actions/sandbox/demo-frame.ts";
import { openDemo, type Demo, type DemoFrame, type OpenedDemo } from "#src/actions/sandbox/demo.ts";
import { createWhole } from "#src/actions/whole-file.ts";
import { deckFiles } from "#src/app/deck-files.ts";
import { openEphemeral } from "#src/app/ephemeral.ts";
import { readText } from "#src/app/read-input.ts";
import type { DEMO } from "#src/cli/command-options.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT, type ExitCode } from "#src/cli/exit-code.ts";
import type { Values } from "#src/cli/option.ts";
import { interrupted, usage, whole } from "#src/contract/fault.ts";
import { AUDIENCE_WORDS, saidIn } from "#src/display/audience-words.ts";
import { deckSize, deckText, isEnglish, PIPED_DECK, unexpectedText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import { BUILT_IN_DECKS, builtInDeck, isBuiltInDeck } from "#src/replay/decks/built-in-decks.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import { checkCount, type Deck } from "#src/replay/decks/deck.ts";
import { consoleGate } from "#src/terminal/gate.ts";
import { dayJson, deckJson, deckSummaryJson, frameJson } from "./deck-json.ts";
import { deckHeading, frameLines } from "./deck-text.ts";
import { readRecording, recorded } from "./demo-recording.ts";
import { follow } from "./follow.ts";

type Presenting = Invocation<typeof DEMO>;

export const demo: CommandRun<typeof DEMO> = async (invocation) => {
  const { options, output } = invocation;
  if (options.list) return listDecks(invocation);
  if (options.follow) return follow(invocation);
  if (options.check) return checkDeck(invocation);
  const autoS = options.auto ?? null;
  const page = plannedPage(options);
  const deck = await namedDeck(invocation);
  const from = options.from ?? null;
  const gate = { env: invocation.env, stdout: { isTTY: output.isTerminal }, stdin: invocation.stdin };
  const plain = options.plain || options.json || Boolean(invocation.env["CI"]);
  const onScreen = !plain && consoleGate(gate).ok;
  const chosen = deck ?? builtInDeck(BUILT_IN_DECKS[0]!);
  if (from !== null && from > chosen.steps.length)
    throw usage`${safe(chosen.name)} has ${chosen.steps.length} steps, and no step ${from} to begin at.`;
  const recording = readRecording(invocation, onScreen);
  if (recording !== null) {
    let shown: readonly DemoFrame[] = [];
    const exit = await recorded(
      invocation,
      { deck: chosen, autoS, notes: false, from },
      recording,
      async (frames) => {
        shown = frames;
        // A terminal that is made up has no shell to come back to, where they are said.
        if (recording.size !== null) for (const sentence of surprises(frames)) output.complain(sentence);
        if (page !== null) await writePage(invocation, page, chosen, frames);
      },
    );
    return exit === EXIT.done && shown.some(isUnanswered) ? EXIT.unknown : exit;
  }
  if (onScreen && page === null) {
    return invocation.openConsole("sandbox", {
      deck: from === null ? deck : chosen,
      autoS,
      notes: options.notes,
      from,
    });
  }
  return play(invocation, chosen, page);
};

function listDecks({ options, output }: Presenting): void {
  const decks = BUILT_IN_DECKS.map(builtInDeck);
  if (options.json) for (const deck of decks) output.json(deckJson(deck));
  else {
    const rows = decks.map((deck) => [
      deck.name,
      String(deck.steps.length),
      String(checkCount(deck)),
      String(deck.steps.filter(({ stream }) => stream !== null).length),
      deck.title,
    ]);
    output.table(["DECK", "STEPS", "CHECKS", "DAYS", "TITLE"], rows, [1, 2, 3]);
  }
}

/** Plays a deck unseen, with the tests of its rules, and lists the words that its audience reads in English. */
async function checkDeck(invocation: Presenting): Promise<ExitCode> {
  const { output } = invocation;
  const deck = (await namedDeck(invocation)) ?? builtInDeck(BUILT_IN_DECKS[0]!);
  output.line(`${deckText(deck.name)} is a deck of ${deckSize(deck)}.`);
  wordLines(invocation, deck);
  const exit = await play(invocation, deck, null);
  if (exit === EXIT.done) output.line("Its rules pass their tests, and no verdict is unexpected.");
  return exit;
}

function wordLines({ output }: Presenting, deck: Deck): void {
  const all = Object.entries(AUDIENCE_WORDS);
  const english = all.filter(([word]) => !deck.words.has(word));
  if (isEnglish(deck)) return output.line("Its audience reads English.");
  if (english.length === 0) return output.line("All of its words are its own.");
  output.line(`${english.length} of ${all.length} words stay English:`);
  output.table(["WORD", "ENGLISH"], english);
}

/** A built-in deck or a file; null when none is named. */
async function namedDeck(invocation: Invocation): Promise<Deck | null> {
  const { args, signal } = invocation;
  const name = args[0];
  if (name === undefined) return null;
  if (isBuiltInDeck(name)) return builtInDeck(name);
  if (name !== "-" && !existsSync(name)) {
    throw usage`There is no deck "${name}": it is neither a file nor one of ${whole(BUILT_IN_DECKS.join(", "))}. "verdict examples FOLDER" writes a sample.`;
  }
  const file = name === "-" ? "standard input" : safe(name);
  const text = await readText(name, () => invocation.stdin, signal, "a YAML file");
  const isPiped = name === "-";
  return readDeck(text, {
    file,
    name: isPiped ? PIPED_DECK : basename(name),
    files: deckFiles(isPiped ? "." : dirname(name)),
  });
}

/** Opens a deck on temporary sandboxes, and removes them afterwards. */
export async function onDemo<T>(
  { env, executable, signal, output }: Invocation,
  deck: Deck,
  options: NonNullable<Parameters<typeof openDemo>[3]>,
  work: (running: Demo) => Promise<T>,
): Promise<T> {
  const onProblem = ({ message }: { readonly message: string }): void => output.complain(message);
  let running: OpenedDemo | null = null;
  try {
    output.progress("Preparing the sandbox");
    running = await openDemo(
      (seed, startAt) => openEphemeral({ env, executable, seed, startAt, onProblem }),
      deck,
      signal,
      options,
    );
    return await work(running);
  } catch (error) {
    // The user stopped the deck; the error of the running call does not matter.
    if (signal.aborted) throw interrupted`The deck was stopped.`.causedBy(error);
    throw error;
  } finally {
    await running?.end();
  }
}

function play(invocation: Presenting, deck: Deck, page: string | null): Promise<ExitCode> {
  const onDecided = (share: number): void =>
    invocation.output.progress(`Deciding the day: ${Math.floor(share * 100)} %`);
  return onDemo(invocation, deck, { asks: page !== null, onDecided }, (running) =>
    show(invocation, deck, running, page),
  );
}

async function show(
  invocation: Presenting,
  deck: Deck,
  running: Demo,
  page: string | null,
): Promise<ExitCode> {
  const { options, output, signal } = invocation;
  const notes = options.notes;
  // A page alone is not told as text as well.
  const told = !options.check && (page === null || options.json || options.plain);
  const frames: DemoFrame[] = [];
  if (told && !options.json) output.lines(deckHeading(deck, output));
  const next = (): Promise<DemoFrame | null> => running.forward(signal);
  for (let frame = await next(); frame !== null; frame = await next()) {
    if (signal.aborted) throw interrupted`The deck was stopped.`;
    frames.push(frame);
    if (frame.index + 1 < (options.from ?? 1)) output.progress(`Step ${frame.index + 1} of ${frame.total}`);
    else if (told && options.json)
      output.json(frame.kind === "check" ? frameJson(frame, notes) : dayJson(frame, notes));
    else if (told)
      for (const line of frameLines(frame, { output, notes, say: saidIn(deck.words) })) output.line(line);
    else output.progress(`Step ${frame.index + 1} of ${frame.total}`);
  }
  const wrong = surprises(frames);
  if (told && options.json) output.json(deckSummaryJson(deck, wrong.length));
  if (page !== null) await writePage(invocation, page, deck, frames);
  for (const sentence of wrong) output.complain(sentence);
  if (wrong.length > 0) return EXIT.expectation;
  const unanswered = frames.find(isUnanswered);
  if (unanswered === undefined) return EXIT.done;
  // Told or on the page it is seen.
  if (options.check) output.complain(`Step ${unanswered.index + 1}: no trustworthy verdict came.`);
  return EXIT.unknown;
}

/** A sentence for each verdict that the deck does not expect. */
function surprises(frames: readonly DemoFrame[]): string[] {
  return unexpectedChecks(frames).map((frame) => unexpectedText(frame));
}

/** A check without a trustworthy answer that the deck did not ask for. */
export function isUnanswered(frame: DemoFrame): boolean {
  if (frame.kind !== "check" || frame.fault !== null) return false;
  const shown = frame.sides.length === 0 ? frame.entries.slice(-1) : frame.sides.map(({ entry }) => entry);
  return shown.some(({ result }) => result?.outcome !== "answered");
}

/**
 * The file of `--export`; null where none was asked for. Called before anything starts.
 * @throws Fault("usage") for another kind than a page, and as `planReport` does
 */
export function plannedPage(options: Values<typeof DEMO>): string | null {
  if (options.export === undefined) return null;
  if (!/^html=|\.html?$/i.test(options.export)) {
    throw usage`A deck is exported as a page only; write --export html=FILE.`;
  }
  return planReport(options.export, "add --yes, or name another file", options.yes).path;
}

/** Writes the page, 0600, and names it. @throws Fault("usage" | "storage") as `createWhole` does */
export async function writePage(
  { options, output, storyPage }: Invocation<typeof DEMO>,
  path: string,
  deck: Deck,
  frames: readonly DemoFrame[],
): Promise<void> {
  const page = await storyPage(deck, frames, { notes: options.notes });
  await createWhole(path, [page], options.yes);
  output.note(`Wrote ${safe(path)}.`);
}
