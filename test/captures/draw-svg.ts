// The cells of a terminal as a picture: plain SVG, one text a run of cells that look alike.

import type { CellLook } from "../console/pty.ts";

/** What a cell looks like; the columns of a row follow each other. */
export type CellAt = (row: number, column: number) => CellLook;

/** Size of a cell, in the units of the picture, for the advance of common monospace fonts. */
const CELL = { width: 8.4, height: 17, baseline: 13 } as const;
const FONT_SIZE = 14;
const MARGIN = 8;

const GROUND = "#16181d";
const TEXT = "#d5d8de";
/** The sixteen named colours, each readable on the ground. */
const PALETTE: readonly string[] = [
  "#16181d",
  "#f07178",
  "#8fd17f",
  "#e8c25d",
  "#7aa8f0",
  "#d895e6",
  "#5fcbd3",
  TEXT,
  "#8a919d",
  "#ff9199",
  "#aee5a1",
  "#ffdc85",
  "#a3c4ff",
  "#eab6f5",
  "#8ee4ea",
  "#ffffff",
];

/** Colours that are darker behind a text than in it. */
const GROUNDS: Readonly<Record<number, string>> = { 1: "#b4232f" };

interface Run {
  readonly column: number;
  text: string;
  width: number;
  readonly look: CellLook;
}

/** Draws the screen that `cellAt` reads. */
export function drawSvg(rows: number, columns: number, title: string, cellAt: CellAt): string {
  const width = round(columns * CELL.width + 2 * MARGIN);
  const height = round(rows * CELL.height + 2 * MARGIN);
  const boxes: string[] = [];
  const texts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (const run of runsOf(row, columns, cellAt)) {
      if (groundOf(run.look) !== null) boxes.push(boxOf(run, row));
      boxes.push(...blocksOf(run, row));
      const text = textOf(run, row);
      if (text !== "") texts.push(text);
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="6" fill="${GROUND}"/>`,
    ...(boxes.length === 0 ? [] : ['<g shape-rendering="crispEdges">', ...boxes, "</g>"]),
    `<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="${FONT_SIZE}" fill="${TEXT}">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Runs of cells that look alike. A wide character is a run of its own, so that what follows stays in its column. */
function runsOf(row: number, columns: number, cellAt: CellAt): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const look = cellAt(row, column);
    if (look.width === 0) continue;
    const text = look.text === "" ? " " : look.text;
    const last = runs.at(-1);
    if (last !== undefined && look.width === 1 && last.look.width === 1 && alike(last.look, look)) {
      last.text += text;
      last.width += 1;
    } else runs.push({ column, text, width: look.width, look });
  }
  return runs;
}

function alike(one: CellLook, other: CellLook): boolean {
  return (
    one.color === other.color &&
    one.background === other.background &&
    one.bold === other.bold &&
    one.underline === other.underline &&
    one.inverse === other.inverse
  );
}

/** Colour of the box behind a cell; null for the ground of the picture. */
function groundOf({ color, background, inverse }: CellLook): string | null {
  if (inverse) return color === null ? TEXT : PALETTE[color]!;
  return background === null ? null : (GROUNDS[background] ?? PALETTE[background]!);
}

/** Colour of what stands in a cell; null for that of the text. */
function inkOf({ color, background, inverse }: CellLook): string | null {
  if (inverse) return background === null ? GROUND : PALETTE[background]!;
  return color === null ? null : PALETTE[color]!;
}

function boxOf({ column, width, look }: Run, row: number): string {
  return `<rect x="${x(column)}" y="${y(row)}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${groundOf(look)}"/>`;
}

/** A row of equal blocks: the upper half, or eighths from below. */
const BLOCKS = /([\u2580-\u2588])\1*/g;

/** Blocks as boxes, because letters of a font leave hairlines between them. */
function blocksOf({ column, text, look }: Run, row: number): string[] {
  return [...text.matchAll(BLOCKS)].map(({ 0: blocks, index }) => {
    const eighths = blocks.charCodeAt(0) - 0x2580;
    const height = round((CELL.height * (eighths || 4)) / 8);
    const top = eighths === 0 ? y(row) : round(y(row) + CELL.height - height);
    const at = column + Array.from(text.slice(0, index)).length;
    return `<rect x="${x(at)}" y="${top}" width="${round(blocks.length * CELL.width)}" height="${height}" fill="${inkOf(look) ?? TEXT}"/>`;
  });
}

/** The words of a run, each group where its cells are: blanks between groups are places and no characters. */
function textOf({ column, text, look }: Run, row: number): string {
  const groups = [
    ...text.replaceAll(BLOCKS, (blocks) => " ".repeat(blocks.length)).matchAll(/\S+(?: \S+)*/g),
  ];
  if (groups.length === 0) return "";
  const fill = inkOf(look);
  const style = [
    fill === null ? "" : ` fill="${fill}"`,
    look.bold ? ' font-weight="bold"' : "",
    look.underline ? ' text-decoration="underline"' : "",
  ].join("");
  // A run holds one-column characters only, or a single wide one: places in the text are columns, but for surrogate pairs.
  return groups
    .map((group) => {
      const before = Array.from(text.slice(0, group.index)).length;
      const cells = look.width === 2 ? 2 : Array.from(group[0]).length;
      const length = round(cells * CELL.width);
      return `<text x="${x(column + before)}" y="${round(y(row) + CELL.baseline)}" textLength="${length}"${style}>${escaped(group[0])}</text>`;
    })
    .join("\n");
}

function x(column: number): number {
  return round(MARGIN + column * CELL.width);
}

function y(row: number): number {
  return round(MARGIN + row * CELL.height);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
