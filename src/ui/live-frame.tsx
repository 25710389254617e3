// The frame around the console on a live service: red, with the word LIVE for terminals without colour.

import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { clip, widthOf } from "./fit.ts";
import { Line } from "./line.tsx";
import { useTheme, type Theme } from "./theme.ts";

export interface LiveFrameProps {
  /** Text in the upper edge beside the word, e.g. the name of the profile; safe. */
  readonly text: string;
  /** Columns and rows of the console with the frame. */
  readonly columns: number;
  readonly rows: number;
  /** From `liveFrameSize`. */
  readonly frame: FrameSize;
  readonly children: ReactNode;
}

/** Columns and rows that the frame takes from its content. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/** The word that stands in every edge. */
const WORD = "LIVE";

/**
 * Size of the frame in a window: a low one has no upper and lower edge, only the sides and the badge of the header.
 * @param least rows that the console needs
 */
export function liveFrameSize(rows: number, least: number): FrameSize {
  return { columns: 2, rows: rows >= least + 2 ? 2 : 0 };
}

export function LiveFrame({ text, columns, rows, frame, children }: LiveFrameProps): ReactNode {
  const theme = useTheme();
  const hasEdges = frame.rows > 0;
  const height = Math.max(0, rows - frame.rows);
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      {hasEdges ? <Line spans={[{ text: edge(text, columns, theme), role: "live" }]} /> : null}
      <Box width={columns} height={height} flexShrink={0}>
        <Side height={height} />
        {children}
        <Side height={height} />
      </Box>
      {hasEdges ? <Line spans={[{ text: edge("", columns, theme), role: "live" }]} /> : null}
    </Box>
  );
}

/** `columns` wide: the word at both ends, and the text behind the first one. */
function edge(text: string, columns: number, theme: Theme): string {
  const line = theme.color ? " " : theme.sign("barFull");
  const said = text === "" ? "" : `${clip(text, Math.max(0, columns - 22), theme.sign("ellipsis"))} `;
  const head = `${line.repeat(2)} ${WORD} ${said}`;
  const tail = ` ${WORD} ${line.repeat(2)}`;
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
