// One row of text that is never wrapped.

import { Text } from "ink";
import { memo, type ReactNode } from "react";
import type { RoleSpan } from "#src/display/span.ts";
import { CursorRow } from "#src/keys/real-cursor.ts";
import { widthOf } from "./fit.ts";
import { useTheme } from "./theme.ts";

/** A piece of a row; the row must be fitted to its width. */
export interface Span extends RoleSpan {
  /** Foreground and background swapped: the selected row. */
  readonly inverse?: boolean;
  /** What was looked for: bold and underlined, whatever its role. */
  readonly match?: boolean;
  /** Set for the slot of text that is edited: the column in it where the terminal's cursor stands. */
  readonly cursor?: number;
  /** What a click means, on this span or, on the first, on its row: the distance to the item, or the name of field or tab. */
  readonly hit?: number | string;
}

const INVERSE = { inverse: true } as const;
const MATCH = { bold: true, underline: true } as const;
const SLOT = { underline: true } as const;

/** A row of spans in one `<Text>`; drawn again only when its spans change. */
export const Line = memo(
  function Line({ spans }: { readonly spans: readonly Span[] }): ReactNode {
    const { textStyle, shown, ascii, isBehind } = useTheme();
    // Of a list one hears the selected row.
    if (ascii === "words" && typeof spans[0]?.hit === "number" && spans[0].hit !== 0) return null;
    const slot = isBehind ? -1 : spans.findIndex(({ cursor }) => cursor !== undefined);
    const text = (
      <Text wrap="truncate">
        {spans.map((span, index) => {
          const style = {
            ...textStyle(span.role),
            ...(span.inverse && INVERSE),
            ...(span.match && MATCH),
            ...(index === slot && SLOT),
          };
          const given = shown(span.text);
          // Each Text is a component and a node that is measured; most spans are plain.
          if (Object.keys(style).length === 0) return given;
          return (
            // Spans have no identity but their index.
            <Text key={index} {...style}>
              {given}
            </Text>
          );
        })}
      </Text>
    );
    if (slot < 0) return text;
    const column = spans.slice(0, slot).reduce((sum, span) => sum + widthOf(span.text), spans[slot]!.cursor!);
    return <CursorRow column={() => column}>{text}</CursorRow>;
  },
  (before, after) => sameSpans(before.spans, after.spans),
);

/** Rows of a screen, one line each. */
export function Rows({ rows }: { readonly rows: readonly (readonly Span[])[] }): ReactNode {
  // Rows have no identity but their index.
  // oxlint-disable-next-line react/no-array-index-key
  return rows.map((spans, index) => <Line key={index} spans={spans} />);
}

const KEPT = ["text", "role", "match", "inverse", "cursor"] as const;

function sameSpans(before: readonly Span[], after: readonly Span[]): boolean {
  return (
    before.length === after.length &&
    before.every((span, index) => {
      const other = after[index]!;
      return KEPT.every((part) => span[part] === other[part]) && (span.hit === 0) === (other.hit === 0);
    })
  );
}
