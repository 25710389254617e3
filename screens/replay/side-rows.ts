// One payment before and now: verdict, reason, timing and request, with what differs marked. Side by side, or below each other. Pure.

import { CHECK_FIELDS } from "#src/contract/check-fields.ts";
import type { RunRow } from "#src/contract/run.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import type { Finding } from "#src/state/run-findings.ts";
import { wrap } from "#screens/history/wrap.ts";
import { fitRow, type Row } from "#screens/register/rows.ts";
import { resultKind, verdictSpan, type ReplayLook } from "./look.ts";

interface Value {
  readonly text: string;
  readonly role?: Role | null;
}

/** One line of the comparison: the same fact on both sides. */
interface Fact {
  readonly label: string;
  readonly before: Value | null;
  readonly after: Value | null;
  /** True where a difference is worth a mark. */
  readonly marks: boolean;
}

type Line = Fact | { readonly heading: string };

/** Longest text that is shown of one field; more would not be read on a terminal. */
const LONGEST = 2_000;

/** Rows of the two panes, as many on the left as on the right. */
export function sidesBeside(
  finding: Finding,
  widths: { readonly before: number; readonly after: number },
  look: ReplayLook,
): { before: Row[]; after: Row[] } {
  const lines = linesOf(finding, look);
  const label = labelWidth(lines, Math.min(widths.before, widths.after));
  const before: Row[] = [];
  const after: Row[] = [];
  for (const line of lines) {
    if ("heading" in line) {
      for (const [side, width] of [
        [before, widths.before],
        [after, widths.after],
      ] as const) {
        side.push(fitRow([], width, look.theme));
        side.push(fitRow([{ text: ` ${line.heading}`, role: "heading" }], width, look.theme));
      }
      continue;
    }
    const one = factRows(line, line.before, label, widths.before, look);
    const other = factRows(line, line.after, label, widths.after, look);
    const height = Math.max(one.length, other.length);
    for (let index = 0; index < height; index += 1) {
      before.push(one[index] ?? fitRow([], widths.before, look.theme));
      after.push(other[index] ?? fitRow([], widths.after, look.theme));
    }
  }
  return { before, after };
}

/** Rows of one pane: what is the same once, what differs twice. */
export function sidesStacked(finding: Finding, width: number, look: ReplayLook): Row[] {
  const lines = linesOf(finding, look);
  const label = labelWidth(lines, width);
  const rows: Row[] = [];
  for (const line of lines) {
    if ("heading" in line) {
      rows.push(fitRow([], width, look.theme));
      rows.push(fitRow([{ text: ` ${line.heading}`, role: "heading" }], width, look.theme));
    } else if (!differs(line)) {
      rows.push(...factRows(line, line.after ?? line.before, label, width, look));
    } else if (!line.marks) {
      rows.push(...factRows(line, bothShort(line), label, width, look));
    } else {
      const arrow = look.theme.sign("arrow").padStart(label - 1);
      rows.push(...factRows(line, line.before, label, width, look));
      rows.push(...factRows({ ...line, label: arrow, marks: false }, line.after, label, width, look));
    }
  }
  return rows;
}

/** What differs by nature: how it is now, and where that is short how it was. */
function bothShort({ before, after }: Fact): Value {
  const text = after!.text;
  return { text: before!.text.length <= SHORT ? `${text}, before ${before!.text}` : text };
}

const SHORT = 10;
const LABEL = { least: 12, most: 27 };

/** The widest label, as far as the values keep enough. */
function labelWidth(lines: readonly Line[], width: number): number {
  const widest = Math.max(...lines.map((line) => ("label" in line ? line.label.length + 2 : 0)));
  return Math.min(Math.max(LABEL.least, widest), LABEL.most, Math.floor(width * 0.5));
}

function factRows(
  { label, marks, before, after }: Fact,
  value: Value | null,
  labelled: number,
  width: number,
  { theme }: ReplayLook,
): Row[] {
  const differing = marks && differs({ label, marks, before, after });
  const mark = differing ? theme.sign("warning") : " ";
  const role = value?.role ?? (differing ? "warning" : null);
  const room = Math.max(2, width - labelled - 3);
  const [first = "", ...rest] = wrap(value?.text ?? "-", room);
  return [
    fitRow(
      [
        { text: `${mark} `, role: "warning" },
        { text: label.padEnd(labelled).slice(0, labelled) },
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

function linesOf(finding: Finding, look: ReplayLook): Line[] {
  const { before, after } = finding;
  const both = (
    label: string,
    read: (row: RunRow) => Value | null,
    marks: boolean = true,
    without: Value | null = null,
  ): Fact => ({
    label,
    before: before === null ? without : read(before),
    after: after === null ? null : read(after),
    marks,
  });
  const was = finding.was === null ? null : verdictSpan(finding.was, look);
  const facts: Fact[] = [
    both("Verdict", (row) => verdictSpan(resultKind(row.result), look), true, was),
    both("Required", (row) => ({ text: VERDICTS[resultKind(row.result)].reaction }), false),
    both("Message", (row) => text(row.result?.message ?? null)),
    both("Reason", reasonOf),
    both("Latency", (row) => ({ text: formatLatency(row.result?.latencyMs ?? null) }), false),
    both("Status", (row) => text(row.result?.httpStatus?.toString() ?? null)),
    both("Attempts", (row) => text(row.result === null ? null : String(row.result.attempts)), false),
    both("Decision", (row) => text(row.result?.decisionId ?? null), false),
    both("Expected", (row) => (row.expect === null ? null : verdictSpan(row.expect, look)), false),
    both("Sent at", (row) => ({ text: formatDateTime(row.at) }), false),
    both("From", (row) => text(row.origin), false),
  ];
  return [
    ...facts.filter((fact) => fact.before !== null || fact.after !== null),
    ...(before === null
      ? [
          {
            heading:
              finding.was === null
                ? "Of the earlier side nothing is known."
                : "Of the earlier side only the verdict is known.",
          },
        ]
      : []),
    { heading: "Request" },
    ...requestFacts(before, after, look),
  ];
}

function text(value: string | null): Value | null {
  return value === null || value === "" ? null : { text: safe(value, { max: LONGEST }) };
}

/** Why there is no verdict; of an answered call its message says everything. */
function reasonOf({ result }: RunRow): Value | null {
  if (result === null) return { text: "No outcome was recorded; the request may have arrived." };
  return result.outcome === "answered" ? null : text(result.explanation);
}

function requestFacts(before: RunRow | null, after: RunRow | null, look: ReplayLook): Fact[] {
  const was = before === null ? null : flattened(before.request);
  const now = after === null ? null : flattened(after.request);
  const present = new Set([...(was?.keys() ?? []), ...(now?.keys() ?? [])]);
  const known = CHECK_FIELDS.map(({ path }) => path).filter((path) => present.has(path));
  const others = [...present].filter((path) => !known.includes(path));
  const read = (
    row: RunRow | null,
    values: ReadonlyMap<string, unknown> | null,
    path: string,
  ): Value | null => {
    if (row === null || values === null) return null;
    return { text: values.has(path) ? valueText(path, values.get(path), row, look) : "not there" };
  };
  return [...known, ...others].map((path) => ({
    label: safe(path, { max: 40 }),
    before: read(before, was, path),
    after: read(after, now, path),
    marks: true,
  }));
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

function valueText(path: string, value: unknown, { request }: RunRow, { unit }: ReplayLook): string {
  if (path === "amount") return `${String(value)}  ${formatMoney(request.amount, request.currency, unit)}`;
  // As it stands on the card; on the wire it is a number.
  if (path === "card.cin_card" && typeof value === "number") return String(value).padStart(4, "0");
  return safe(typeof value === "string" ? value : JSON.stringify(value), { max: LONGEST });
}
