// A deck as plain text: what is said, the masked payment, the verdict with its reaction, and why.

import type { CheckFrame } from "#src/actions/sandbox/demo.ts";
import type { Output } from "#src/cli/output.ts";
import { scoreText } from "#src/display/explanation-lines.ts";
import {
  deckSize,
  presentedDecision,
  presentedPayment,
  presentedReasons,
  presentedSilence,
  presentedSurprise,
  presentedWords,
} from "#src/display/presented.ts";
import { separatorText } from "#src/display/sign.ts";
import { overrulingSentence, paintedVerdict, verdictKind, VERDICTS } from "#src/display/verdict.ts";
import type { Deck } from "#src/replay/decks/deck.ts";

/** Longer lines are tiring to read, however wide the terminal is. */
const WIDEST = 100;
/** More reasons nobody reads. */
const STRONGEST = 4;
const INDENT = "   ";

export function deckHeading(deck: Deck, output: Output): string[] {
  return [
    output.style.paint("heading", presentedWords(deck.title, deck)),
    ...wrapped(
      `${presentedWords(deck.summary, deck)} (${deckSize(deck)}, on a sandbox of its own)`,
      "",
      output,
    ),
  ];
}

/** The lines of one check; what is said stands above the first of a step. */
export function frameLines(
  frame: CheckFrame,
  deck: Deck,
  { output, notes }: { readonly output: Output; readonly notes: boolean },
): string[] {
  const { style } = output;
  const entry = frame.entries.at(-1)!;
  const { explanation } = entry;
  const attempt = frame.entries.length;
  const kind = verdictKind(entry.result);
  const decision = presentedDecision(entry);
  const ruling = explanation === null ? null : overrulingSentence(explanation.decidedBy);
  const lines = [
    ...(attempt === 1 ? ["", ...saidLines(frame, deck, output)] : []),
    ...(attempt === 1 && notes && frame.note !== null
      ? wrapped(`Note: ${presentedWords(frame.note, deck)}`, INDENT, output)
      : []),
    `${INDENT}${paymentLine(frame, output)}`,
    `${INDENT}${paintedVerdict(kind, style)}  ${VERDICTS[kind].reaction}`,
    ...(decision === null ? [] : [`${INDENT}  ${decision}`]),
  ];
  if (explanation !== null) {
    const repeat = explanation.repeat ? " The answer to an identical request, not counted again." : "";
    lines.push(`${INDENT}  Score ${scoreText(explanation)}.${repeat}`);
  }
  if (ruling !== null) lines.push(`${INDENT}  ${ruling}`);
  return [...lines, ...reasonLines(frame, output), ...expectationLine(frame, output)];
}

function saidLines({ index, say }: CheckFrame, deck: Deck, output: Output): string[] {
  const lines = wrapped(`${index + 1}. ${presentedWords(say, deck)}`, INDENT, output);
  return lines.map((line, row) =>
    output.style.paint("heading", row === 0 ? line.slice(INDENT.length) : line),
  );
}

function paymentLine(frame: CheckFrame, { style }: Output): string {
  const attempt = frame.attempts > 1 ? [`attempt ${frame.entries.length} of ${frame.attempts}`] : [];
  return [...attempt, ...presentedPayment(frame)].join(separatorText(style.ascii));
}

function reasonLines(frame: CheckFrame, output: Output): string[] {
  const entry = frame.entries.at(-1)!;
  const reasons = presentedReasons(entry);
  if (reasons.length === 0) return wrapped(presentedSilence(entry), `${INDENT}  `, output);
  const more = reasons.length - STRONGEST;
  return [
    ...reasons.slice(0, STRONGEST).map(({ effect, text }) => `${INDENT}  ${effect.padStart(5)}  ${text}`),
    ...(more > 0 ? [`${INDENT}         and ${more} more`] : []),
  ];
}

function expectationLine(frame: CheckFrame, { style }: Output): string[] {
  return frame.asExpected === false ? [`${INDENT}  ${style.paint("error", presentedSurprise(frame))}`] : [];
}

/** Words of a text on lines with an indent, none wider than the terminal where that can be. */
export function wrapped(text: string, indent: string, { columns }: Output): string[] {
  const width = Math.max(20, Math.min(WIDEST, columns) - indent.length);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}
