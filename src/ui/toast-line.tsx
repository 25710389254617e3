// The message row above the footer, which is always there: the latest message, or what goes on in the background.

import { Box } from "ink";
import type { ReactNode } from "react";
import { wrapWords, clipLines } from "./fit.ts";
import { Line } from "./line.tsx";
import { useTheme } from "./theme.ts";

export type ToastKind = "note" | "done" | "error";

/** The second row lies over the last one of the screen: more would hide what the message is about. */
const MOST_ROWS = 2;
/** Columns before the text, and the blank one behind it; an error has its sign there. */
const INDENT = 4;

/** Rows that a message takes in a window of `width` columns: 1 or 2. The text must be safe. */
export function toastRows(text: string, width: number): number {
  return Math.max(1, Math.min(MOST_ROWS, wrapWords(text, width - INDENT - 1).length));
}

/**
 * At most two rows of `width` columns; a longer text is cut, and ends with where all of it is. An empty one is a blank row.
 * @param props.text safe, as is `rest`
 * @param props.rest where the whole text is, e.g. `M shows all`
 */
export function ToastLine(props: {
  readonly text: string;
  readonly kind: ToastKind;
  readonly rest: string;
  readonly width: number;
}): ReactNode {
  const { sign } = useTheme();
  const { text, kind, rest, width } = props;
  const room = width - INDENT - 1;
  const lines = wrapWords(text, room);
  const end = lines.length > MOST_ROWS ? ` ${rest}` : "";
  const shown = clipLines(lines, MOST_ROWS, room, sign("ellipsis"), end);
  const head = kind === "error" ? `  ${sign("error")} ` : " ".repeat(INDENT - 2);
  return (
    <Box flexDirection="column" width={width} height={Math.max(1, shown.length)} flexShrink={0}>
      {shown.map((line, index) => (
        <Line
          key={line}
          spans={[
            { text: index === 0 ? head : " ".repeat(head.length), role: kind === "error" ? "error" : null },
            { text: line },
          ]}
        />
      ))}
    </Box>
  );
}
