// verdict demo --follow: the presenter's notes on a second terminal, move by move.

import { followNotes } from "#src/app/notes-socket.ts";
import type { DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import type { Invocation } from "#src/cli/command.ts";
import type { Json } from "#src/cli/option-specs.ts";
import type { Output } from "#src/cli/output.ts";
import { usage } from "#src/contract/fault.ts";
import { formatCountdown } from "#src/display/time.ts";
import { FINAL_ACTION, paintedVerdict } from "#src/display/verdict.ts";
import { wrapped } from "./deck-text.ts";

const TICK_MS = 1_000;
const INDENT = "   ";
const WAITING = 'Waiting for a deck; start one with "verdict demo" on another terminal. Ctrl-C leaves.';

/** Goes on until Ctrl-C. @throws Fault("usage") for a deck, which is presented elsewhere */
export async function follow({ args, options, output, home, signal }: Invocation<Json>): Promise<void> {
  if (args[0] !== undefined) {
    throw usage`--follow shows the deck of another terminal; leave the name of the deck out.`;
  }
  let shown = "";
  let latest: DeckNotes | null = null;
  const tick = setInterval(() => {
    if (latest !== null) output.progress(clockText(latest));
  }, TICK_MS);
  try {
    for await (const notes of followNotes(home, signal)) {
      if (output.isUnread) break;
      latest = notes;
      if (options.json) {
        if (notes !== null) output.json(notes);
        continue;
      }
      // A pause changes the time alone, which the last line shows.
      const move = JSON.stringify({ ...notes, next_at: null });
      if (move !== shown) {
        if (shown !== "") output.line();
        output.lines(notes === null ? wrapped(WAITING, "", output) : moveLines(notes, output));
      }
      shown = move;
      output.progress(notes === null ? null : clockText(notes));
    }
  } finally {
    clearInterval(tick);
    output.progress(null);
  }
}

function moveLines(notes: DeckNotes, output: Output): string[] {
  const { place, say, note, next, problem } = notes;
  const said = (label: string, text: string): string[] => wrapped(`${label}: ${text}`, INDENT, output);
  return [
    output.style.paint("heading", `${placeText(notes)}   ${elapsed(notes)}`),
    ...(say === null ? [] : said("The audience reads", say)),
    ...verdictLines(notes, output),
    ...(note === null
      ? place === "step"
        ? [`${INDENT}Nothing is noted for this step.`]
        : []
      : said("Note", note).map((line) => output.style.paint("heading", line))),
    ...(next === null ? [] : said("Next", next)),
    ...(problem === null ? [] : said("It cannot go on", problem)),
  ];
}

function placeText({ place, deck, step, steps, attempt, attempts }: DeckNotes): string {
  if (place === "title") return `${deck}: ready to begin`;
  if (place === "end") return `${deck}: the end`;
  const repeated = attempts !== null && attempts > 1 ? `, attempt ${attempt} of ${attempts}` : "";
  return `Step ${step} of ${steps}${repeated}`;
}

function verdictLines(
  { verdicts, as_expected, expected, final_action, sentences }: DeckNotes,
  output: Output,
) {
  const shown = verdicts.map(({ side, verdict }) => {
    const words = paintedVerdict(verdict, output.style);
    return side === null ? words : `${side} ${words}`;
  });
  const asked = verdicts.length > 1 ? undefined : verdicts.find(({ verdict }) => verdict === "3ds_or_block");
  const action = final_action === null || asked === undefined ? [] : [FINAL_ACTION[final_action]];
  const surprise = as_expected === false ? [`Not as the deck expects: ${expected ?? "see its sides"}.`] : [];
  const line = [...shown, ...action, ...surprise].join("  ");
  return [
    ...(line === "" ? [] : [INDENT + line]),
    ...sentences.flatMap((sentence) => wrapped(sentence, INDENT, output)),
  ];
}

function elapsed({ started_at: from }: DeckNotes): string {
  return formatCountdown(from === null ? 0 : Date.now() - Date.parse(from));
}

/** `03:12 elapsed, next step in 00:07` */
function clockText(notes: DeckNotes): string {
  const { next_at: at } = notes;
  const left = at === null ? "" : `, forward in ${formatCountdown(Date.parse(at) - Date.now())}`;
  return `${elapsed(notes)} elapsed${left}`;
}
