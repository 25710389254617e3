// A framed panel over a screen: confirmation, palette, help. Rows are padded so that they cover what is below.

import { Box } from "ink";
import type { ReactNode } from "react";
import { Line, Rows, type Span } from "./line.tsx";
import { PaneTitles } from "./pane.tsx";
import { useTheme } from "./theme.ts";
import { type Row, fillRows, fitRow } from "./rows.ts";

export interface PanelProps {
  readonly title: string;
  /** At the right end of the title, e.g. `1-19 of 82`. */
  readonly note?: string;
  /** One row each; shorter ones are padded. */
  readonly rows: readonly (readonly Span[])[];
  /** Columns with the border. */
  readonly width: number;
  readonly height: number;
  /** Drawn instead of the first row, e.g. an input line. */
  readonly first?: ReactNode;
  /** Rows above `first`. */
  readonly head?: readonly (readonly Span[])[];
}

/** Columns that a panel of this width has for its rows. */
export function panelRoom(width: number): number {
  return Math.max(0, width - 4);
}

export function Panel({ title, note = "", rows, width, height, first, head = [] }: PanelProps): ReactNode {
  const theme = useTheme();
  const room = panelRoom(width);
  const above = Math.min(head.length, Math.max(0, height - 3));
  const padded = (all: readonly Row[], count: number): Row[] =>
    fillRows(all, 0, count).map((row) => [{ text: "  " }, ...fitRow(row, room, theme), { text: "  " }]);
  const body = Math.max(0, height - 2 - above - (first === undefined ? 0 : 1));
  return (
    <Box width={width} height={height} flexDirection="column" flexShrink={0} overflow="hidden">
      <PaneTitles panes={[{ title, note, width }]} />
      <Rows rows={padded(head, above)} />
      {first === undefined ? null : (
        <Box width={width} height={1} paddingX={2} flexShrink={0}>
          {first}
        </Box>
      )}
      <Rows rows={padded(rows, body)} />
      <Line
        spans={[{ text: `  ${theme.sign("horizontal").repeat(Math.max(0, width - 2))}`, role: "quiet" }]}
      />
    </Box>
  );
}
