// How Check divides its area: three panes on wide terminals, two side by side, or one above the other; and below them
// the banner, or where there is room the verdict card. Pure.

import { DIVIDER } from "#src/ui/pane.tsx";
import { dividedAt, FORM_BESIDE, type Size } from "#src/ui/rows.ts";
import { FORM_ROWS } from "./compose-rows.ts";

export interface CheckLayout {
  /** Compose above History instead of beside it; without rows for it History is left to its screen. */
  readonly stacked: boolean;
  /** Columns of the panes, without the rules between them; `json` is 0 where there is no room for it. */
  readonly compose: number;
  readonly history: number;
  readonly json: number;
  /** Rows below the title of each pane. */
  readonly composeRows: number;
  readonly historyRows: number;
  /** Rows below the title of the banner. */
  readonly bannerRows: number;
  /** The banner is a card, whose axis is the left edge of History. */
  readonly card: boolean;
}

/** The area is a column narrower than the terminal. */
const THREE_PANES = 139;
/** Narrower, what an amount of seven digits is worth would not fit beside it; Compose also gets what History does not need. */
const COMPOSE_LEAST = 42;
const COMPOSE_MOST = 60;
const JSON_LEAST = 38;
const TITLE = 1;
/** Fewest rows of a History below Compose. */
const HISTORY_LEAST = 3;
/** Rows of the banner, whatever is in it, so that nothing moves: the longest reaction, its reason and a question. */
const BANNER_LEAST = 4;
/** The same where the form leaves more. */
const BANNER_MOST = 5;

const CARD = { columns: 99, rows: 25, least: 9, share: 0.36, whole: 18 };
/** Rows of a whole request as JSON, where the card has its rows without them. */
const REQUEST_ROWS = 22;

/** The third pane to be zoomed. */
const VERDICT = 3;

function hasCard({ columns, rows, zoom = 0 }: Size): boolean {
  return (zoom === 0 || zoom === VERDICT) && columns >= CARD.columns && rows >= CARD.rows;
}

/** Rows of the card: what the form leaves, and at least a share, whatever is in it. */
function cardRows(rows: number): number {
  const rest = rows - 2 * TITLE;
  const form = rest - REQUEST_ROWS >= CARD.whole ? REQUEST_ROWS : FORM_ROWS;
  return Math.max(CARD.least, Math.floor(rest * CARD.share), rest - form);
}

/** The same of a banner that stands below the form. */
function bannerRowsOf(rows: number, stacked: boolean): number {
  const left = stacked ? Math.floor(rows / 4) + 1 : rows - 2 * TITLE - FORM_ROWS;
  return Math.min(Math.max(BANNER_LEAST, left), BANNER_MOST, Math.max(0, rows - TITLE));
}

/** Depends on the size and the divider alone: nothing moves when something is sent, asked or edited. */
export function checkLayout(size: Size): CheckLayout {
  const { columns, rows, zoom = 0, divider } = size;
  const card = hasCard(size);
  if (zoom > 0) {
    const whole = Math.max(0, rows - TITLE);
    const heights = { composeRows: whole, historyRows: whole, bannerRows: whole };
    // The card alone keeps its second column.
    const history = card ? Math.floor(columns / 3) : columns;
    return { stacked: true, compose: columns, history, json: 0, ...heights, card };
  }
  const stacked = columns < FORM_BESIDE;
  const bannerRows = card ? cardRows(rows) : bannerRowsOf(rows, stacked);
  const above = Math.max(0, rows - TITLE - bannerRows);
  if (stacked) {
    const left = above - 2 * TITLE - FORM_ROWS;
    // Few rows of a list say less than as many fields.
    const composeRows = left < HISTORY_LEAST ? Math.max(0, above - TITLE) : FORM_ROWS;
    return {
      stacked: true,
      compose: columns,
      history: columns,
      json: 0,
      composeRows,
      historyRows: left < HISTORY_LEAST ? 0 : left,
      bannerRows,
      card,
    };
  }
  const json = columns < THREE_PANES ? 0 : Math.max(JSON_LEAST, Math.floor(columns * 0.285));
  const dividers = (json === 0 ? 1 : 2) * DIVIDER;
  const rest = columns - json - dividers;
  const own =
    card && json === 0
      ? Math.floor(columns * 0.6)
      : Math.min(COMPOSE_MOST, Math.max(COMPOSE_LEAST, Math.floor(rest * 0.55)));
  const compose = dividedAt(own, rest, divider, COMPOSE_LEAST);
  const paneRows = Math.max(0, above - TITLE);
  return {
    stacked: false,
    compose,
    history: rest - compose,
    json,
    composeRows: paneRows,
    historyRows: paneRows,
    bannerRows,
    card,
  };
}
