// The latest message, in rows above the footer.

import type { ReactNode } from "react";
import type { SignName } from "#src/display/sign.ts";
import type { Role } from "#src/display/style.ts";
import { fit, wrapWords } from "./fit.ts";
import { Line } from "./line.tsx";
import { useTheme } from "./theme.ts";

export type ToastKind = "note" | "done" | "error";

const KINDS: Readonly<Record<ToastKind, { readonly sign: SignName; readonly role: Role }>> = {
  note: { sign: "note", role: "note" },
  done: { sign: "done", role: "pass" },
  error: { sign: "error", role: "error" },
};

/** More rows would hide the screen that the message is about. */
const MOST_ROWS = 3;

/** Rows that a toast takes in a window of `width` columns. The text must be safe. */
export function toastRows(text: string, width: number): number {
  return linesOf(text, width).length;
}

/** Rows of `width` columns: several, because the next step is at the end of the sentence. The text must be safe. */
export function ToastLine(props: {
  readonly text: string;
  readonly kind: ToastKind;
  readonly width: number;
}): ReactNode {
  const { sign } = useTheme();
  const kind = KINDS[props.kind];
  return linesOf(props.text, props.width).map((line, index) => (
    <Line
      key={line}
      spans={[
        {
          text: ` ${index === 0 ? sign(kind.sign) : " "} ${fit(line, props.width - 3, { ellipsis: sign("ellipsis") })}`,
          role: kind.role,
        },
      ]}
    />
  ));
}

function linesOf(text: string, width: number): string[] {
  const lines = wrapWords(text, width - 3);
  if (lines.length <= MOST_ROWS) return lines;
  return [...lines.slice(0, MOST_ROWS - 1), lines.slice(MOST_ROWS - 1).join(" ")];
}
