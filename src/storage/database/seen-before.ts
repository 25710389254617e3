// Counts the checks before one that have its order, its card or its payer, in a bounded number of rows.

import type { SQLInputValue } from "node:sqlite";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { ChecksBefore, SeenBefore } from "#src/contract/records/seen-before.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Database } from "./database.ts";
import { folded } from "./history-form.ts";

/** Rows before the check that are looked at: 0.1 s where all are of its card, and no more in a history of a million. */
const REACH = 10_000;
const DAY_MS: Milliseconds = 86_400_000;

const COUNT = `
  SELECT count(*) AS checks, count(*) FILTER (WHERE verdict = 'block') AS blocked
  FROM entry LEFT JOIN entry_text ON entry_text.place = entry.place
  WHERE entry.place < ?1 AND entry.place >= ?1 - ${REACH} AND profile = ?2 AND outcome <> 'not_sent' AND at >= ?3`;

/** The newest entry that is not looked at. */
const BEYOND = `SELECT at FROM entry WHERE place < ?1 - ${REACH} ORDER BY place DESC LIMIT 1`;

const ORDER = "order_id = ?4";
const PAYER = "(email = ?4 OR payer = ?5)";
/** The BIN alone is no card. The other numbers have no columns. */
const CARD = `bin = ?4 AND ?5 = iif(json_valid(intent), json_extract(
  intent, '$.request.card.cin_card', '$.request.card.expiration_month', '$.request.card.expiration_year'), NULL)`;

/** What of a check says what was before it. */
export type CheckSeen = Pick<HistoryEntry, "id" | "at" | "profile" | "request">;

export function seenBefore(database: Database, { id, at, profile, request }: CheckSeen): SeenBefore {
  const place = database.get("SELECT place FROM entry WHERE id = ?", id)?.place;
  if (place === undefined) return { id, order: null, card: null, payer: null };
  const beyond = database.get(BEYOND, place);
  const count = (since: Milliseconds, which: string, ...values: SQLInputValue[]): ChecksBefore => {
    const row = database.get(`${COUNT} AND ${which}`, place, folded(profile), since, ...values)!;
    const among = beyond !== undefined && Number(beyond.at) >= since ? REACH : null;
    return { checks: Number(row.checks), blocked: Number(row.blocked), among };
  };
  const text = (value: string | number | undefined): string | null =>
    value === undefined ? null : folded(String(value));
  const { order_id, payer: { email, payer_id } = {}, card = {} } = request;
  const { bin_card, cin_card, expiration_month = null, expiration_year = null } = card;
  const day = at - DAY_MS;
  const numbers = JSON.stringify([cin_card, expiration_month, expiration_year]);
  return {
    id,
    order: order_id === undefined ? null : count(0, ORDER, text(order_id)),
    card: bin_card === undefined || cin_card === undefined ? null : count(day, CARD, text(bin_card), numbers),
    payer:
      email === undefined && payer_id === undefined ? null : count(day, PAYER, text(email), text(payer_id)),
  };
}
