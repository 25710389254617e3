// The demo screen as rows: title, content and progress of the deck. Pure, and exactly its area.

import { counted } from "#src/display/count.ts";
import { presentedWords } from "#src/display/presented.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind, VERDICTS, verdictSign } from "#src/display/verdict.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import type { Deck, CheckFrame } from "#src/state/sandbox/demo.ts";
import { clip, fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { paneSpans } from "#src/ui/pane.tsx";
import { fitRow, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { choiceBlocks, coverBlocks, failedBlocks, recapBlocks } from "./deck-rows.ts";
import { frameBlocks, type Block } from "./frame-rows.ts";

/** Widest content. */
const WIDEST = 116;
/** Most blank rows between two blocks. */
const WIDEST_GAP = 3;
const MOST_NOTE_ROWS = 4;

/** Rows of exactly `columns` columns, exactly `rows` of them. Everything personal is masked. */
export function demoView(state: DemoState, size: Size, theme: Theme): Row[] {
  const { columns, rows } = size;
  const margin = columns >= 100 ? 6 : columns >= 70 ? 3 : 2;
  const width = Math.min(WIDEST, columns - 2 * margin);
  const left = Math.floor((columns - width) / 2);
  const { deck, at, frames } = state;
  const shown = at === 0 ? null : (frames[at - 1] ?? null);
  const frame = shown?.kind === "check" ? shown : null;

  const foot = deck === null ? [] : footRows(state, deck, width, theme);
  const height = Math.max(0, rows - 1 - foot.length);
  const blocks = bodyBlocks(state, frame, { width, height }, theme);
  const body = laidOut(blocks, height);
  const indent = fit("", left);
  return [
    fitRow(titleRow(state, frame, columns, theme), columns, theme),
    ...[...body, ...foot].map((row) => fitRow([{ text: indent }, ...row], columns, theme)),
  ].slice(0, rows);
}

/** The progress takes precedence over the title. */
function titleRow(state: DemoState, frame: CheckFrame | null, width: number, theme: Theme): Row {
  const note = noteOf(state, frame, theme);
  const title = state.deck === null ? "Demo: choose a deck" : presentedWords(state.deck.title, state.deck);
  const room = width - (note === "" ? 6 : widthOf(note) + 9);
  return paneSpans(
    [{ title: clip(title, room, theme.sign("ellipsis")), note, width, focused: false }],
    theme,
  );
}

function noteOf(state: DemoState, frame: CheckFrame | null, theme: Theme): string {
  const { deck, at, checks, autoS, paused } = state;
  if (deck === null) return "";
  const auto = autoS === null ? "" : paused ? ", paused" : `, every ${autoS} s`;
  if (at > checks) return `the end${auto}`;
  if (frame === null) return `${counted(deck.steps.length, "step")}${auto}`;
  // A screen reader has heard the step with its verdict.
  return theme.ascii === "words" ? auto.slice(2) : `${stepText(frame)}${auto}`;
}

export function stepText({ index, total, attempts, entries }: CheckFrame): string {
  const attempt = attempts > 1 ? `, attempt ${entries.length} of ${attempts}` : "";
  return `step ${index + 1} of ${total}${attempt}`;
}

function bodyBlocks(
  state: DemoState,
  frame: CheckFrame | null,
  room: { readonly width: number; readonly height: number },
  theme: Theme,
): readonly Block[] {
  const { deck, failed, at, checks } = state;
  if (failed !== null) return failedBlocks(failed, deck !== null, room, theme);
  if (deck === null) return choiceBlocks(state, room, theme);
  if (at > checks) return recapBlocks(state, deck, room, theme);
  return frame === null ? coverBlocks(state, deck, room, theme) : frameBlocks(frame, deck, room, theme);
}

/** Exactly `height` rows: blank rows are spread evenly between the blocks, the rest goes below them. */
function laidOut(blocks: readonly Block[], height: number): Row[] {
  const taken = blocks.reduce((sum, block) => sum + block.length, 0);
  let spare = Math.max(0, height - taken);
  const gaps = blocks.map(() => 0);
  // The blank row under the title is the least important.
  const order = [...gaps.keys()].slice(1).concat(0);
  for (let round = 0; round < WIDEST_GAP; round += 1) {
    for (const index of order) {
      if (spare === 0) break;
      gaps[index]! += 1;
      spare -= 1;
    }
  }
  const rows = blocks.flatMap((block, index): Row[] => [...blank(gaps[index]!), ...block]);
  return [...rows, ...blank(spare)].slice(0, height);
}

function blank(count: number): Row[] {
  return Array.from({ length: Math.max(0, count) }, () => []);
}

/** The strip of all checks, and below a line the presenter's notes. */
function footRows(state: DemoState, deck: Deck, width: number, theme: Theme): Row[] {
  const frame = state.at === 0 ? undefined : state.frames[state.at - 1];
  const strip: Row = stripRow(state, deck, width, theme);
  if (!state.notes || frame === undefined || state.at > state.checks) return [strip];
  const text = frame.note === null ? "Nothing is noted for this step." : presentedWords(frame.note, deck);
  const lines = wrapWords(text, width).slice(0, MOST_NOTE_ROWS);
  const line = theme.sign("horizontal");
  const head = `${line}${line} For the presenter `;
  return [
    strip,
    [{ text: head + line.repeat(Math.max(0, width - widthOf(head))) }],
    ...lines.map((each): Row => [{ text: each, role: "note" }]),
  ];
}

/** One sign per check, a space between steps, and brackets around the current one; nothing to hear. */
function stripRow({ frames, at, checks }: DemoState, deck: Deck, width: number, theme: Theme): Row {
  if (theme.ascii === "words") return [];
  let number = 0;
  const spans = deck.steps.flatMap((step, index): Span[] => [
    ...(index === 0 ? [] : [{ text: " " }]),
    ...step.checks.map((): Span => {
      number += 1;
      const frame = frames[number - 1];
      const kind = frame?.kind !== "check" ? null : verdictKind(frame.entries.at(-1)!.result);
      const sign = kind === null ? theme.sign("note") : verdictSign(kind, theme.ascii);
      const role = kind === null ? null : VERDICTS[kind].role;
      return { text: number === at ? `[${sign}]` : ` ${sign} `, role };
    }),
  ]);
  const taken = spans.reduce((sum, { text }) => sum + widthOf(text), 0);
  if (taken <= width) return spans;
  return [{ text: safe(at === 0 || at > checks ? `${checks} checks` : `check ${at} of ${checks}`) }];
}
