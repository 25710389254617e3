// A small table that rarely changes, drawn by ink-table; long live lists use rows, because an update here costs ten of theirs.

import { Box, Text } from "ink";
import {
  createContext,
  lazy,
  Suspense,
  use,
  type ComponentType,
  type PropsWithChildren,
  type ReactNode,
} from "react";
import { fit, widthOf } from "./fit.ts";
import type { Span } from "./line.tsx";
import type { Row } from "./rows.ts";
import { useTheme } from "./theme.ts";

export interface StillTableProps {
  readonly headings: Row;
  /** Cells in the order of the headings; safe. The first column is text, the others are numbers and end at the right. */
  readonly rows: readonly Row[];
  /** Columns of the whole table: the widest cells are cut to fit. */
  readonly width: number;
}

/** Screen rows of a table: the headings and the rows. */
export function stillTableHeight(rows: number): number {
  return rows + 1;
}

/** The part of ink-table that is used, typed for the installed React. */
interface InkTableProps {
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly columns: readonly string[];
  readonly header: ComponentType<{ readonly column: number }>;
  readonly cell: ComponentType<PropsWithChildren<{ readonly column: number }>>;
  readonly skeleton: ComponentType<PropsWithChildren>;
}

// ink-table is CommonJS and requires Ink, which is ESM only: loaded after Ink, it gets the loaded module.
const InkTable = lazy(async () => {
  const loaded: unknown = await import("ink-table");
  const { default: exported } = loaded as { default: { default: ComponentType<InkTableProps> } };
  return { default: exported.default };
});

/** ink-table counts characters and not columns, and knows no colours: it lays out the number of each row, and a cell finds its own. */
const Cells = createContext<{ readonly rows: readonly Row[]; readonly widths: readonly number[] }>({
  rows: [],
  widths: [],
});

export function StillTable({ headings, rows, width }: StillTableProps): ReactNode {
  const all = [headings, ...rows];
  const widths = columnWidths(
    all.map((cells) => cells.map(({ text }) => text)),
    width,
  );
  const columns = headings.map((_, column) => String(column));
  const data = rows.map((_, row) => Object.fromEntries(columns.map((column) => [column, String(row + 1)])));
  return (
    <Box width={width} height={stillTableHeight(rows.length)} overflow="hidden" flexShrink={0}>
      <Cells value={{ rows: all, widths }}>
        <Suspense fallback={null}>
          <InkTable data={data} columns={columns} header={Heading} cell={Cell} skeleton={Rule} />
        </Suspense>
      </Cells>
    </Box>
  );
}

/** Padding on both sides of a cell. */
const AROUND = 2;

/** Widths of the columns, the widest cut until all fit. */
export function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, cells) => Math.max(most, widthOf(cells[column] ?? "")), 1),
  );
  const room = width - AROUND * widths.length;
  for (let over = widths.reduce((sum, each) => sum + each, 0) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= 1) break;
    widths[widest]! -= 1;
  }
  return widths;
}

function Heading({ column }: { readonly column: number }): ReactNode {
  return <Cell column={column}>0</Cell>;
}

function Cell({ children, column }: PropsWithChildren<{ readonly column: number }>): ReactNode {
  const { shown, textStyle } = useTheme();
  const { rows, widths } = use(Cells);
  const { text, role }: Span = rows[Number(children)]?.[column] ?? { text: "" };
  const cell = fit(text, widths[column] ?? 0, { align: column === 0 ? "left" : "right" });
  return <Text {...textStyle(role)}>{column === 0 ? `  ${shown(cell)}` : ` ${shown(cell)} `}</Text>;
}

/** Columns that share their edges need no lines: the borders of ink-table are left out, and its lines of them with all their cells. */
function Rule(): ReactNode {
  return null;
}
