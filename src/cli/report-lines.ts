// A report as lines of text, within the width of the terminal.

import stringWidth from "string-width";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { paintSpans } from "#src/display/span.ts";
import type { Style } from "#src/display/style.ts";
import { paintedVerdict, VERDICTS } from "#src/display/verdict.ts";
import {
  columnsOf,
  linesOf,
  shownRows,
  type Cell,
  type Fact,
  type Part,
  type Report,
  type Table,
} from "#src/replay/reports/parts.ts";
import type { Output } from "./output.ts";
import { layOut, wrapped } from "./table.ts";

type Terminal = Pick<Output, "style" | "columns">;

/** Rows of each table that are shown. */
const SHOWN = 20;
/** Less of a path says nothing. */
const PATH_LEAST = 12;

export function reportLines({ headline, findings, facts, parts }: Report, terminal: Terminal): string[] {
  const { style } = terminal;
  return [
    ...paragraph(headline, terminal, "").map((line) => style.paint("heading", line)),
    ...findings.flatMap(({ sign, lead = "", text }) =>
      paragraph(`${lead} ${text}`.trim(), terminal).map((line) =>
        sign === null ? line : style.paint(VERDICTS[sign].role, line),
      ),
    ),
    ...factLines(facts, terminal),
    ...parts.flatMap((part) => partLines(part, terminal)),
  ];
}

/** Heading and content; nothing where there is nothing to show. */
export function partLines(part: Part, terminal: Terminal): string[] {
  const lines =
    "rows" in part
      ? tableLines(part, terminal)
      : "list" in part
        ? part.list.flatMap((text) => paragraph(text, terminal))
        : factLines(part.facts, terminal);
  return lines.length === 0 ? [] : ["", terminal.style.paint("heading", part.title), ...lines];
}

function factLines(facts: readonly Fact[], terminal: Terminal): string[] {
  return facts.flatMap(([name, text]) => paragraph(`${name}: ${text}`, terminal));
}

export function paragraph(text: string, { columns }: Pick<Terminal, "columns">, indent = "  "): string[] {
  return wrapped(indent, safe(text, { max: 5_000 }).split(" "), columns, " ");
}

/**
 * What a row is about, or its path, is the last column, whose width is not known: where a name does not fit, all have a line of
 * their own, and a path first loses its beginning. A sentence (`why`) is below its row. A table that is too wide has its heads in
 * two lines, or a line a cell.
 */
function tableLines(table: Table, terminal: Terminal): string[] {
  if (table.rows.length === 0) return [];
  const { style, columns } = terminal;
  const { what, notes = [] } = table;
  const [rows, more] = shownRows(table, SHOWN);
  const heads = columnsOf(table, style.ascii).map((column, index) => ({ ...column, index }));
  const last = heads.find(({ look }) => look === "name" || look === "origin");
  const below = heads.find(({ look }) => look === "why");
  const fixed = heads.filter((head) => head !== last && head !== below);
  const right = fixed.flatMap(({ look }, index) => (look === "number" ? index : []));
  const longest = (look: string): number => (look === "key" ? Math.max(12, Math.floor(columns / 3)) : 1_000);
  const cellsOf = (row: readonly Cell[], of: typeof heads): string[][] =>
    of.map(({ index, look }) => cellLines(row[index]!, longest(look), style));
  const lines = (style.spoken ? null : (laidOut(false) ?? laidOut(true))) ?? listed();
  return [
    ...(what === undefined ? [] : paragraph(what, terminal)),
    ...lines.map((line) => `  ${line}`.trimEnd()),
    ...(more > 0 ? [`  and ${formatCount(more)} more; --json or --report html=FILE lists them`] : []),
    ...notes.flatMap((note) =>
      typeof note === "string" ? paragraph(note, terminal) : [`  ${paintSpans(note, style)}`],
    ),
  ];

  function listed(): string[] {
    const all = [...fixed, last, below].filter((head) => head !== undefined);
    const names = all.map(({ name }) => name.toUpperCase());
    const cells = rows.map((row) => cellsOf(row, all).map((each) => each.join(", ")));
    const lines = layOut({ spoken: true }, names, cells);
    return style.spoken ? lines : lines.flatMap((line) => wrapped("", line.split(" "), columns - 2, " "));
  }

  /** @param isHigh heads are broken at their first blank @returns null where there is no room */
  function laidOut(isHigh: boolean): string[] | null {
    const high = ({ name }: { readonly name: string }): string[] =>
      isHigh ? name.toUpperCase().split(/ (.*)/s, 2) : [name.toUpperCase()];
    const blocks = [fixed.map(high), ...rows.map((row) => cellsOf(row, fixed))];
    const heights = blocks.map((cells) => Math.max(...cells.map(({ length }) => length)));
    const flat = blocks.flatMap((cells, index) =>
      Array.from({ length: heights[index]! }, (_, line) => cells.map((lines) => lines[line] ?? "")),
    );
    const front = layOut(
      style,
      fixed.map(() => ""),
      flat,
      right,
    ).slice(1);
    const width = Math.max(...front.map((line) => stringWidth(line)));
    if (width + 2 > columns) return null;
    const room = columns - width - 4;
    const backs =
      last === undefined ? [] : [last.name.toUpperCase(), ...rows.flatMap((row) => cellsOf(row, [last])[0]!)];
    const isPath = last?.look === "origin";
    const isNarrow = backs.some((back) => stringWidth(back) > room) && (!isPath || room < PATH_LEAST);
    return blocks.flatMap((_, index) => {
      const [line, ...others] = front.splice(0, heights[index]);
      const back = backs[index] ?? "";
      const padded = line + " ".repeat(width - stringWidth(line!) + 2);
      const whole = isPath ? tail(back, isNarrow ? columns - 4 : room, style) : back;
      const why = below === undefined || index === 0 ? [] : cellsOf(rows[index - 1]!, [below])[0]!;
      const own = [...(isNarrow && index > 0 ? [whole] : []), ...why];
      return [
        isNarrow ? line! : padded + whole,
        ...others,
        ...own.flatMap((text) => wrapped("  ", text.split(" "), columns - 2, " ")),
      ];
    });
  }
}

function cellLines(cell: Cell, longest: number, style: Style): string[] {
  if (typeof cell === "object" && "verdict" in cell) return [paintedVerdict(cell.verdict, style)];
  if (typeof cell === "object" && "was" in cell)
    return [
      [cell.was, cell.now].map((kind) => paintedVerdict(kind, style)).join(` ${style.symbol(SIGN.arrow)} `),
    ];
  const lines = linesOf(cell)!.map((line) => safe(line, { max: longest }));
  const tone = typeof cell === "object" && "tone" in cell ? cell.tone : null;
  return tone === null ? lines : lines.map((line) => style.paint(VERDICTS[tone].role, line));
}

/** The end of a path tells more than its beginning: file and line. */
function tail(text: string, room: number, style: Style): string {
  const characters = Array.from(text);
  return characters.length <= room ? text : style.symbol(SIGN.ellipsis) + characters.slice(1 - room).join("");
}
