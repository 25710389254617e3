// Panes side by side: one title row with tees where they meet, and a rule between two of them.

import { Box, Text } from "ink";
import { Fragment, memo, type ReactNode } from "react";
import { clip, widthOf } from "./fit.ts";
import { Line, Rows, type Span } from "./line.tsx";
import type { Row } from "./rows.ts";
import { useTheme, type Theme } from "./theme.ts";

export interface PaneHead {
  readonly title: string;
  /** At the right end, e.g. `3 of 128`. */
  readonly note?: string | undefined;
  /** Columns of the pane, without the rule to its right. */
  readonly width: number;
  /** True for the pane that has the keyboard focus. */
  readonly focused?: boolean;
}

export interface PaneView extends PaneHead {
  /** Below the title. */
  readonly rows: readonly Row[];
}

/** Panes that stand side by side under one row of titles. */
export interface Band<P extends PaneHead = PaneView> {
  readonly panes: readonly P[];
  /** Without the titles. */
  readonly height: number;
}

/** Bands of panes of rows, one below the other. */
export function Bands({ bands }: { readonly bands: readonly Band[] }): ReactNode {
  return bands.map((band, index) => (
    // Bands have no identity but their index.
    // oxlint-disable-next-line react/no-array-index-key
    <BandOf key={index} {...band} draw={({ rows }) => <Rows rows={rows} />} />
  ));
}

/** One band. @param draw the content of a pane, at most as high as the band */
export function BandOf<P extends PaneHead>({
  panes,
  height,
  draw,
}: Band<P> & { readonly draw: (pane: P) => ReactNode }): ReactNode {
  return (
    <>
      <PaneTitles panes={panes} />
      <Box height={height} flexShrink={0} overflow="hidden">
        {panes.map((pane, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index === 0 ? null : <PaneRule height={height} />}
            <Box flexDirection="column" width={pane.width} flexShrink={0}>
              {draw(pane)}
            </Box>
          </Fragment>
        ))}
      </Box>
    </>
  );
}

/** The title row of panes that stand side by side: `─ Compose ────┬─ History ─ 3 of 128 ─`. */
export function PaneTitles({ panes }: { readonly panes: readonly PaneHead[] }): ReactNode {
  return <Line spans={paneSpans(panes, useTheme())} />;
}

/** The spans of a title row; as wide as the panes and the rules between them. */
export function paneSpans(panes: readonly PaneHead[], theme: Theme): Span[] {
  return panes.flatMap((pane, index) => [
    ...(index === 0 ? [] : [{ text: theme.sign("teeDown"), role: "quiet" as const }]),
    ...headSpans(pane, theme),
  ]);
}

function headSpans({ title, note, width, focused }: PaneHead, theme: Theme): Span[] {
  const line = theme.sign("horizontal");
  const shown = clip(title, Math.max(0, width - 4), theme.sign("ellipsis"));
  const rest = width - widthOf(shown) - 4;
  const tail = note === undefined || note === "" || widthOf(note) + 3 > rest ? "" : ` ${note} ${line}`;
  if (width < 5 || title === "") return [{ text: line.repeat(Math.max(0, width)), role: "quiet" }];
  return [
    { text: `${line} `, role: "quiet" },
    { text: shown, role: focused === false ? null : "heading" },
    { text: ` ${line.repeat(rest + 1 - widthOf(tail))}${tail}`, role: "quiet" },
  ];
}

/** The vertical rule between two panes. */
const PaneRule = memo(function PaneRule({ height }: { readonly height: number }): ReactNode {
  const { sign, textStyle } = useTheme();
  return (
    <Box width={1} height={height} flexShrink={0}>
      <Text {...textStyle("quiet")}>{Array.from({ length: height }, () => sign("vertical")).join("\n")}</Text>
    </Box>
  );
});
