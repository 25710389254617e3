// One row of text: exactly one line of the screen, whatever is in it.

import { Text } from "ink";
import { memo, type ReactNode } from "react";
import type { Role } from "#src/display/style.ts";
import { useTheme } from "./theme.ts";

/** A stretch of a row in one look. The text must be safe, and the row fitted to its width. */
export interface Span {
  readonly text: string;
  readonly role?: Role | null;
  /** Foreground and background swapped: the selected row, the cursor. */
  readonly inverse?: boolean;
}

/** A row of spans in one `<Text>`; drawn again only when its spans change. */
export const Line = memo(
  function Line({ spans }: { readonly spans: readonly Span[] }): ReactNode {
    const { look, shown } = useTheme();
    return (
      <Text wrap="truncate">
        {spans.map((span, index) => (
          // The spans of a row have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Text key={index} {...look(span.role)} {...(span.inverse === true ? { inverse: true } : {})}>
            {shown(span.text)}
          </Text>
        ))}
      </Text>
    );
  },
  (before, after) => sameSpans(before.spans, after.spans),
);

/** Rows of a screen, one line each. */
export function Rows({ rows }: { readonly rows: readonly (readonly Span[])[] }): ReactNode {
  // A row of the screen has no identity but its place.
  // oxlint-disable-next-line react/no-array-index-key
  return rows.map((spans, index) => <Line key={index} spans={spans} />);
}

function sameSpans(before: readonly Span[], after: readonly Span[]): boolean {
  return (
    before.length === after.length &&
    before.every((span, index) => {
      const other = after[index]!;
      return span.text === other.text && span.role === other.role && span.inverse === other.inverse;
    })
  );
}
