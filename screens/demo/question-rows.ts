// The answer to a question of the audience as rows: what would flip the verdict, or the payment with other amounts. Pure.

import { trustedExplanation } from "#src/display/decision.ts";
import { flipRows } from "#src/display/explanation-lines.ts";
import { verdictKinds } from "#src/display/verdict.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import type { HangingLine, TableLine } from "#src/display/span.ts";
import type { DemoQuestion } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, DemoFrame } from "#src/state/sandbox/demo.ts";
import { wrapWords } from "#src/ui/fit.ts";
import { tableRows } from "#src/ui/list.ts";
import { hangingRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";
import { paymentRow, type Block, type FrameRoom } from "./frame-rows.ts";
import { titleOf } from "./side-rows.ts";

export function questionBlocks(
  frame: DemoFrame,
  asked: DemoQuestion,
  { width, height }: FrameRoom,
  theme: Theme,
): Block[] {
  const { say } = theme;
  const [first] = frame.kind === "check" ? frame.sides : [];
  const whose = first === undefined ? "" : `: ${titleOf(first)}`;
  const title: Row = [
    { text: say(asked === "flips" ? "what_if" : "other_amounts") + whose, role: "heading" },
  ];
  const lines = frame.kind === "stream" ? [] : answerLines(frame, asked, width, theme);
  if (frame.kind === "stream" || lines.length === 0) {
    return [[title], wrapWords(say("no_answer"), width).map((text) => [{ text }])];
  }
  const rows = lines.flatMap((line) =>
    "cells" in line ? tableRows(line, width, theme) : hangingRows(line, width),
  );
  return [
    [title, paymentRow(frame, width, theme), verdictSpans(verdictKinds(frame.entries.at(-1)!), theme)],
    rows.slice(0, Math.max(0, height - 4)),
  ];
}

/** None where nothing is known. */
function answerLines(
  frame: CheckFrame,
  asked: DemoQuestion,
  width: number,
  theme: Theme,
): readonly (HangingLine | TableLine)[] {
  const { flips, amounts } = frame.answers;
  const { ascii, say } = theme;
  if (asked === "amounts") {
    return amounts === null ? [] : sweepLines(amounts, { width, ascii, unit: "minor", masked: false, say });
  }
  const { result, explanation } = frame.entries.at(-1)!;
  if (trustedExplanation(result, explanation) === null) return [];
  return flipRows(flips, width, ascii, say);
}
