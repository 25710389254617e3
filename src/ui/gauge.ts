// The score as a horizontal gauge with both marks, and bars for reasons and counters. Pure.

import { countWords, isOwner, windowWords } from "#src/contract/text/count-words.ts";
import type { CounterReading, Explanation } from "#src/contract/wire/explanation.ts";
import type { Decision } from "#src/display/decision.ts";
import { moreReasons, scoreText } from "#src/display/explanation-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { clip, clipLines, fit, graphemes, widthOf, wrapWords } from "./fit.ts";
import type { Span } from "./line.tsx";
import { fitRow, type Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** One scale for all risk levels, so that the marks move between them. Above every built-in block threshold. */
const FULL_SCORE = 120;

/** Three rows, none without a score: the score, its bar in the hue of the verdict, and what the marks of the bar mean. */
export function gaugeRows(reached: Decision["score"], width: number, theme: Theme): Row[] {
  if (reached === null) return [];
  if (theme.ascii === "words") return [[{ text: `${theme.say("score")} ${scoreText(reached)}` }]];
  const { score, thresholds } = reached;
  const columns = Math.max(10, width);
  // Rule files may have thresholds of their own.
  const full = Math.round(Math.max(FULL_SCORE, thresholds.block * 1.1));
  const place = (value: number): number =>
    Math.max(0, Math.min(columns - 1, Math.round((value / full) * columns)));
  const marks = [place(thresholds.threeDs), place(thresholds.block)] as const;
  const verdict = score >= thresholds.block ? "block" : score >= thresholds.threeDs ? "3ds_or_block" : "pass";
  // A rule may have decided otherwise than the score.
  const { role } = VERDICTS[reached.recommendation];
  const bar = barSpans(score / full, columns, role, theme).flatMap((span) =>
    graphemes(span.text).map((text) => ({ ...span, text })),
  );
  for (const mark of marks) bar[mark] = { text: theme.sign("now"), role };
  const { say } = theme;
  const label = `${say("score")}  `;
  const far = (): string => {
    // How far it is from a milder or stricter verdict says nothing of one that it did not bring about.
    if (verdict !== reached.recommendation) return say("not_by_score");
    if (score > full) return say("past_scale", { points: full });
    if (verdict === "block") return "";
    const [points, mark] =
      verdict === "pass"
        ? [thresholds.threeDs - score, say("from_3ds")]
        : [thresholds.block - score, say("from_block")];
    return say("below", { points, mark });
  };
  const room = columns - widthOf(label) - widthOf(String(score)) - 2;
  return [
    [
      { text: label, role: "quiet" },
      { text: String(score), role },
      { text: fit(widest([far(), ""], room), room + 2, { align: "right" }), role: "quiet" },
    ],
    joined(bar),
    markRow(thresholds, marks, columns, full, theme),
  ];
}

/** Neighbours of one role as one span. */
function joined(cells: Row): Row {
  const spans: Span[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last?.role === cell.role) spans[spans.length - 1] = { ...cell, text: last!.text + cell.text };
    else spans.push(cell);
  }
  return spans;
}

/** A label below each mark, in the longest words that there is room for, and below the ends of the bar where they leave it. */
function markRow(
  { threeDs, block }: Explanation["thresholds"],
  marks: readonly [number, number],
  columns: number,
  full: number,
  { say }: Theme,
): Row {
  const second = widest([`${block} ${say("from_block")}`, String(block)], columns - marks[1]);
  const at = Math.max(0, Math.min(marks[1], columns - widthOf(second)));
  const from = Math.min(marks[0], Math.max(0, at - widthOf(String(threeDs)) - 1));
  const first = widest(
    [`${threeDs} ${say("from_3ds")}`, `${threeDs} ${say("3ds_or_block")}`, String(threeDs)],
    at - from - 1,
  );
  const left = columns - at - widthOf(second);
  const end = widest([String(full), ""], left - 2);
  return [
    {
      text: fit(from > 1 ? "0" : "", from) + fit(first, at - from) + second + end.padStart(left),
      role: "quiet",
    },
  ];
}

/** The first of some texts, longest first, that has room; the last one if none has. */
function widest(texts: readonly string[], room: number): string {
  return texts.find((text) => widthOf(text) <= room) ?? texts.at(-1)!;
}

const EFFECT = 6;

/** Width from which the code of its rule stands at the end of the row of a reason. */
const WITH_CODE = 104;
const LONGEST_CODE = 28;

/**
 * The strongest reasons with their points, or why there are none. A long one goes on in the next row as long as there are
 * rows to spare, and is cut otherwise.
 * @param key shows the others; none if missing
 */
export function reasonRows(
  { reasons, silence }: Pick<Decision, "reasons" | "silence">,
  width: number,
  most: number,
  theme: Theme,
  key: string = "",
): Row[] {
  if (most < 1) return [];
  if (silence !== null) {
    const lines = clipLines(wrapWords(silence, width), most, width, theme.sign("ellipsis"));
    return lines.map((text): Row => [{ text }]);
  }
  const shown = reasons.length <= most ? reasons : reasons.slice(0, Math.max(1, most - 1));
  const indent = fit("", EFFECT);
  const codes = width < WITH_CODE ? 0 : LONGEST_CODE;
  const room = width - EFFECT - codes;
  let spare = most - reasons.length;
  const rows = shown.flatMap(({ code, effect, text }): Row[] => {
    const wrapped = wrapWords(text, room);
    const hasRoom = wrapped.length - 1 <= spare;
    if (hasRoom) spare -= wrapped.length - 1;
    const tail = most === 1 && reasons.length > 1 ? ` (${moreReasons(reasons.slice(1))})` : "";
    const [first = "", ...rest] =
      hasRoom && tail === "" ? wrapped : [clip(text, room - widthOf(tail), theme.sign("ellipsis")) + tail];
    return [
      [
        { text: fit(effect.padStart(4), EFFECT), role: "heading" },
        { text: codes === 0 ? first : fit(first, room) },
        ...(codes === 0 ? [] : [{ text: fit(code, codes, { align: "right" }), role: "quiet" as const }]),
      ],
      ...rest.map((line): Row => [{ text: indent + line }]),
    ];
  });
  if (shown.length === reasons.length || most === 1) return rows;
  return [
    ...rows,
    [{ text: `${indent}${moreReasons(reasons.slice(shown.length))}${key}`, role: "quiet" as const }],
  ];
}

const LONGEST_BAR = 24;

/** Longer names are cut. */
const LONGEST_KEY = 28;
/** Columns of a bar that still shows how full it is. */
const LEAST_BAR = 4;

/**
 * The fullest counters in columns, each as wide as its labels need; `1/3` saves room.
 * @param watch these instead, in their order, also those of which nothing is known: each keeps its place
 */
export function counterGrid(
  counters: readonly CounterReading[],
  width: number,
  columns: number,
  rows: number,
  theme: Theme,
  watch: readonly Watched[] | null = null,
): Row[] {
  if (rows < 1) return [];
  const between = columns > 1 && theme.ascii !== "words" ? "/" : " of ";
  const shown =
    watch === null
      ? fullestOf(counters, rows * columns, LONGEST_KEY, between, theme)
      : gaugesOf(watchedOf(counters, watch.slice(0, rows * columns)), LONGEST_KEY, between, theme);
  if (theme.ascii === "words") return barRows(shown, width, theme);
  const height = Math.ceil(shown.length / columns);
  const parts = Array.from({ length: height === 0 ? 0 : Math.ceil(shown.length / height) }, (_, column) =>
    shown.slice(column * height, (column + 1) * height),
  );
  const gap = 3;
  const taken = parts.map((part) => widestOf(part, "label") + widestOf(part, "value") + 3);
  const spare = width - gap * (columns - 1) - taken.reduce((sum, each) => sum + each, 0);
  // Fewer, but whole; what is watched keeps its place.
  if (spare < LEAST_BAR * columns && columns > 1 && watch === null) {
    return counterGrid(counters, width, columns - 1, rows, theme);
  }
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

/** The fullest counters with a limit, in their own order, so that a row keeps its place while it fills. */
export function limitBars(all: readonly CounterReading[], width: number, most: number, theme: Theme): Row[] {
  return barRows(fullestOf(all, most, Math.max(LONGEST_KEY, width >> 1), " of ", theme), width, theme);
}

/** What is counted, without a reading. */
type Watched = Pick<CounterReading, "key" | "window">;

/** A counter, or another share of a whole, as it is shown. */
export interface Gauge {
  /** Null for no bar: there is no limit, or nothing is known. */
  readonly share: number | null;
  readonly label: string;
  /** `1 of 3`, `1/3`, the count alone without a limit, `-` where nothing is known */
  readonly value: string;
  /** Of label and bar; plain by default. */
  readonly role?: Role | null;
}

/** @param between what stands between a count and its limit */
function fullestOf(
  all: readonly CounterReading[],
  most: number,
  longestKey: number,
  between: "/" | " of ",
  theme: Theme,
): Gauge[] {
  const counters = all.filter(hasLimit);
  const fullest = new Set(
    counters.toSorted((one, other) => fullness(other) - fullness(one)).slice(0, Math.max(0, most)),
  );
  return gaugesOf(
    counters.filter((counter) => fullest.has(counter)),
    longestKey,
    between,
    theme,
  );
}

/** The readings that are watched; of several limits the nearest. */
function watchedOf(
  all: readonly CounterReading[],
  watch: readonly Watched[],
): (Watched & Partial<CounterReading>)[] {
  return watch.map(({ key, window }) => {
    const readings = all.filter((each) => each.key === key && each.window === window);
    const [nearest] = readings.filter(hasLimit).toSorted((one, other) => one.limit - other.limit);
    return nearest ?? { ...readings[0], key, window };
  });
}

function gaugesOf(
  shown: readonly (Watched & Partial<CounterReading>)[],
  longestKey: number,
  between: "/" | " of ",
  theme: Theme,
): Gauge[] {
  const limits = shown.reduce((most, { limit }) => Math.max(most, shortCount(limit ?? 0).length), 0);
  return shown.map(({ key, window, value, limit = null }) => {
    const counter = { key, window, value: value ?? 0, limit };
    const count = value === undefined ? "-" : shortCount(value);
    const isLimited = hasLimit(counter);
    return {
      share: isLimited ? fullness(counter) : null,
      label: `${safe(shortWords(key, theme), { max: longestKey })} ${safe(windowWords(window), { max: 8 })}`,
      value: isLimited
        ? `${count}${between}${shortCount(counter.limit).padStart(between === "/" ? 0 : limits)}`
        : count,
    };
  });
}

/** `1 838 204 M` for a sum so large that it would take the room of its label. */
function shortCount(value: number): string {
  const isHuge = value >= 1e8;
  return `${formatCount(Math.round(isHuge ? value / 1e6 : value))}${isHuge ? " M" : ""}`;
}

/** Most counts are of attempts, which goes without saying where room is short. */
function shortWords(key: string, { say }: Theme): string {
  return isOwner(key) ? say(`count_${key}`) : countWords(key).replace("attempts ", "");
}

function widestOf(gauges: readonly Gauge[], part: "label" | "value"): number {
  return gauges.reduce((most, gauge) => Math.max(most, widthOf(gauge[part])), 0);
}

/** Label, bar and value of each, below each other. @param longest columns of a bar at most */
export function barRows(
  gauges: readonly Gauge[],
  width: number,
  theme: Theme,
  longest: number = LONGEST_BAR,
): Row[] {
  const values = widestOf(gauges, "value");
  const labels = Math.min(widestOf(gauges, "label"), Math.max(8, width - values - 3 - LEAST_BAR));
  const bar = Math.max(1, Math.min(longest, width - labels - values - 3));
  return gauges.map(({ share, label, value, role = null }): Row => {
    return [
      { text: `${fit(label, labels, { ellipsis: theme.sign("ellipsis") })}  `, role },
      ...(share === null ? [{ text: fit("", bar) }] : barSpans(share, bar, role, theme)),
      {
        text: ` ${fit(value, values, { align: "right" })}`,
        role: share !== null && share > 1 ? "heading" : null,
      },
    ];
  });
}

type Limited = CounterReading & { readonly limit: number };

/** Every payment fills a limit of 1 by itself, which says nothing before it is passed. */
export function hasLimit(counter: CounterReading): counter is Limited {
  const { limit, value } = counter;
  return limit !== null && limit > 0 && (limit > 1 || value > limit);
}

function fullness({ value, limit }: Limited): number {
  return value / limit;
}

/** One bar for every quantity: heavy is there, thin is not. @param share over 1 it ends in a mark: it goes on */
export function barSpans(share: number, width: number, role: Role | null, theme: Theme): Row {
  const full = share <= 0 ? 0 : Math.min(width, Math.max(1, Math.round(share * width)));
  const beyond = share > 1 ? theme.sign("beyond") : "";
  return [
    { text: theme.sign("heavy").repeat(full - widthOf(beyond)) + beyond, role },
    { text: theme.sign("horizontal").repeat(width - full), role: "quiet" },
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
    { text: theme.sign("heavy").repeat(width - 1 - at), role },
  ];
}
