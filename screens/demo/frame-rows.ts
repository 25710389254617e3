// One frame of a deck as rows: the sentence, the verdict in big letters, score, reasons and counters. Pure;
// everything personal is masked.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import {
  presentedDecision,
  presentedPayment,
  presentedReasons,
  presentedSilence,
  presentedSurprise,
  presentedWords,
} from "#src/display/presented.ts";
import { overrulingSentence, verdictKinds, VERDICTS } from "#src/display/verdict.ts";
import type { Deck, CheckFrame } from "#src/state/sandbox/demo.ts";
import { clip, fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import { counterGrid, gaugeRows, reasonRows } from "#src/ui/gauge.ts";
import { fitRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { BESIDE_GAP, countedRows, heroRows, heroWidth, whyRows } from "#src/ui/verdict-rows.ts";

export interface FrameRoom {
  /** Columns of the content. */
  readonly width: number;
  /** Most rows of all blocks together. */
  readonly height: number;
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
const SIDE_BY_SIDE = 100;

/** The blocks of a frame from top to bottom; the most important get their rows first. */
export function frameBlocks(frame: CheckFrame, deck: Deck, room: FrameRoom, theme: Theme): Block[] {
  const { width, height } = room;
  const entry = frame.entries.at(-1)!;
  const { explanation } = entry;
  const surprise = surpriseRows(frame, width, theme);
  const kinds = verdictKinds(entry);
  const scale =
    height >= HUGE_FROM && heroWidth(kinds, 4) <= width
      ? 4
      : heroWidth(kinds, 2) + (kinds.length > 1 ? 0 : BESIDE_GAP + COMFORTABLE_BESIDE) <= width
        ? 2
        : 1;
  const decision = presentedDecision(entry);
  const asked = [VERDICTS[kinds[0]].reaction, ...(decision === null ? [] : [decision])] as const;
  const hero = heroRows(kinds, asked, width, scale, theme);
  const gauge = explanation === null ? [] : gaugeRows(explanation, width, theme);
  const ruling = explanation === null ? null : overrulingSentence(explanation.decidedBy);
  const rulingRows: Row[] = ruling === null ? [] : [[{ text: ruling, role: "heading" }]];
  const payment: Row = paymentRow(frame, width, theme);

  const taken = surprise.length + hero.length + gauge.length + rulingRows.length + 1;
  // Leave two rows for a reason and a blank row.
  const said = saidRows(frame, deck, width, Math.max(2, height - taken - 2), theme);
  let left = height - taken - said.length;
  const take = (wanted: number): number => {
    const given = Math.max(0, Math.min(wanted, left));
    left -= given;
    return given;
  };
  const reasons = presentedReasons(entry);
  const silence: Row[] =
    reasons.length > 0 ? [] : wrapWords(presentedSilence(entry), width).map((text) => [{ text }]);
  const whole = reasonRows(reasons, width, Number.POSITIVE_INFINITY, theme).length;
  const wanted = Math.min(MOST_REASONS, Math.max(whole, silence.length));
  if (width >= SIDE_BY_SIDE) {
    const rows = take(Math.max(wanted, explanation === null ? 0 : MOST_COUNTERS) + 1);
    const beside = besideRows(entry, silence, rows, width, theme);
    return withoutEmpty([[...said, payment], hero, surprise, [...gauge, ...rulingRows], beside]);
  }
  const reasonCount = take(Math.min(wanted, 2));
  // Blank rows between the blocks take precedence over more content.
  const calm = take(Math.max(2, Math.min(3, left - 2 - (wanted - reasonCount))));
  const columns = width >= 70 ? 2 : 1;
  const counterCount = take(2);
  const moreReasons = take(wanted - reasonCount);
  const moreCounters = counterCount + take(2);
  left += calm;
  return withoutEmpty([
    [...said, payment],
    hero,
    surprise,
    [...gauge, ...rulingRows],
    reasons.length > 0
      ? reasonRows(reasons, width, reasonCount + moreReasons, theme)
      : silence.slice(0, reasonCount + moreReasons),
    counterGrid(
      explanation?.counters ?? [],
      width,
      columns,
      Math.min(moreCounters, MOST_COUNTERS / columns),
      theme,
    ),
  ]);
}

function withoutEmpty(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => block.length > 0);
}

function saidRows(frame: CheckFrame, deck: Deck, width: number, most: number, theme: Theme): Row[] {
  const lines = wrapWords(presentedWords(frame.say, deck), Math.min(width, WIDEST_SAID));
  const kept = lines.slice(0, most);
  if (lines.length > kept.length) kept[most - 1] = clip(`${kept[most - 1]} `, width, theme.sign("ellipsis"));
  return kept.map((text) => [{ text, role: "heading" }]);
}

/** Parts without room are left out. */
function paymentRow(frame: CheckFrame, width: number, theme: Theme): Row {
  const dot = ` ${theme.sign("separator")} `;
  let text = "";
  for (const part of presentedPayment(frame)) {
    const longer = text === "" ? part : text + dot + part;
    if (widthOf(longer) <= width) text = longer;
  }
  return [{ text }];
}

function surpriseRows(frame: CheckFrame, width: number, theme: Theme): Row[] {
  if (frame.asExpected !== false) return [];
  // The bare word of the verdict: only a trustworthy pass may look like one.
  const text = `${theme.sign("error")} ${presentedSurprise(frame)}`;
  return [[{ text: clip(text, width, theme.sign("ellipsis")), role: "error" }]];
}

/** Reasons at the left, counters at the right, each with its heading. */
function besideRows(
  entry: HistoryEntry,
  silence: readonly Row[],
  rows: number,
  width: number,
  theme: Theme,
): Row[] {
  if (rows < 2) return [];
  const gap = 4;
  const right = 46;
  const left = width - right - gap;
  const reasons = reasonRows(presentedReasons(entry), left, rows - 1, theme);
  const whys = whyRows(reasons, silence);
  const counted = countedRows(entry.explanation?.counters ?? [], right, rows, theme);
  return Array.from({ length: Math.min(rows, Math.max(whys.length, counted.length)) }, (_, index) => [
    ...fitRow(whys[index] ?? [], left, theme),
    { text: fit("", gap) },
    ...fitRow(counted[index] ?? [], right, theme),
  ]);
}
