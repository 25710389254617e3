// The frame around the console on a live service: red, with the word LIVE for terminals without colour.

import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { clip, widthOf } from "./fit.ts";
import { Line } from "./line.tsx";
import type { Size } from "./rows.ts";
import { useTheme, type Theme } from "./theme.ts";

export interface LiveFrameProps extends Size {
  /** The upper edge: the header, `columns` wide. */
  readonly header: ReactNode;
  /** Text in the lower edge beside the word; safe. */
  readonly text: string;
  /** From `liveFrameSize`. */
  readonly frame: Size;
  /** What it surrounds, without the header. */
  readonly children: ReactNode;
}

/** The word in the lower edge; the header has it, too. */
const WORD = "LIVE";

/**
 * What the frame takes from its content in a window: a low one has no lower edge.
 * @param least rows that the console needs
 */
export function liveFrameSize(rows: number, least: number): Size {
  return { columns: 2, rows: rows > least ? 1 : 0 };
}

export function LiveFrame({ header, text, columns, rows, frame, children }: LiveFrameProps): ReactNode {
  const theme = useTheme();
  const height = Math.max(0, rows - frame.rows - 1);
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      {header}
      <Box width={columns} height={height} flexShrink={0}>
        <Side height={height} />
        {children}
        <Side height={height} />
      </Box>
      {frame.rows > 0 ? <Line spans={[{ text: lowerEdge(text, columns, theme), role: "live" }]} /> : null}
    </Box>
  );
}

/** `columns` wide: the text, and the word at the right end. */
function lowerEdge(text: string, columns: number, theme: Theme): string {
  const line = theme.color ? " " : theme.sign("barFull");
  const tail = ` ${WORD} ${line.repeat(2)}`;
  const head = `${line.repeat(2)} ${clip(text, Math.max(0, columns - widthOf(tail) - 4), theme.sign("ellipsis"))} `;
  return `${head}${line.repeat(Math.max(0, columns - widthOf(head) - widthOf(tail)))}${tail}`;
}

function Side({ height }: { readonly height: number }): ReactNode {
  const { color, sign, textStyle } = useTheme();
  const text = color ? " " : sign("barFull");
  return (
    <Box width={1} height={height} flexShrink={0}>
      <Text {...textStyle("live")}>{Array.from({ length: height }, () => text).join("\n")}</Text>
    </Box>
  );
}
