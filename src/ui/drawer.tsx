// A list over the upper rows of a screen, which stays in sight below: finds an entry while it is typed.

import { Box } from "ink";
import { useMemo, type ReactNode } from "react";
import { window } from "./fit.ts";
import { Line, Rows } from "./line.tsx";
import { PaneTitles } from "./pane.tsx";
import { InputLine } from "./prompt.tsx";
import { fillRows, markedRow, type Row, type Size } from "./rows.ts";
import { ThemeProvider, useTheme, type Theme } from "./theme.ts";

/** Above those that keys give to a panel or a prompt. */
const DRAWER_LEVEL = 4;
/** Title, input and the rule. */
const FRAME_ROWS = 3;
const LEAST_LISTED = 3;

export interface DrawerProps<Entry> extends Size {
  readonly title: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
  /** An audience may see what is typed; by default where it finds an entry. */
  readonly isPublic?: boolean;
  /** Above the list. */
  readonly head: readonly Row[];
  readonly entries: readonly Entry[];
  /** Of how many: its height does not follow what is typed, so that nothing below moves. */
  readonly of: number;
  /** Index of the entry that Enter takes; null where it takes none. */
  readonly at: number | null;
  /** The row of an entry, `columns` wide, with room for the pointer in its first column. */
  readonly draw: (entry: Entry) => Row;
  /** Below the list, always as many. */
  readonly foot: readonly Row[];
  /** The screen below, in an area of the same size. */
  readonly children: ReactNode;
}

/** Draws exactly its area: at most half of it and two rows, where three entries fit in that. */
export function Drawer<Entry>(props: DrawerProps<Entry>): ReactNode {
  const { title, typed, onType, head, entries, of, at, draw, foot, columns, rows, children } = props;
  const theme = useTheme();
  const { sign } = theme;
  const below = useMemo(() => withoutPointer(theme), [theme]);
  const others = FRAME_ROWS + head.length + foot.length;
  const listed = Math.min(Math.max(1, of), Math.max(LEAST_LISTED, Math.floor(rows / 2) - others + 2));
  const height = Math.min(rows, listed + others);
  const visible = window(entries.length, listed, at ?? 0);
  const list = entries.slice(visible.from, visible.to).map((entry, index) => {
    const isChosen = visible.from + index === at;
    const [first, ...rest] = draw(entry);
    return markedRow(
      isChosen ? [{ ...first, text: sign("pointer") + first!.text.slice(1) }, ...rest] : [first!, ...rest],
      isChosen,
    );
  });
  const note = `${entries.length} of ${of}`;
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      <PaneTitles panes={[{ title, note, width: columns - 1, focused: true }]} />
      <Box paddingLeft={2} height={1} flexShrink={0}>
        <InputLine
          label="Find"
          value={typed}
          isPublic={props.isPublic ?? entries.length > 0}
          onChange={onType}
          level={DRAWER_LEVEL}
          width={columns - 2}
        />
      </Box>
      <Rows rows={[...head, ...fillRows(list, columns, listed), ...foot]} />
      <Line spans={[{ text: `  ${sign("horizontal").repeat(Math.max(0, columns - 3))} `, role: "quiet" }]} />
      <Box height={rows - height} flexShrink={0} overflow="hidden">
        <Box marginTop={-height} height={rows} width={columns} flexShrink={0}>
          <ThemeProvider value={below}>{children}</ThemeProvider>
        </Box>
      </Box>
    </Box>
  );
}

/** What lies below has neither pointer nor bar: keys act on the list. */
function withoutPointer(theme: Theme): Theme {
  return {
    ...theme,
    sign: (name) => (name === "pointer" ? " " : theme.sign(name)),
    textStyle: (role) => theme.textStyle(role === "bar" ? "heading" : role),
  };
}
