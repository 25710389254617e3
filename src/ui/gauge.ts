// The score as a horizontal gauge with both marks, and bars for reasons and counters. Pure.

import { countWords } from "#src/contract/text/count-words.ts";
import type { CounterReading, Explanation } from "#src/contract/wire/explanation.ts";
import { formatCount } from "#src/display/count.ts";
import type { Reason } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { clip, fit, widthOf, wrapWords } from "./fit.ts";
import { fitRow, type Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** One scale for all risk levels, so that the marks move between them. Above every built-in block threshold. */
const FULL_SCORE = 120;
const LABEL = 11;

/** Two rows: the bar, and what its marks mean. */
export function gaugeRows(
  { score, thresholds }: Pick<Explanation, "score" | "thresholds">,
  width: number,
  theme: Theme,
): Row[] {
  const columns = Math.max(10, width - LABEL);
  // Rule files may have thresholds of their own.
  const full = Math.max(FULL_SCORE, thresholds.block * 1.1);
  const place = (value: number): number =>
    Math.max(0, Math.min(columns - 1, Math.round((value / full) * columns)));
  const marks = [place(thresholds.threeDs), place(thresholds.block)] as const;
  const filled = score <= 0 ? 0 : Math.max(1, place(score) + (score >= full ? 1 : 0));
  const zone = (column: number): Role =>
    column < marks[0]
      ? VERDICTS.pass.role
      : column < marks[1]
        ? VERDICTS["3ds_or_block"].role
        : VERDICTS.block.role;
  const cells = Array.from({ length: columns }, (_, column) => {
    if (score > full && column === columns - 1) return { text: theme.sign("beyond"), role: zone(column) };
    const isMark = column === marks[0] || column === marks[1];
    // A mark is drawn over the bar as well.
    if (isMark) return { text: theme.sign("vertical"), role: zone(column) };
    return column < filled
      ? { text: theme.sign("barFull"), role: zone(column) }
      : { text: theme.sign("barEmpty"), role: "quiet" as const };
  });
  const spans: { text: string; role: Role | null }[] = [
    { text: fit(`Score ${score}`, LABEL), role: "heading" },
  ];
  for (const cell of cells) {
    const last = spans.at(-1)!;
    if (spans.length > 1 && last.role === cell.role) last.text += cell.text;
    else spans.push({ ...cell });
  }
  return [spans, markRow(thresholds, marks, columns, theme)];
}

/** A label under each mark, as long as there is room for. */
function markRow(
  { threeDs, block }: Explanation["thresholds"],
  marks: readonly [number, number],
  columns: number,
  theme: Theme,
): Row {
  const up = theme.sign("up");
  const room = marks[1] - marks[0];
  const first = widest(
    [`${up} 3DS from ${threeDs}`, `${up} 3DS ${threeDs}`, `${up} ${threeDs}`, up],
    room - 1,
  );
  const second = widest(
    [`${up} block from ${block}`, `${up} block ${block}`, `${up} ${block}`, up],
    columns - marks[1],
  );
  return [
    { text: fit("", LABEL + marks[0]) },
    { text: fit(first, room), role: VERDICTS["3ds_or_block"].role },
    { text: second, role: VERDICTS.block.role },
  ];
}

/** The first of some texts, longest first, that has room; the last one if none has. */
function widest(texts: readonly string[], room: number): string {
  return texts.find((text) => widthOf(text) <= room) ?? texts.at(-1)!;
}

const EFFECT = 6;

/**
 * The strongest reasons, each with a bar for its weight; a full bar is as much as a block takes. A long one goes on in the
 * next row as long as there are rows to spare, and is cut otherwise; compared values follow where rows are left.
 * @param full weight of a full bar
 * @param key shows the others; none if missing
 */
export function reasonBars(
  reasons: readonly Reason[],
  full: number,
  width: number,
  most: number,
  theme: Theme,
  key: string = "",
): Row[] {
  const shown = reasons.length <= most ? reasons : reasons.slice(0, Math.max(0, most - 1));
  const bar = width >= 90 ? 16 : width >= 70 ? 12 : 8;
  const indent = EFFECT + bar + 2;
  const room = width - indent;
  let spare = most - reasons.length;
  const rows = shown.flatMap(({ weight, effect, role, text, values = "" }): Row[] => {
    const share = weight === null ? 1 : Math.min(1, Math.max(0, weight) / full);
    const wrapped = wrapWords(text, room);
    const hasRoom = wrapped.length - 1 <= spare;
    if (hasRoom) spare -= wrapped.length - 1;
    const showsValues = values !== "" && spare > 0;
    if (showsValues) spare -= 1;
    const [first = "", ...rest] = hasRoom ? wrapped : [clip(text, room, theme.sign("ellipsis"))];
    return [
      [
        { text: fit(effect, EFFECT), role: "heading" },
        ...barSpans(share, bar, role, theme),
        { text: `  ${first}` },
      ],
      ...rest.map((line): Row => [{ text: `${fit("", indent)}${line}` }]),
      ...(showsValues ? [[{ text: fit("", indent) + clip(values, room, theme.sign("ellipsis")) }]] : []),
    ];
  });
  if (shown.length === reasons.length || most < 1) return rows;
  return [...rows, [{ text: `${fit("", indent)}and ${reasons.length - shown.length} more${key}` }]];
}

const LONGEST_BAR = 24;

/** Longer names are cut. */
const LONGEST_KEY = 28;
/** Columns of a bar that still shows how full it is. */
const LEAST_BAR = 4;

/** The fullest counters in columns, each as wide as its labels need; `1/3` saves room. */
export function counterGrid(
  counters: readonly CounterReading[],
  width: number,
  columns: number,
  rows: number,
  theme: Theme,
): Row[] {
  if (rows < 1) return [];
  const shown = fullestOf(counters, rows * columns, LONGEST_KEY, columns > 1 ? "/" : " of ");
  const height = Math.ceil(shown.length / columns);
  const parts = Array.from({ length: height === 0 ? 0 : Math.ceil(shown.length / height) }, (_, column) =>
    shown.slice(column * height, (column + 1) * height),
  );
  const gap = 3;
  const taken = parts.map((part) => widestOf(part, "label") + widestOf(part, "value") + 3);
  const spare = width - gap * (columns - 1) - taken.reduce((sum, each) => sum + each, 0);
  const bar = Math.max(LEAST_BAR, Math.min(LONGEST_BAR, Math.floor(spare / columns)));
  const bars = parts.map((part, index) => {
    const before = taken.slice(0, index).reduce((sum, each) => sum + each + bar + gap, 0);
    const room = Math.min(taken[index]! + bar, width - before);
    return { room, rows: barRows(part, room, theme) };
  });
  return Array.from({ length: height }, (_, row) =>
    bars.flatMap((part, index) => [
      ...(index === 0 ? [] : [{ text: fit("", gap) }]),
      ...fitRow(part.rows[row] ?? [], part.room, theme),
    ]),
  );
}

/**
 * The fullest counters with a limit, in their own order, so that a row keeps its place while it fills.
 * @param longestKey characters that are shown of what is counted
 */
export function limitBars(
  all: readonly CounterReading[],
  width: number,
  most: number,
  theme: Theme,
  longestKey: number = LONGEST_KEY,
): Row[] {
  return barRows(fullestOf(all, most, longestKey, " of "), width, theme);
}

/** A counter as it is shown. */
interface Gauge {
  readonly share: number;
  readonly label: string;
  /** `1 of 3`, or `1/3` */
  readonly value: string;
}

/** @param between what stands between a count and its limit */
function fullestOf(
  all: readonly CounterReading[],
  most: number,
  longestKey: number,
  between: "/" | " of ",
): Gauge[] {
  const counters = all.filter(hasLimit);
  const fullest = new Set(
    counters.toSorted((one, other) => fullness(other) - fullness(one)).slice(0, Math.max(0, most)),
  );
  return counters
    .filter((counter) => fullest.has(counter))
    .map((counter) => ({
      share: fullness(counter),
      label: `${safe(shortWords(counter.key), { max: longestKey })} ${safe(counter.window, { max: 6 })}`,
      value: `${formatCount(Math.round(counter.value))}${between}${formatCount(counter.limit)}`,
    }));
}

/** Most counts are of attempts, which goes without saying where room is short. */
function shortWords(key: string): string {
  return countWords(key).replace("attempts ", "");
}

function widestOf(gauges: readonly Gauge[], part: "label" | "value"): number {
  return gauges.reduce((most, gauge) => Math.max(most, widthOf(gauge[part])), 0);
}

/** Label, bar and value of each, below each other. */
function barRows(gauges: readonly Gauge[], width: number, theme: Theme): Row[] {
  const values = widestOf(gauges, "value");
  const labels = Math.min(widestOf(gauges, "label"), Math.max(8, width - values - 3 - LEAST_BAR));
  const bar = Math.max(1, Math.min(LONGEST_BAR, width - labels - values - 3));
  return gauges.map(({ share, label, value }): Row => {
    const role = share > 1 ? "error" : share === 1 ? "warning" : "note";
    return [
      { text: `${fit(label, labels, { ellipsis: theme.sign("ellipsis") })}  ` },
      ...barSpans(share, bar, role, theme),
      { text: ` ${fit(value, values)}`, role: share > 1 ? "error" : null },
    ];
  });
}

type Limited = CounterReading & { readonly limit: number };

function hasLimit(counter: CounterReading): counter is Limited {
  return counter.limit !== null && counter.limit > 0;
}

function fullness({ value, limit }: Limited): number {
  return value / limit;
}

/** @param share over 1 it ends in a mark: the bar goes on */
function barSpans(share: number, width: number, role: Role, theme: Theme): Row {
  const full = share <= 0 ? 0 : Math.min(width, Math.max(1, Math.round(share * width)));
  const beyond = share > 1 ? theme.sign("beyond") : "";
  return [
    { text: theme.sign("barFull").repeat(full - widthOf(beyond)) + beyond, role },
    { text: theme.sign("barEmpty").repeat(width - full), role: "quiet" },
  ];
}

/**
 * A span of time: what is gone, now, and what is left.
 * @param gone share of it; from 1 on nothing is left
 * @param role of what is left
 */
export function timeBar(gone: number, width: number, role: Role | null, theme: Theme): Row {
  if (gone >= 1) return [{ text: theme.sign("horizontal").repeat(width), role: "quiet" }];
  const at = Math.max(0, Math.min(width - 1, Math.floor(gone * width)));
  return [
    { text: theme.sign("horizontal").repeat(at), role: "quiet" },
    { text: theme.sign("now"), role: "heading" },
    { text: theme.sign("left").repeat(width - 1 - at), role },
  ];
}
