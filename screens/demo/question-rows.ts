// The answer to a question of the audience as rows: what would flip the verdict, or the payment with other amounts. Pure.

import type { Said } from "#src/display/audience-words.ts";
import { trustedExplanation } from "#src/display/decision.ts";
import { flipRows } from "#src/display/explanation-lines.ts";
import { verdictKinds } from "#src/display/verdict.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import type { HangingLine, TableLine } from "#src/display/span.ts";
import type { DemoQuestion, DemoState } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, DemoFrame } from "#src/state/sandbox/demo.ts";
import { wrapWords } from "#src/ui/fit.ts";
import { tableRows } from "#src/ui/list.ts";
import { hangingRows, hiddenNote, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";
import { answersOf, paymentRow, type Block, type FrameRoom } from "./frame-rows.ts";
import { titleOf } from "./side-rows.ts";

export interface Asked extends Pick<DemoState, "askedSide" | "askedPage"> {
  readonly asked: DemoQuestion;
}

export function questionBlocks(
  frame: DemoFrame,
  given: Asked,
  { width, height }: FrameRoom,
  theme: Theme,
): Block[] {
  const sides = frame.kind === "check" ? frame.sides.length : 0;
  const place = sides === 0 ? "" : ` ${given.askedSide + 1}/${sides}`;
  const title: Row = [{ text: questionText(frame, given, theme.say) + place, role: "heading" }];
  const lines = frame.kind === "stream" ? [] : answerLines(frame, given, width, theme);
  if (frame.kind === "stream" || lines.length === 0) {
    return [[title], wrapWords(theme.say("no_answer"), width).map((text) => [{ text }])];
  }
  const rows = lines.flatMap((line) =>
    "cells" in line ? tableRows(line, width, theme) : hangingRows(line, width),
  );
  const entry = answersOf(frame)[given.askedSide]!;
  return [
    [title, paymentRow(frame, width, theme), verdictSpans(verdictKinds(entry), theme)],
    pageRows(rows, given.askedPage, Math.max(2, height - 4), theme),
  ];
}

/** `What would change the answer: high`, where several answers stand side by side. */
export function questionText(frame: DemoFrame, { asked, askedSide: at }: Asked, say: Said): string {
  const side = frame.kind === "check" ? frame.sides[at] : undefined;
  return (
    say(asked === "flips" ? "what_if" : "other_amounts") + (side === undefined ? "" : `: ${titleOf(side)}`)
  );
}

/** The rows of a page, and which key shows more; behind the last page comes the first one. */
function pageRows(rows: readonly Row[], page: number, room: number, theme: Theme): readonly Row[] {
  if (rows.length <= room) return rows;
  const from = (page % Math.ceil(rows.length / (room - 1))) * (room - 1);
  const shown = rows.slice(from, from + room - 1);
  const note = hiddenNote(from, rows.length - from - shown.length, theme);
  return [...shown, [{ text: `${note}: ${theme.keyName("demo.more")}`, role: "note" }]];
}

/** None where nothing is known. */
function answerLines(
  frame: CheckFrame,
  { asked, askedSide }: Asked,
  width: number,
  theme: Theme,
): readonly (HangingLine | TableLine)[] {
  const { flips = [], amounts = null } = frame.answers[askedSide] ?? {};
  const { ascii, say } = theme;
  if (asked === "amounts") {
    return amounts === null ? [] : sweepLines(amounts, { width, ascii, unit: "minor", masked: false, say });
  }
  const { result, explanation } = answersOf(frame)[askedSide]!;
  const trusted = trustedExplanation(result, explanation);
  return trusted === null ? [] : flipRows({ ...trusted, flips }, width, ascii, say);
}
