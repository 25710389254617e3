// The demo screen as rows: title, content and progress of the deck. Pure, and exactly its area.

import { saidIn, type Said } from "#src/display/audience-words.ts";
import { deckText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind, VERDICTS, verdictSign, type VerdictKind } from "#src/display/verdict.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import { dayAtEnd, type DayRunState } from "#src/state/sandbox/day-run.ts";
import type { CheckFrame, Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { clip, fit, widthOf, wrapWords, spansWidth } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { paneSpans } from "#src/ui/pane.tsx";
import { fitRow, type Row, type Size, fillRows } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { choiceBlocks, coverBlocks, failedBlocks, recapBlocks } from "./deck-rows.ts";
import { answersOf, frameBlocks, type Block, type FrameRoom } from "./frame-rows.ts";
import { questionBlocks } from "./question-rows.ts";
import { sideBlocks } from "./side-rows.ts";
import { streamBlocks, TALL } from "./stream-rows.ts";

/** Widest content. */
const WIDEST = 116;
/** Most blank rows between two blocks. */
const WIDEST_GAP = 3;
const MOST_NOTE_ROWS = 4;

/** Rows of exactly `columns` columns, exactly `rows` of them. Everything personal is masked. */
export function demoView(state: DemoState, size: Size, given: Theme): Row[] {
  const theme = state.deck === null ? given : audienceTheme(given, state.deck);
  const { columns, rows } = size;
  const margin = columns >= 100 ? 6 : columns >= 70 ? 3 : 2;
  const width = Math.min(WIDEST, columns - 2 * margin);
  const left = Math.floor((columns - width) / 2);
  const { deck, at, frames } = state;
  const frame = frames[at - 1] ?? null;

  const foot = deck === null ? [] : footRows(state, deck, width, rows, theme);
  const height = Math.max(0, rows - 1 - foot.length);
  const blocks = bodyBlocks(state, frame, { width, height }, theme);
  // What is watched stays in its rows, however much there is above.
  const isPinned = frame?.kind === "check" && frame.watch !== null && frame.sides.length === 0;
  const pinned = isPinned && state.asked === null ? (blocks.at(-1) ?? []) : [];
  const above = pinned.length === 0 ? blocks : blocks.slice(0, -1);
  const body =
    pinned.length === 0
      ? laidOut(above, height)
      : [...laidOut(above, height - pinned.length - 1), [], ...pinned];
  const indent = fit("", left);
  return [
    fitRow(titleRow(state, frame, columns, theme), columns, theme),
    ...[...body, ...foot].map((row) => fitRow([{ text: indent }, ...row], columns, theme)),
  ].slice(0, rows);
}

/** The words that the audience of a deck reads. */
export function audienceTheme(theme: Theme, { words }: Pick<Deck, "words">): Theme {
  return words.size === 0 ? theme : { ...theme, say: saidIn(words) };
}

/** The rows of a frame. @param day how far it has run past, for a frame that is one; at its end unless told */
export function shownBlocks(
  frame: DemoFrame,
  room: FrameRoom,
  theme: Theme,
  day: DayRunState | null = null,
): Block[] {
  if (frame.kind === "stream") return streamBlocks(frame, day ?? dayAtEnd(frame), room, theme);
  return frame.sides.length > 0 ? sideBlocks(frame, room, theme) : frameBlocks(frame, room, theme);
}

/** The progress takes precedence over the title. */
function titleRow(state: DemoState, frame: DemoFrame | null, width: number, theme: Theme): Row {
  const note = noteOf(state, frame, theme);
  const { deck } = state;
  const title = deck === null ? "Demo: choose a deck" : deckText(deck.title);
  const room = width - (note === "" ? 6 : widthOf(note) + 9);
  return paneSpans(
    [{ title: clip(title, room, theme.sign("ellipsis")), note, width, focused: false }],
    theme,
  );
}

function noteOf(state: DemoState, frame: DemoFrame | null, theme: Theme): string {
  const { deck, at, checks, autoS, paused, day, goingTo } = state;
  if (deck === null) return "";
  const { say } = theme;
  if (goingTo !== null)
    return `${say("step", { n: goingTo, all: deck.steps.length })} ${theme.sign("ellipsis")}`;
  const speed = day === null || day.speed === 1 ? "" : say("speed", { n: day.speed });
  const pace = autoS === null || at > checks ? "" : say(paused ? "paused" : "by_itself");
  // A screen reader has heard the step with its verdict.
  const isHeard = frame !== null && at <= checks && theme.ascii === "words";
  const place = at > checks ? say("the_end") : frame === null || isHeard ? "" : stepText(frame, say);
  return [place, speed, pace].filter((part) => part !== "").join(", ");
}

export function stepText(frame: DemoFrame, say: Said): string {
  const step = say("step", { n: frame.index + 1, all: frame.total });
  if (frame.kind === "stream" || frame.attempts === 1) return step;
  return `${step}, ${say("attempt", { n: frame.entries.length, all: frame.attempts })}`;
}

/** The verdict of a frame; of several answers the first one that is no pass. */
function frameKind(frame: CheckFrame): VerdictKind {
  const kinds = answersOf(frame).map(({ result }) => verdictKind(result));
  return kinds.find((kind) => kind !== "pass") ?? "pass";
}

function bodyBlocks(
  state: DemoState,
  frame: DemoFrame | null,
  room: FrameRoom,
  theme: Theme,
): readonly Block[] {
  const { deck, failed, at, checks, asked } = state;
  if (failed !== null) return failedBlocks(failed, deck !== null, room, theme);
  if (deck === null) return choiceBlocks(state, room, theme);
  if (at > checks) return recapBlocks(state, room, theme);
  if (frame === null) return coverBlocks(state, deck, room, theme);
  if (asked !== null) return questionBlocks(frame, { ...state, asked }, room, theme);
  return shownBlocks(frame, room, theme, state.day);
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
  const rows = blocks.flatMap((block, index): Row[] => [...fillRows([], 0, gaps[index]!), ...block]);
  return fillRows(rows, 0, height);
}

/** The strip of all checks, and below a line the presenter's notes. */
function footRows(state: DemoState, deck: Deck, width: number, rows: number, theme: Theme): Row[] {
  const frame = state.at === 0 ? undefined : state.frames[state.at - 1];
  // A day, and three answers below each other, need every row of a small screen.
  const isFull = frame?.kind === "stream" || (frame?.sides.length ?? 0) > 2;
  const hasStrip = !isFull || rows >= TALL;
  const strip: Row[] = hasStrip ? [stripRow(state, deck, width, theme)] : [];
  if (!state.notes || frame === undefined || state.at > state.checks) return strip;
  const line = theme.sign("horizontal");
  const headed = (title: string): Row => {
    const text = `${line}${line} ${title} `;
    return [{ text: text + line.repeat(Math.max(0, width - widthOf(text))) }];
  };
  const title = theme.say("note");
  // A step without a note leaves its rows to the audience.
  if (frame.note === null && !state.recorded) return [...strip, headed(`${title}: none here`)];
  const text = state.recorded
    ? 'The recording has no notes; "verdict demo --follow" shows the notes on a second terminal.'
    : deckText(frame.note ?? "");
  const lines = wrapWords(text, width).slice(0, MOST_NOTE_ROWS);
  return [...strip, headed(title), ...lines.map((each): Row => [{ text: each, role: "note" }])];
}

/** One sign per check, the number of a day, a space between steps, and brackets around the current one; nothing to hear. */
function stripRow({ frames, at, checks }: DemoState, deck: Deck, width: number, theme: Theme): Row {
  if (theme.ascii === "words") return [];
  let number = 0;
  const spans = deck.steps.flatMap((step, index): Span[] => [
    ...(index === 0 ? [] : [{ text: " " }]),
    ...Array.from({ length: step.stream === null ? step.checks.length : 1 }, (): Span => {
      number += 1;
      const frame = frames[number - 1];
      const kind = frame?.kind === "check" ? frameKind(frame) : null;
      const none = frame === undefined ? theme.sign("note") : String(index + 1);
      const sign = kind === null ? none : verdictSign(kind, theme.ascii);
      const role = kind === null ? null : VERDICTS[kind].role;
      return { text: number === at ? `[${sign}]` : ` ${sign} `, role };
    }),
  ]);
  const taken = spansWidth(spans);
  if (taken <= width) return spans;
  return [{ text: safe(at === 0 || at > checks ? `${checks} checks` : `check ${at} of ${checks}`) }];
}
