// A comparison of two things fact by fact, differences marked by sign and word: in two panes, or stacked in one. Pure.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { arranged, filledPane, seenRows } from "./arranged.ts";
import { wrap } from "./fit.ts";
import { DIVIDER, type Band } from "./pane.tsx";
import { AXIS, fitRow, hasTwoPanes, type Row, type Size } from "./rows.ts";
import type { Theme } from "./theme.ts";

export interface Value {
  readonly text: string;
  readonly role?: Role | null;
}

/** One line of the comparison: the same fact on both sides. */
export interface Fact {
  readonly label: string;
  readonly before: Value | null;
  readonly after: Value | null;
  /** True where a difference is worth a mark. */
  readonly marks: boolean;
}

export type SideLine = Fact | { readonly heading: string };

/** Longest text that is shown of one field; more would not be read on a terminal. */
const LONGEST = 2_000;

/** Rows of the two panes, as many on the left as on the right. */
function sidesBeside(
  lines: readonly SideLine[],
  widths: { readonly before: number; readonly after: number },
  theme: Theme,
): { before: Row[]; after: Row[] } {
  const label = labelWidth(lines, Math.min(widths.before, widths.after));
  const before: Row[] = [];
  const after: Row[] = [];
  for (const line of lines) {
    if ("heading" in line) {
      const heading = headingRows(line.heading, widths.before, theme);
      before.push(...heading);
      after.push(...heading.map(() => fitRow([], widths.after, theme)));
      continue;
    }
    const one = factRows(line, line.before, label, widths.before, theme);
    // What is the same is read once.
    const other = isSame(line) ? [] : factRows(line, changedValue(line, theme), label, widths.after, theme);
    const height = Math.max(one.length, other.length);
    for (let index = 0; index < height; index += 1) {
      before.push(one[index] ?? fitRow([], widths.before, theme));
      after.push(other[index] ?? fitRow([], widths.after, theme));
    }
  }
  return { before, after };
}

/** Rows of one pane: equal facts once, different ones twice. */
export function sidesStacked(lines: readonly SideLine[], width: number, theme: Theme): Row[] {
  const label = labelWidth(lines, width);
  const rows: Row[] = [];
  for (const line of lines) {
    if ("heading" in line) {
      rows.push(...headingRows(line.heading, width, theme));
    } else if (!differs(line)) {
      rows.push(...factRows(line, line.after ?? line.before, label, width, theme));
    } else if (!line.marks) {
      rows.push(...factRows(line, bothShort(line), label, width, theme));
    } else {
      const arrow = theme.sign("arrow").padStart(label - 1);
      const changed = changedValue(line, theme)!;
      const value = { ...changed, role: changed.role ?? ("warning" as const) };
      rows.push(...factRows(line, line.before, label, width, theme));
      rows.push(...factRows({ ...line, label: arrow, marks: false }, value, label, width, theme));
    }
  }
  return rows;
}

/** The names of the two sides, of both in one pane, and the note of the pane with the later one. */
export interface SideNames {
  readonly before: string;
  readonly after: string;
  readonly both: string;
  /** Hardly anything is known of the earlier side: one pane has the facts in their own order. */
  readonly alone?: boolean;
  /** @param place of the visible rows; empty where all are seen */
  note(place: string): string;
}

/** What differs first; below it what is the same in both, by its headings. */
function changesFirst(lines: readonly SideLine[]): readonly SideLine[] {
  const changed = lines
    .filter((line): line is Fact => !("heading" in line) && !isSame(line))
    .toSorted((one, other) => Number(other.marks) - Number(one.marks));
  const rest = lines.filter((line) => "heading" in line || isSame(line));
  const [first] = rest;
  return first === undefined || "heading" in first
    ? [...changed, ...rest]
    : [...changed, { heading: "The same in both" }, ...rest];
}

function isSame({ before, after }: Fact): boolean {
  return before !== null && after !== null && before.text === after.text;
}

/** Both sides in panes, or stacked in one where there is no room for two. */
export function sidesBands(
  all: readonly SideLine[],
  size: Size,
  names: SideNames,
  scroll: number,
  theme: Theme,
): { readonly bands: readonly Band[]; readonly page: number; readonly end: number } {
  const { alone = false } = names;
  const lines = alone ? all : changesFirst(all);
  const isBeside = hasTwoPanes(size) && !alone;
  const half = Math.floor((size.columns - DIVIDER) / 2);
  const sides = isBeside
    ? sidesBeside(lines, { before: half, after: size.columns - DIVIDER - half }, theme)
    : { before: [], after: sidesStacked(lines, size.columns, theme) };
  const page = Math.max(1, size.rows - 1);
  const { seen, end, place } = seenRows(sides.after, scroll, page);
  const bands = arranged(
    { ...size, divider: 0, zoom: Number(!isBeside) },
    { least: half, share: 0, most: half, opened: true },
    [
      (width, height) =>
        filledPane(
          { title: names.before, width, focused: false },
          seenRows(sides.before, scroll, page).seen,
          height,
        ),
      (width, height) =>
        filledPane(
          { title: isBeside ? names.after : names.both, note: names.note(place), width },
          seen,
          height,
        ),
    ],
  );
  return { bands, page, end };
}

/** How many marked facts differ. */
export function countChanged(lines: readonly SideLine[]): number {
  return lines.filter((line) => !("heading" in line) && line.marks && differs(line)).length;
}

/** The text as the value of a fact; null where there is none. */
export function textValue(value: string | null): Value | null {
  return value === null || value === "" ? null : { text: safe(value, { max: LONGEST }) };
}

/** Every field of two requests, known fields first; null for an unknown request. */
export function requestFacts(
  before: CheckRequest | null,
  after: CheckRequest | null,
  unit: Profile["amountUnit"],
): Fact[] {
  const was = before === null ? null : flattened(before);
  const now = after === null ? null : flattened(after);
  const present = new Set([...(was?.keys() ?? []), ...(now?.keys() ?? [])]);
  const known = CHECK_FIELDS.map(({ path }) => path).filter((path) => present.has(path));
  const others = [...present].filter((path) => !known.includes(path));
  const read = (
    request: CheckRequest | null,
    values: ReadonlyMap<string, unknown> | null,
    path: string,
  ): Value | null => {
    if (request === null || values === null) return null;
    return { text: values.has(path) ? valueText(path, values.get(path), request, unit) : ABSENT };
  };
  return [...known, ...others].map((path) => ({
    label: safe(path, { max: 40 }),
    before: read(before, was, path),
    after: read(after, now, path),
    marks: true,
  }));
}

const ABSENT = "absent";

function headingRows(heading: string, width: number, theme: Theme): Row[] {
  return [
    fitRow([], width, theme),
    ...wrap(heading, Math.max(2, width - AXIS)).map((text) =>
      fitRow([{ text: `${" ".repeat(AXIS)}${text}`, role: "quiet" }], width, theme),
    ),
  ];
}

/** For a screen reader the later side has a word for the difference, which eyes see by the sign in front of it. */
function changedValue(fact: Fact, { ascii }: Theme): Value | null {
  const { before, after, marks } = fact;
  if (ascii !== "words" || after === null || !marks || !differs(fact)) return after;
  if (after.text === ABSENT) return { ...after, text: `${ABSENT} (removed)` };
  return { ...after, text: `${after.text} (${before!.text === ABSENT ? "added" : "changed"})` };
}

/** A fact that differs by nature, such as a time: its value now, and the earlier one if it is short. */
function bothShort({ before, after }: Fact): Value {
  const text = after!.text;
  return { text: before!.text.length <= SHORT ? `${text}, before ${before!.text}` : text };
}

const SHORT = 10;
const LABEL = { least: 12, most: 27 };

/** Columns of the labels: the widest one, within bounds that leave room for the values. */
function labelWidth(lines: readonly SideLine[], width: number): number {
  const widest = Math.max(...lines.map((line) => ("label" in line ? line.label.length + 2 : 0)));
  return Math.min(Math.max(LABEL.least, widest), LABEL.most, Math.floor(width * 0.5));
}

function factRows(fact: Fact, value: Value | null, labelled: number, width: number, theme: Theme): Row[] {
  const differing = fact.marks && differs(fact);
  const mark = differing ? theme.sign("warning") : " ";
  const role = value?.role ?? (differing ? "warning" : null);
  const room = Math.max(2, width - labelled - 3);
  const [first = "", ...rest] = wrap(value?.text ?? "-", room);
  return [
    fitRow(
      [
        { text: `${mark} `, role: "warning" },
        { text: fact.label.padEnd(labelled).slice(0, labelled), role: "quiet" },
        { text: first, role },
      ],
      width,
      theme,
    ),
    ...rest.map((line) => fitRow([{ text: " ".repeat(labelled + 2) }, { text: line, role }], width, theme)),
  ];
}

function differs({ before, after }: Fact): boolean {
  return before !== null && after !== null && before.text !== after.text;
}

/** Every value of a request by its dotted path. */
function flattened(value: unknown, path: string = ""): Map<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [
      ...flattened(part, path === "" ? key : `${path}.${key}`),
    ]),
  );
}

function valueText(path: string, value: unknown, request: CheckRequest, unit: Profile["amountUnit"]): string {
  if (path === "amount") return `${String(value)}  ${formatMoney(request.amount, request.currency, unit)}`;
  // As printed on the card: on the wire it is a number without leading zeros.
  if (path === "card.cin_card" && typeof value === "number") return String(value).padStart(4, "0");
  return safe(typeof value === "string" ? value : JSON.stringify(value), { max: LONGEST });
}
