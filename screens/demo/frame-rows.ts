// One check of a deck as rows: the sentence, the verdict in big letters, score, reasons and counters. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Said } from "#src/display/audience-words.ts";
import { decisionOf, type Decision } from "#src/display/decision.ts";
import { paymentFacts, unexpectedText, deckText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { CheckFrame } from "#src/state/sandbox/demo.ts";
import { clip, widthOf, wrapWords, clipLines } from "#src/ui/fit.ts";
import { counterGrid, gaugeRows, reasonRows } from "#src/ui/gauge.ts";
import { besideRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { BESIDE_GAP, countedRows, heroRows, heroWidth, whyRows } from "#src/ui/verdict-rows.ts";

export interface FrameRoom {
  /** Columns of the content. */
  readonly width: number;
  /** Most rows of all blocks together. */
  readonly height: number;
  /** Most rows of reasons; five unless told. */
  readonly reasons?: number;
}

/** Rows that belong together; blank rows go between blocks, never into one. */
export type Block = readonly Row[];

/** Longest line that is easy to read from a distance. */
const WIDEST_SAID = 76;
/** Columns that a sentence beside the big word should have. */
const COMFORTABLE_BESIDE = 34;
/** Height from which the word may take ten rows. */
const HUGE_FROM = 34;
const MOST_REASONS = 5;
const MOST_COUNTERS = 8;
/** Width from which reasons and counters are side by side. */
export const SIDE_BY_SIDE = 100;
/** Columns of the counters then, and between them and the reasons. */
const COUNTED = 46;
const GAP = 4;

/** The answers that a check of a deck shows: those side by side, or the last attempt's. */
export function answersOf({ sides, entries }: CheckFrame): readonly HistoryEntry[] {
  return sides.length > 0 ? sides.map(({ entry }) => entry) : entries.slice(-1);
}

/** The blocks of a frame from top to bottom; the most important get their rows first. Watched counters are the last block. */
export function frameBlocks(frame: CheckFrame, room: FrameRoom, theme: Theme): Block[] {
  const { width, height, reasons: most = MOST_REASONS } = room;
  const decision = decisionOf(frame.entries.at(-1)!, theme.say);
  const { kinds, counters } = decision;
  const { watch } = frame;
  const surprise = surpriseRows(frame, width, theme);
  const scale =
    height >= HUGE_FROM && heroWidth(kinds, 4, theme) <= width
      ? 4
      : heroWidth(kinds, 2, theme) + (kinds.length > 1 ? 0 : BESIDE_GAP + COMFORTABLE_BESIDE) <= width
        ? 2
        : 1;
  const hero = heroRows(kinds, decision.reactions, width, scale, theme);
  const gauge = [...gaugeRows(decision.score, width, theme), ...rulingRows(decision, width)];
  const columns = width >= 70 ? 2 : 1;
  const watchedRows = Math.max(1, Math.min(MOST_COUNTERS / columns, height >> 2));
  const heading: Row[] = width < SIDE_BY_SIDE ? [] : [[{ text: theme.say("counted"), role: "quiet" }]];
  const watched =
    watch === null ? [] : [...heading, ...counterGrid(counters, width, columns, watchedRows, theme, watch)];

  // With the blank row above.
  const pinned = watched.length === 0 ? 0 : watched.length + 1;
  const taken = surprise.length + hero.length + gauge.length + pinned;
  // Leave two rows for a reason and a blank row.
  const changed = changedRows(frame, width, theme);
  const said = saidRows(frame, width, Math.max(2, height - taken - changed.length - 3), theme);
  let left = height - taken - said.length - changed.length;
  const take = (wanted: number): number => {
    const given = Math.max(0, Math.min(wanted, left));
    left -= given;
    return given;
  };
  const isBeside = width >= SIDE_BY_SIDE && watch === null;
  const own = isBeside ? width - GAP - COUNTED : width;
  const wanted = Math.min(most, reasonRows(decision, own, Number.POSITIVE_INFINITY, theme).length);
  if (isBeside) {
    const rows = take(Math.max(wanted, counters.length === 0 ? 0 : MOST_COUNTERS) + 1);
    const beside = reasonsAndCounters(decision, rows, width, theme);
    return withoutEmpty([said, changed, hero, surprise, gauge, beside]);
  }
  const reasonCount = take(Math.min(wanted, 2));
  // Blank rows between the blocks take precedence over more content.
  const calm = take(Math.max(2, Math.min(3, left - 2 - (wanted - reasonCount))));
  const counterCount = watch === null ? take(2) : 0;
  const moreReasons = take(wanted - reasonCount);
  const moreCounters = watch === null ? counterCount + take(2) : 0;
  left += calm;
  return withoutEmpty([
    said,
    changed,
    hero,
    surprise,
    gauge,
    reasonRows(decision, width, reasonCount + moreReasons, theme),
    watch === null
      ? counterGrid(counters, width, columns, Math.min(moreCounters, MOST_COUNTERS / columns), theme)
      : watched,
  ]);
}

export function withoutEmpty(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => block.length > 0);
}

/** What is said, and the payment. @param most rows of what is said */
export function saidRows(frame: CheckFrame, width: number, most: number, theme: Theme): Row[] {
  const lines = wrapWords(deckText(frame.say), Math.min(width, WIDEST_SAID));
  const kept = clipLines(lines, most, width, theme.sign("ellipsis"));
  return [...kept.map((text): Row => [{ text, role: "heading" }]), paymentRow(frame, width, theme)];
}

/** What decided in place of the score; none where the score did. */
export function rulingRows({ ruling }: Decision, width: number): Row[] {
  return ruling === null ? [] : wrapWords(ruling, width).map((text) => [{ text, role: "heading" }]);
}

/** The rules that came into force, and what goes wrong on purpose. */
export function changedRows({ rules, fault }: CheckFrame, width: number, theme: Theme): Row[] {
  return [
    ...(rules === null ? [] : [theme.say("rules", { name: safe(rules) })]),
    ...(fault === null ? [] : [theme.say("fault", { what: safe(fault) })]),
  ].map((text): Row => [{ text: clip(text, width, theme.sign("ellipsis")), role: "warning" }]);
}

/** The payment, without the project where it is that of one side alone. */
export function paymentParts(frame: CheckFrame, say: Said): string[] {
  const project = frame.sides.length > 0 ? safe(frame.projectKey, { max: 40 }) : null;
  return paymentFacts(frame, say).filter((each) => each !== project);
}

/** Parts without room are left out. */
export function paymentRow(frame: CheckFrame, width: number, theme: Theme): Row {
  const dot = ` ${theme.sign("separator")} `;
  let text = "";
  for (const part of paymentParts(frame, theme.say)) {
    const longer = text === "" ? part : text + dot + part;
    if (widthOf(longer) <= width) text = longer;
  }
  return [{ text }];
}

function surpriseRows(frame: CheckFrame, width: number, theme: Theme): Row[] {
  if (frame.asExpected !== false) return [];
  // The bare word of the verdict: only a trustworthy pass may look like one.
  const text = `${theme.sign("error")} ${unexpectedText(frame)}`;
  return [[{ text: clip(text, width, theme.sign("ellipsis")), role: "error" }]];
}

/** Reasons at the left, counters at the right, each with its heading. */
function reasonsAndCounters(decision: Decision, rows: number, width: number, theme: Theme): Row[] {
  if (rows < 2) return [];
  const left = width - COUNTED - GAP;
  return besideRows(
    [
      { rows: whyRows(decision, left, rows - 1, theme), width: left },
      { rows: countedRows(decision.counters, COUNTED, rows, theme), width: COUNTED },
    ],
    GAP,
    theme,
  ).slice(0, rows);
}
