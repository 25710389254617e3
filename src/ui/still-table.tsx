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
import { useTheme } from "./theme.ts";

export interface StillTableProps {
  readonly headings: readonly string[];
  /** Cells in the order of the headings; safe. */
  readonly rows: readonly (readonly string[])[];
  /** Index of the row that is marked; null for none. */
  readonly selected: number | null;
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
  readonly header: ComponentType<PropsWithChildren>;
  readonly cell: ComponentType<PropsWithChildren<{ readonly column: number }>>;
  readonly skeleton: ComponentType<PropsWithChildren>;
}

// ink-table is CommonJS and requires Ink, which is ESM only: loaded after Ink, it gets the loaded module.
const InkTable = lazy(async () => {
  const loaded: unknown = await import("ink-table");
  const { default: exported } = loaded as { default: { default: ComponentType<InkTableProps> } };
  return { default: exported.default };
});

/** Columns of each cell, so that a cell can fit itself: ink-table counts characters and not columns. */
const Widths = createContext<readonly number[]>([]);

export function StillTable({ headings, rows, selected, width }: StillTableProps): ReactNode {
  const { sign, shown } = useTheme();
  const marked = rows.map((cells, index) => [
    `${index === selected ? sign("pointer") : " "} ${cells[0] ?? ""}`,
    ...cells.slice(1),
  ]);
  const titles = [`  ${headings[0] ?? ""}`, ...headings.slice(1)];
  const widths = columnWidths([titles, ...marked], width);
  const data = marked.map((cells) =>
    Object.fromEntries(
      titles.map((title, column) => [title, shown(fit(cells[column] ?? "", widths[column]!))]),
    ),
  );
  return (
    <Box width={width} height={stillTableHeight(rows.length)} overflow="hidden" flexShrink={0}>
      <Widths value={widths}>
        <Suspense fallback={null}>
          <InkTable data={data} columns={titles} header={Heading} cell={Cell} skeleton={Rule} />
        </Suspense>
      </Widths>
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

function Heading({ children }: PropsWithChildren): ReactNode {
  const { textStyle } = useTheme();
  return <Text {...textStyle("heading")}>{children}</Text>;
}

function Cell({ children, column }: PropsWithChildren<{ readonly column: number }>): ReactNode {
  const { shown } = useTheme();
  const width = use(Widths)[column] ?? 0;
  const text = typeof children === "string" ? children.slice(1) : "";
  return <Text>{` ${shown(fit(text.trimEnd(), width))} `}</Text>;
}

/** Columns that share their edges need no lines: the borders of ink-table are left out, and its lines of them with all their cells. */
function Rule(): ReactNode {
  return null;
}
