// The view model of Check: blocks of panes and rows from the draft and the checks sent. Pure.

import type { Profile } from "#src/contract/records/profile.ts";
import { safeJson } from "#src/display/safe.ts";
import { lostEntry, type ChecksState } from "#src/state/check/checks-state.ts";
import { HISTORY, takesCommands, type ComposerState } from "#src/state/check/composer.ts";
import type { Draft } from "#src/state/check/draft.ts";
import { clip, widthOf, fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { DIVIDER, type Band, type PaneView } from "#src/ui/pane.tsx";
import { AXIS, hiddenNote, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { checkBanner, type BannerInput } from "./banner.ts";
import { composeRows } from "./compose-rows.ts";
import { historyPane } from "./history-pane.ts";
import { checkLayout } from "./layout.ts";
import { verdictCard } from "./verdict-card.ts";

export interface CheckInput {
  readonly composer: ComposerState;
  readonly draft: Draft;
  readonly checks: ChecksState;
  /** What is composed is another payment than the one whose verdict is shown. */
  readonly isOther?: boolean;
  readonly project: string | null;
  /** A project is being registered. */
  readonly preparing: boolean;
  /** The recipe and whether it is known to be right: `kong, assumed`; null on the sandbox. */
  readonly recipe: string | null;
  /** The vault is locked. */
  readonly locked: boolean;
  /** ms since the epoch */
  readonly now: number;
  readonly unit: Profile["amountUnit"];
  /** The service is real, not the sandbox. */
  readonly live?: boolean;
  readonly sandbox?: boolean;
  /** Forms of answers that are accepted beside the standard one. */
  readonly accepted?: readonly string[];
  /** Why nothing may be sent; null or missing if sending is allowed. */
  readonly noSending?: string | null;
  /** Another question is open. */
  readonly isAsked?: boolean;
}

/** Last positions of the two windows, which move as little as possible. */
export interface Scroll {
  readonly form?: number | undefined;
  readonly history?: number | undefined;
}

export interface CheckView {
  readonly bands: readonly Band[];
  readonly scroll: Scroll;
  /** Rows of a page of the history. */
  readonly page: number;
}

/** Short: the banner says why, and what to do. */
function lackOf({ noSending = null, project, preparing }: CheckInput): string | null {
  if (noSending !== null) return "Nothing is sent.";
  return project === null && !preparing ? "Nothing can be sent yet." : null;
}

export function checkView(input: CheckInput, size: Size, theme: Theme, scroll: Scroll = {}): CheckView {
  const { composer, draft, checks, project, preparing, recipe, locked, now, unit } = input;
  const entry = checks.entries.find((known) => known.id === checks.shownId) ?? null;
  const selected = entry !== null && entry.id !== checks.ownId;
  const lost = entry !== null && lostEntry(checks)?.id === entry.id;
  const asked = entry !== null && checks.question?.id === entry.id;
  // What can still be done about it is not set back.
  const isPast =
    entry !== null &&
    (input.isOther === true || (project !== null && entry.project !== project)) &&
    !(selected || lost || asked || checks.inFlight !== null);
  const layout = checkLayout(size);
  const setBack = (rows: readonly Row[]): readonly Row[] =>
    isPast ? rows.map((row) => row.map((span) => ({ ...span, role: "quiet" }))) : rows;
  const said: BannerInput = {
    entry,
    selected,
    isPast,
    inFlight: checks.inFlight,
    isFirst: checks.loaded && checks.entries.length === 0,
    isOnSandbox: input.sandbox === true,
    failed: checks.failed,
    lost,
    asked,
    seen: checks.seen,
    answerable: takesCommands(composer.focus),
    notSaved: entry === null ? null : (checks.notSaved.get(entry.id) ?? null),
    project,
    preparing,
    locked,
    noSending: input.noSending ?? null,
    warned: takesCommands(composer.focus) ? draft.warnings : [],
    blocked: draft.blocked !== null,
    now,
    unit,
    width: size.columns,
    limit: layout.bannerRows,
  };

  const compose = composeRows(
    {
      composer,
      draft,
      sending: checks.inFlight !== null,
      asked: checks.question !== null || input.isAsked === true,
      live: input.live === true,
      lack: lackOf(input),
      locked,
      width: layout.compose,
      height: layout.composeRows,
      from: scroll.form,
    },
    theme,
  );
  const isWalking = composer.focus === HISTORY;
  // Where there is no room for both, the list that has the keys is seen.
  const isAlone = isWalking && layout.historyRows === 0;
  const history = historyPane(
    {
      checks,
      focused: isWalking,
      project,
      now,
      unit,
      width: layout.history,
      height: isAlone ? layout.composeRows : layout.historyRows,
      from: scroll.history ?? 0,
    },
    theme,
  );

  const composePane: PaneView = {
    title: "Compose",
    note: composeNote(recipe, hiddenNote(compose.above, compose.below, theme), layout.compose),
    width: layout.compose,
    focused: !isWalking,
    rows: compose.rows,
  };
  const listPane: PaneView = { ...history.head, rows: history.rows };
  const { accepted = [] } = input;
  const also = accepted.length === 0 ? "" : ` (also accepted: ${accepted.join(", ")})`;
  const live = (title: string): string => `${input.live === true ? "LIVE " : ""}${title}${also}`;
  const verdictPanes = (): PaneView[] => {
    if (!layout.card) {
      const banner = checkBanner(said, theme);
      const rows = setBack(banner.rows);
      return [{ ...banner, rows, title: live(banner.title), width: size.columns, focused: false }];
    }
    const width = size.columns - layout.history - DIVIDER;
    const card = verdictCard({ ...said, width }, layout.history, theme);
    return [
      { title: live(card.title), note: card.note, width, focused: false, rows: setBack(card.left) },
      { title: "", width: layout.history, focused: false, rows: setBack(card.right) },
    ];
  };
  const lines = jsonRows(input, layout.json, theme);
  const json = lines.slice(0, layout.composeRows);
  const jsonPane: PaneView = {
    title: "Request",
    note: hiddenNote(0, lines.length - json.length, theme),
    width: layout.json,
    focused: false,
    rows: json,
  };
  const beside = [composePane, ...(layout.json === 0 ? [] : [jsonPane]), listPane];
  const above: Band[] = layout.stacked
    ? [
        { panes: [isAlone ? listPane : composePane], height: layout.composeRows },
        ...(layout.historyRows === 0 ? [] : [{ panes: [listPane], height: layout.historyRows }]),
      ]
    : [{ panes: beside, height: layout.composeRows }];
  const { zoom = 0 } = size;
  const bands = [...above, { panes: verdictPanes(), height: layout.bannerRows }];
  return {
    bands: zoom === 0 ? bands : bands.slice(zoom - 1, zoom),
    scroll: { form: compose.from, history: history.from },
    page: history.page,
  };
}

/** The recipe beside the number of hidden rows, where there is room for both. */
function composeNote(recipe: string | null, hidden: string, width: number): string {
  const both = [recipe ?? "", hidden].filter((part) => part !== "").join("  ");
  return widthOf(both) + TITLE_ROOM <= width ? both : hidden;
}

/** Columns of the title `Compose` and of the frame around title and note. */
const TITLE_ROOM = 13;

function jsonRows({ draft }: CheckInput, width: number, theme: Theme): Span[][] {
  if (width === 0) return [];
  return safeJson(draft.request, 2)
    .split("\n")
    .map((line) => {
      const [, key = "", value = ""] = /^( *"\w+": )?(.*)$/.exec(
        clip(line, width - AXIS, theme.sign("ellipsis")),
      )!;
      return [{ text: fit("", AXIS) + key, role: "quiet" }, { text: value }];
    });
}
