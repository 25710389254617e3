// A framed panel over a screen: confirmation, palette, help. Rows are padded so that they cover what is below.

import { Box } from "ink";
import type { ReactNode } from "react";
import { clip, fit, widthOf } from "./fit.ts";
import { Line, Rows, type Span } from "./line.tsx";
import { PaneTitles } from "./pane.tsx";
import { useTheme } from "./theme.ts";

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
  const { sign } = useTheme();
  const room = panelRoom(width);
  const above = Math.min(head.length, Math.max(0, height - 3));
  const body = Math.max(0, height - 2 - above - (first === undefined ? 0 : 1));
  return (
    <Box width={width} height={height} flexDirection="column" flexShrink={0} overflow="hidden">
      <PaneTitles panes={[{ title, note, width }]} />
      <Rows rows={Array.from({ length: above }, (_, index) => padded(head[index] ?? [], room))} />
      {first === undefined ? null : (
        <Box width={width} height={1} paddingX={2} flexShrink={0}>
          {first}
        </Box>
      )}
      <Rows rows={Array.from({ length: body }, (_, index) => padded(rows[index] ?? [], room))} />
      <Line spans={[{ text: `  ${sign("horizontal").repeat(Math.max(0, width - 2))}`, role: "quiet" }]} />
    </Box>
  );
}

function padded(spans: readonly Span[], room: number): Span[] {
  const fitted: Span[] = [{ text: "  " }];
  let left = room;
  for (const span of spans) {
    const text = clip(span.text, left);
    if (text !== "") fitted.push({ ...span, text });
    left -= widthOf(text);
  }
  return [...fitted, { text: fit("", left + 2) }];
}
