// A comparison as text: the matrix of verdicts before and after, what changed in one line, and the flips, worst first.

import stringWidth from "string-width";
import {
  CARRIED,
  sharedFlips,
  type Comparison,
  type Flip,
  type FlipCause,
  type FlipCell,
} from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import {
  causeText,
  cellRole,
  changeLines,
  matrixRows,
  notCompared,
  nothingCompared,
} from "#src/display/comparison-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { eurText, formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { paintSpans, type RoleSpan } from "#src/display/span.ts";
import type { Style } from "#src/display/style.ts";
import { VERDICTS, verdictLabel } from "#src/display/verdict.ts";

const FLIPS_SHOWN = 20;
const GROUPS_SHOWN = 10;
const CURRENCIES_SHOWN = 3;
const GAP = "  ";

/** How a comparison of something else than two runs of one project is told. */
export interface ComparisonWords {
  /** Instead of the heading; it must be safe already. */
  readonly title?: readonly string[];
  /** Why a verdict changed, as a line below it; untrusted. */
  readonly why?: (flip: Flip) => string | null;
  /** What else is known of a cause; it must be safe already. */
  readonly note?: (cause: FlipCause) => string | null;
  /** Names those that were blocked and are not any more beside new blocks. */
  readonly showsReleased?: boolean;
}

/** The heading of a comparison, with where both sides were sent unless it is the same place. */
export function runsTitle(
  { baseline, run }: Pick<Comparison, "baseline" | "run">,
  earlier: RunInfo | null,
  later: RunInfo | null,
  style: Style,
): string[] {
  const heading = style.paint("heading", `Run ${safe(run)} compared with ${safe(baseline)}`);
  if (earlier === null || later === null || placeOf(earlier) === placeOf(later)) return [heading];
  return [heading, `  was ${safe(placeOf(earlier))}, now ${safe(placeOf(later))}`];
}

/**
 * The lines of a comparison, indented by two blanks below their headings.
 * @param amountUnit unit of the later run's amounts
 * @param columns width of the terminal; the matrix becomes a list where it does not fit
 */
export function comparisonLines(
  comparison: Comparison,
  amountUnit: AmountUnit,
  style: Style,
  columns: number,
  words: ComparisonWords = {},
): string[] {
  const { baseline, compared } = comparison;
  const title = words.title ?? runsTitle(comparison, null, null, style);
  const painted = (lines: RoleSpan[][]): string[] => lines.map((line) => `  ${paintSpans(line, style)}`);
  if (compared === 0) {
    const hint = baseline === CARRIED ? " Name a run to compare with." : "";
    return [...title, `  ${nothingCompared(comparison)}${hint}`, ...painted(notCompared(comparison))];
  }
  return [
    ...title,
    "",
    ...matrixLines(comparison, amountUnit, style, columns),
    "",
    ...painted(changeLines(comparison, words.showsReleased)),
    ...groupLines(
      "By cause",
      comparison.causes,
      (cause) => {
        const note = words.note?.(cause) ?? null;
        return note === null ? causeText(cause) : `${causeText(cause)}; ${note}`;
      },
      style,
      columns,
    ),
    ...groupLines(
      "By project",
      comparison.projects,
      ({ project }) => safe(project, { max: 60 }),
      style,
      columns,
    ),
    ...flipLines(comparison, amountUnit, style, columns, words.why ?? null),
  ];
}

/** One cell in lines: the count, then the money. */
type Cell = { readonly cell: FlipCell; readonly lines: readonly string[] };

function matrixLines(comparison: Comparison, unit: AmountUnit, style: Style, columns: number): string[] {
  const rows = matrixRows(comparison).map((row) =>
    row.map((cell): Cell => ({ cell, lines: cellLines(cell, unit, style) })),
  );
  const labels = rows.map(([first]) => verdictLabel(first!.cell.was, style.ascii));
  const corner = `was ${style.symbol({ symbol: "↓", ascii: "v" })} now ${style.symbol(SIGN.arrow)}`;
  const first = Math.max(corner.length, ...labels.map((label) => label.length));
  const widths = [0, 1, 2].map((column) =>
    Math.max(10, ...rows.map((row) => Math.max(...row[column]!.lines.map((line) => stringWidth(line))))),
  );
  const whole = 2 + first + widths.reduce((sum, width) => sum + GAP.length + width, 0);
  if (whole > columns) return listedCells(comparison.matrix, unit, style);

  const rule = style.symbol(SIGN.horizontal).repeat(whole - 2);
  const heads = rows[0]!.map(({ cell: { now } }, column) =>
    style.paint(VERDICTS[now].role, verdictLabel(now, style.ascii).padStart(widths[column]!)),
  );
  const lines = [`  ${[corner.padEnd(first), ...heads].join(GAP)}`, `  ${rule}`];
  for (const [index, row] of rows.entries()) {
    const height = Math.max(...row.map((cell) => cell.lines.length));
    for (let line = 0; line < height; line += 1) {
      const label = (line === 0 ? labels[index]! : "").padEnd(first);
      const painted = line === 0 ? style.paint(VERDICTS[row[0]!.cell.was].role, label) : label;
      const parts = row.map((cell, column) => paintedPart(cell, line, widths[column]!, style));
      lines.push(`  ${[painted, ...parts].join(GAP)}`.trimEnd());
    }
  }
  return lines;
}

function paintedPart({ cell, lines }: Cell, line: number, width: number, style: Style): string {
  const part = lines[line] ?? "";
  const padded = " ".repeat(width - stringWidth(part)) + part;
  return paintSpans([{ text: padded, role: line === 0 ? cellRole(cell) : null }], style);
}

function cellLines(cell: FlipCell, unit: AmountUnit, style: Style): string[] {
  return cell.count === 0 ? [style.symbol(SIGN.note)] : [formatCount(cell.count), ...sums(cell, unit)];
}

/** By currency, and then in one where there are several. */
function sums({ money, eur }: FlipCell, unit: AmountUnit): string[] {
  const shown = money
    .slice(0, CURRENCIES_SHOWN)
    .map(({ amount, currency }) => formatMoney(amount, currency, unit));
  const rest = money.length - shown.length;
  const more = rest === 0 ? [] : [`and ${rest} more`];
  const all = money.length > 1 ? eurText(eur) : null;
  return [...shown, ...more, ...(all === null ? [] : [all])];
}

/** For a narrow terminal, or sums of many digits: one line for each cell that is not empty. */
function listedCells(matrix: readonly FlipCell[], unit: AmountUnit, style: Style): string[] {
  const filled = matrix.filter(({ count }) => count > 0);
  const width = Math.max(...filled.map(({ count }) => formatCount(count).length));
  return filled.flatMap((cell) => {
    const count = formatCount(cell.count).padStart(width);
    const painted = paintSpans([{ text: count, role: cellRole(cell) }], style);
    const change = changeText(cell.was, cell.now, style);
    const [first = "", ...others] = sums(cell, unit);
    const indent = " ".repeat(2 + width + 2 * GAP.length + stringWidth(changeText(null, null, style)));
    return [`  ${[painted, change, first].join(GAP)}`.trimEnd(), ...others.map((other) => indent + other)];
  });
}

/** `✔ PASS  → ✖ BLOCK`, the words padded so that arrows stand below each other. */
function changeText(was: Recommendation | null, now: Recommendation | null, style: Style): string {
  const side = (verdict: Recommendation | null): string =>
    verdict === null
      ? "-".padEnd(7)
      : style.paint(VERDICTS[verdict].role, verdictLabel(verdict, style.ascii).padEnd(7));
  // In ASCII an arrow would look like the sign of 3-D Secure.
  return `${side(was)} ${style.symbol({ symbol: SIGN.arrow.symbol, ascii: "to" })} ${side(now)}`;
}

/** Flips by what they have in common; on a narrow terminal the name of a group has a line of its own. */
function groupLines<G extends FlipCell>(
  heading: string,
  groups: readonly G[],
  nameOf: (group: G) => string,
  style: Style,
  columns: number,
): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, GROUPS_SHOWN);
  const worths = shown.map(({ eur }) => eurText(eur) ?? "");
  const counts = Math.max(...shown.map(({ count }) => formatCount(count).length));
  const width = Math.max(...worths.map((worth) => worth.length));
  const heads = shown.map(({ was, now, count }, index) => {
    const worth = width === 0 ? [] : [worths[index]!.padStart(width)];
    return ["", formatCount(count).padStart(counts), changeText(was, now, style), ...worth].join(GAP);
  });
  const lines = heads.map((head, index) => head + GAP + nameOf(shown[index]!));
  const isNarrow = lines.some((line) => stringWidth(line) > columns);
  const indent = " ".repeat(counts + 2 * GAP.length);
  const rest = groups.length - shown.length;
  return [
    "",
    style.paint("heading", heading),
    ...(isNarrow ? heads.flatMap((head, index) => [head.trimEnd(), indent + nameOf(shown[index]!)]) : lines),
    ...(rest === 0 ? [] : [`  and ${formatCount(rest)} more groups`]),
  ];
}

function flipLines(
  comparison: Comparison,
  unit: AmountUnit,
  style: Style,
  columns: number,
  why: ComparisonWords["why"] | null,
): string[] {
  const { flips, changes } = comparison;
  if (flips.length === 0) return [];
  const shown = sharedFlips(flips, FLIPS_SHOWN);
  const rows = shown.map((flip) => flipCells(flip, unit, Math.max(12, Math.floor(columns / 3))));
  const keys = Math.max(3, ...rows.map(({ key }) => stringWidth(key)));
  const amounts = Math.max(6, ...rows.map(({ amount }) => stringWidth(amount)));
  const change = stringWidth(changeText(null, null, style));
  const head = ["KEY".padEnd(keys), "WAS / NOW".padEnd(change), "AMOUNT".padStart(amounts), "ORIGIN"];
  const room = columns - 2 - keys - change - amounts - 3 * GAP.length;
  const rest = changes.flipped - shown.length;
  return [
    "",
    style.paint("heading", "Changed verdicts, worst first"),
    `  ${head.join(GAP)}`,
    ...rows.flatMap(({ key, amount, origin }, index) => {
      const { was, now } = shown[index]!;
      const padded = key + " ".repeat(Math.max(0, keys - stringWidth(key)));
      const cells = [padded, changeText(was, now, style), amount.padStart(amounts)];
      const reason = why?.(shown[index]!) ?? null;
      return [
        `  ${[...cells, tail(origin, Math.max(12, room), style)].join(GAP)}`,
        ...(reason === null ? [] : [`    ${safe(reason, { max: 500 })}`]),
      ];
    }),
    ...(rest === 0 ? [] : [`  and ${formatCount(rest)} more; --json or --report html=FILE lists them`]),
  ];
}

function flipCells(
  { key, before, after }: Flip,
  unit: AmountUnit,
  longest: number,
): { readonly key: string; readonly amount: string; readonly origin: string } {
  const row = after ?? before;
  return {
    key: safe(key, { max: longest }),
    amount: row === null ? "-" : formatMoney(row.request.amount, row.request.currency, unit),
    origin: row === null ? "-" : safe(row.origin, { max: 1_000 }),
  };
}

/** The end of an origin tells more than its beginning: file and line. */
function tail(text: string, room: number, style: Style): string {
  const characters = Array.from(text);
  return characters.length <= room ? text : style.symbol(SIGN.ellipsis) + characters.slice(1 - room).join("");
}
