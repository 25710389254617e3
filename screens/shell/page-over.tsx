// A page over the open screen.

import type { ReactNode } from "react";
import type { Page, PageView } from "#src/state/page.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { counterRows } from "#src/ui/explanation-lines.ts";
import { barSpans, gaugeRows } from "#src/ui/gauge.ts";
import { tableRows } from "#src/ui/list.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import { hangingRows, type Row, type Size } from "#src/ui/rows.ts";
import { ScrolledPanel } from "#src/ui/scrolled-panel.tsx";
import { signingRows } from "#src/ui/signing-rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { PAGE } from "./keys.ts";
import { spansWidth } from "#src/ui/fit.ts";

/** Longest progress bar. */
const MOST_BAR = 60;
/** Columns that a text needs beside what stands in front of it. */
const TEXT_LEAST = 24;

/** Draws exactly its area. */
export function PageOver({ page, columns, rows }: Size & { readonly page: Page }): ReactNode {
  const { session } = useConsole();
  const theme = useTheme();
  const audience = useAudience();
  const state = audience.shown(useStore(page.store));
  const width = panelRoom(columns);
  const { title, lines, share, keys = {} } = page.view(state, { width, ascii: theme.ascii, audience });
  const bar =
    share === undefined || share === null ? [] : [barSpans(share, Math.min(width, MOST_BAR), null, theme)];
  return (
    <ScrolledPanel
      // Another text starts at its top.
      key={title}
      title={title}
      layer={(moving) => PAGE.layer({ close: () => session.closePage(page), ...keys, ...moving })}
      rows={[...lines.flatMap((line) => lineRows(line, width, theme)), ...bar]}
      columns={columns}
      height={rows}
    />
  );
}

function lineRows(line: PageView["lines"][number], width: number, theme: Theme): readonly Row[] {
  if ("cells" in line) return tableRows(line, width, theme);
  if ("score" in line) return gaugeRows(line.score, width, theme);
  if ("counters" in line) return counterRows(line.counters, width, theme);
  if (!("fixed" in line)) return signingRows([line], width);
  const used = spansWidth(line.fixed);
  if (used === 0 || line.text === "" || width - used >= TEXT_LEAST) return hangingRows(line, width);
  return [line.fixed, ...hangingRows({ ...line, fixed: [{ text: "    " }] }, width)];
}
