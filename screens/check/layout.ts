// How Check divides its area: three panes on wide terminals, two side by side, or one above the other. Pure.

import type { Size } from "#src/ui/rows.ts";

export interface CheckLayout {
  /** Compose above History instead of beside it. */
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
}

const SIDE_BY_SIDE = 76;
const THREE_PANES = 140;
/** Narrower, a hint would not fit beside its value; Compose also gets what History does not need. */
const COMPOSE_LEAST = 35;
const COMPOSE_MOST = 60;
const JSON_LEAST = 38;
const TITLE = 1;
/** The banner keeps at least this height, so that the panes do not move from one verdict to the next. */
const BANNER_LEAST = 3;

/** Most rows that the banner may take below its title. */
export function bannerLimit({ rows }: Size): number {
  return Math.max(BANNER_LEAST, Math.floor(rows / 4) + 1);
}

/** @param bannerLines rows that the banner asks for */
export function checkLayout({ columns, rows }: Size, bannerLines: number): CheckLayout {
  const bannerRows = Math.min(
    Math.max(BANNER_LEAST, bannerLines),
    bannerLimit({ columns, rows }),
    Math.max(0, rows - TITLE),
  );
  const above = Math.max(0, rows - TITLE - bannerRows);
  if (columns < SIDE_BY_SIDE) {
    // Compose gets the larger half, for the button, a message and the edited field.
    const composeRows = Math.max(0, Math.ceil((above - 2 * TITLE) * 0.6));
    return {
      stacked: true,
      compose: columns,
      history: columns,
      json: 0,
      composeRows,
      historyRows: Math.max(0, above - 2 * TITLE - composeRows),
      bannerRows,
    };
  }
  const json = columns < THREE_PANES ? 0 : Math.max(JSON_LEAST, Math.floor(columns * 0.3));
  const rules = json === 0 ? 1 : 2;
  const rest = columns - json - rules;
  const compose = Math.min(COMPOSE_MOST, Math.max(COMPOSE_LEAST, Math.floor(rest * 0.44)));
  const paneRows = Math.max(0, above - TITLE);
  return {
    stacked: false,
    compose,
    history: rest - compose,
    json,
    composeRows: paneRows,
    historyRows: paneRows,
    bannerRows,
  };
}
