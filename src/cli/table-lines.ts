// The tables of reports as lines of text, within the width of the terminal.

import stringWidth from "string-width";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { paintedVerdict } from "#src/display/verdict.ts";
import { columnsOf, shownRows, type Cell, type Table } from "#src/replay/reports/parts.ts";
import type { Output } from "./output.ts";
import { layOut, wrapped } from "./table.ts";

/** Less of a path says nothing. */
const PATH_LEAST = 12;

/**
 * Heading and rows; nothing without rows. What a row is about, or its path, is the last column, whose width is not known: where
 * a name does not fit, all have a line of their own, and a path first loses its beginning. A sentence (`why`) is below its row.
 * @param most rows that are shown @param rest what the others are called @param showsWhy false leaves sentences out
 */
export function tableLines(
  table: Table,
  most: number,
  { style, columns }: Pick<Output, "style" | "columns">,
  { rest = "more", showsWhy = true }: { readonly rest?: string; readonly showsWhy?: boolean } = {},
): string[] {
  if (table.rows.length === 0) return [];
  const [rows, more] = shownRows(table, most);
  const heads = columnsOf(table).map((column, index) => ({ ...column, index }));
  const last = heads.find(({ look }) => look === "name" || look === "origin");
  const below = showsWhy ? heads.find(({ look }) => look === "why") : undefined;
  const fixed = heads.filter((head) => head !== last && head.look !== "why");
  const right = fixed.flatMap(({ look }, index) => (look === "number" ? index : []));
  const longest = (look: string): number => (look === "key" ? Math.max(12, Math.floor(columns / 3)) : 1_000);
  const cellsOf = (row: readonly Cell[], of: typeof heads): string[] =>
    of.map(({ index, look }) => cellText(row[index]!, longest(look), style));
  const all = [...fixed, last, below].filter((head) => head !== undefined);
  const names = (of: typeof heads): string[] => of.map(({ name }) => name.toUpperCase());
  const lines = style.spoken
    ? layOut(
        style,
        names(all),
        rows.map((row) => cellsOf(row, all)),
      )
    : laidOut();
  return [
    "",
    style.paint("heading", table.title),
    ...lines.map((line) => `  ${line}`.trimEnd()),
    ...(more > 0 ? [`  and ${formatCount(more)} ${rest}`] : []),
  ];

  function laidOut(): string[] {
    const front = layOut(
      style,
      names(fixed),
      rows.map((row) => cellsOf(row, fixed)),
      right,
    );
    const width = Math.max(...front.map((line) => stringWidth(line)));
    const room = columns - width - 4;
    const backs =
      last === undefined ? [] : [last.name.toUpperCase(), ...rows.flatMap((row) => cellsOf(row, [last]))];
    const isPath = last?.look === "origin";
    const isNarrow = backs.some((back) => stringWidth(back) > room) && (!isPath || room < PATH_LEAST);
    return front.flatMap((line, index) => {
      const back = backs[index] ?? "";
      const padded = line + " ".repeat(width - stringWidth(line) + 2);
      const why = below === undefined || index === 0 ? [] : cellsOf(rows[index - 1]!, [below]);
      const whole = isPath ? tail(back, isNarrow ? columns - 4 : room, style) : back;
      const own = [...(isNarrow && index > 0 ? [whole] : []), ...why];
      return [
        isNarrow ? line : padded + whole,
        ...own.flatMap((text) => wrapped("  ", text.split(" "), columns - 2, " ")),
      ];
    });
  }
}

function cellText(cell: Cell, longest: number, style: Style): string {
  if (typeof cell === "string") return safe(cell, { max: longest });
  if ("verdict" in cell) return paintedVerdict(cell.verdict, style);
  if ("was" in cell)
    return `${paintedVerdict(cell.was, style)} ${style.symbol(SIGN.arrow)} ${paintedVerdict(cell.now, style)}`;
  return safe(cell.join(", "));
}

/** The end of a path tells more than its beginning: file and line. */
function tail(text: string, room: number, style: Style): string {
  const characters = Array.from(text);
  return characters.length <= room ? text : style.symbol(SIGN.ellipsis) + characters.slice(1 - room).join("");
}
