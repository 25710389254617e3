// Panes side by side: one row of titles, and one thin line from top to bottom where two of them meet.

import { Box, Text } from "ink";
import { Fragment, memo, type ReactNode } from "react";
import { clip, fit, fitTail, widthOf, spansWidth } from "./fit.ts";
import { Line, Rows, type Span } from "./line.tsx";
import { useMouse, type MouseTarget, type MouseVerbs } from "./mouse.ts";
import { AXIS, type Row, type Size } from "./rows.ts";
import { useTheme, type Theme } from "./theme.ts";

export interface PaneHead {
  readonly title: string;
  /** The side at which a long title is cut; the start for ids and keys, which differ at their end. */
  readonly cut?: "start" | "end";
  /** Between the title and the note. */
  readonly tabs?: Row;
  /** At the right end, e.g. `3 of 128`. */
  readonly note?: string | undefined;
  /** Columns of the pane, without the rule to its right. */
  readonly width: number;
  /** False for a pane that has not the keyboard. */
  readonly focused?: boolean;
  readonly mouse?: MouseTarget;
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

/** Bands of panes, one below the other. @param draw the content of a pane, at most as high as its band; its rows by default */
export function Bands<P extends PaneView>({
  bands,
  mouse,
  draw = ({ rows }) => <Rows rows={rows} />,
}: {
  readonly bands: readonly Band<P>[];
  readonly mouse?: MouseVerbs;
  readonly draw?: (pane: P) => ReactNode;
}): ReactNode {
  return bands.map(({ panes, height }, index) => (
    <BandOf
      // Bands have no identity but their index.
      // oxlint-disable-next-line react/no-array-index-key
      key={index}
      panes={
        mouse === undefined ? panes : panes.map((pane) => ({ ...pane, mouse: { rows: pane.rows, ...mouse } }))
      }
      height={height}
      draw={draw}
    />
  ));
}

/** A screen of panes: exactly its area. @param above rows over the whole width, as `below` */
export function PaneScreen<P extends PaneView>({
  columns,
  rows,
  above = [],
  below = [],
  ...bands
}: Size &
  Parameters<typeof Bands<P>>[0] & {
    readonly above?: readonly Row[];
    readonly below?: readonly Row[];
  }): ReactNode {
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Rows rows={above} />
      <Bands {...bands} />
      <Rows rows={below} />
    </Box>
  );
}

function BandOf<P extends PaneHead>({
  panes,
  height,
  draw,
}: Band<P> & { readonly draw: (pane: P) => ReactNode }): ReactNode {
  const isHeard = useTheme().ascii === "words";
  return (
    <>
      {isHeard ? null : <PaneTitles panes={panes} />}
      <Box height={height} flexShrink={0} overflow="hidden">
        {panes.map((pane, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index === 0 ? null : <PaneRule height={height} />}
            <PaneBox {...pane} height={height}>
              {isHeard ? <PaneTitles panes={[pane]} /> : null}
              {draw(pane)}
            </PaneBox>
          </Fragment>
        ))}
      </Box>
    </>
  );
}

function PaneBox({
  width,
  height,
  mouse,
  children,
}: PaneHead & { readonly height: number; readonly children: ReactNode }): ReactNode {
  return (
    <Box ref={useMouse(mouse)} flexDirection="column" width={width} height={height} flexShrink={0}>
      {children}
    </Box>
  );
}

/** The title row of panes that stand side by side: `  Compose ━━━━━ │  History ─── 3 of 128`. */
export function PaneTitles({ panes }: { readonly panes: readonly PaneHead[] }): ReactNode {
  const spans = paneSpans(panes, useTheme());
  const mouse = panes.find(({ tabs }) => tabs !== undefined)?.mouse;
  return (
    <Box ref={useMouse(mouse && { ...mouse, rows: [spans] })} height={1} flexShrink={0}>
      <Line spans={spans} />
    </Box>
  );
}

/** Columns between two panes: a blank one and the rule. */
export const DIVIDER = 2;

/** The spans of a title row; as wide as the panes and the dividers between them. */
export function paneSpans(panes: readonly PaneHead[], theme: Theme): Span[] {
  return panes.flatMap((pane, index) => [
    ...(index === 0 ? [] : [{ text: dividerText(theme), role: "quiet" as const }]),
    ...headSpans(pane, theme),
  ]);
}

/** Columns that a long title keeps beside a note; with fewer the note goes. */
const LEAST_TITLE = 12;

/** The title with its rule behind it, which is heavy in the pane that has the keyboard. */
function headSpans(
  { title, cut = "end", tabs = [], note = "", width, focused = true }: PaneHead,
  theme: Theme,
): Span[] {
  const room = Math.max(0, width - AXIS);
  const free = room - spansWidth(tabs);
  const beside = note === "" ? 0 : widthOf(note) + 2;
  const most = Math.max(0, free - 2);
  const columns = Math.max(Math.min(LEAST_TITLE, widthOf(title), most), Math.min(most, free - 1 - beside));
  const ellipsis = theme.sign("ellipsis");
  const shown =
    cut === "start" ? fitTail(title, columns, ellipsis).trimEnd() : clip(title, columns, ellipsis);
  const head = shown === "" ? "" : `${shown} `;
  const left = Math.max(0, free - widthOf(head));
  const tail = note === "" || widthOf(note) + 2 > left ? "" : ` ${note}`;
  return [
    { text: fit("", width - room) },
    { text: head, role: focused ? "accent" : "heading" },
    {
      text: theme.sign(focused ? "heavy" : "horizontal").repeat(left - widthOf(tail)),
      role: focused ? "focus" : "quiet",
    },
    ...tabs,
    { text: tail, role: "quiet" },
  ];
}

function dividerText(theme: Theme): string {
  return theme.sign("vertical").padStart(DIVIDER);
}

/** The divider between two panes. */
const PaneRule = memo(function PaneRule({ height }: { readonly height: number }): ReactNode {
  const theme = useTheme();
  const line = dividerText(theme);
  return (
    <Box width={DIVIDER} height={height} flexShrink={0}>
      <Text {...theme.textStyle("quiet")}>{Array.from({ length: height }, () => line).join("\n")}</Text>
    </Box>
  );
});
