// What became of payments, by order id: a table in the database of the history, which filters and lists join.

import { corrupt, Fault, whole } from "#src/contract/fault.ts";
import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import {
  isLabel,
  laterLabel,
  type Label,
  type LabelledOrder,
  type OrderLabel,
} from "#src/contract/records/label.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { checksum, intact, type DamagedDatabase, type Database, type Row } from "./database.ts";
import { folded, HISTORY } from "./history-form.ts";

const PAGE = "SELECT * FROM label WHERE order_id > ? ORDER BY order_id LIMIT ?";
const PIECE = 1_000;
const PUT = "INSERT OR REPLACE INTO label VALUES (?, ?, ?, ?, ?)";

/** Of the row of `label` for a row of `entry`, by its exact order id; NULL for none. */
const ofEntry = (what: string): string => `(
  SELECT ${what} FROM label WHERE label.folded = entry.order_id AND label.order_id = (
    SELECT iif(json_valid(intent), intent ->> '$.request.order_id', NULL)
    FROM entry_text AS text WHERE text.place = entry.place
  ))`;

/** The label alone, for conditions. */
export const LABEL_OF_ENTRY = ofEntry("label.label");
/** The row as JSON, for `labelOfRow`; CAST, because a flipped bit makes a text a BLOB, which JSON cannot hold. */
export const LABEL_ROW_OF_ENTRY = ofEntry(
  `json_object(${["order_id", "folded", "label", "known"].map((column) => `'${column}', CAST(label.${column} AS TEXT)`).join()},
    'crc', CAST(label.crc AS INTEGER))`,
);

/** The label of an entry's `LABEL_ROW_OF_ENTRY`; undefined for none. @throws Fault("corrupt") */
export function labelOfRow(row: Row[string] | undefined): Label | undefined {
  return typeof row === "string" ? orderOf(JSON.parse(row) as Row).label : undefined;
}

/**
 * Adds labels to those that their orders have, within a transaction.
 * @throws Fault("bad_input") for what is no order id; Fault("corrupt") for an order whose labels are damaged
 */
export function putLabels(database: Database, labels: readonly OrderLabel[]): void {
  for (const { orderId, label, at } of labels) {
    const problem = orderIdProblem(orderId);
    if (problem !== null) throw new Fault("bad_input", whole(problem));
    const [row] = readRows(database, [orderId]);
    // The same one again, such as of a file that is imported twice, moves behind the others.
    const others = (row === undefined ? [] : knownOf(row)).filter(
      (each) => each.label !== label || each.at !== at,
    );
    const all = [...others, { orderId, label, at }];
    const known = JSON.stringify(all.map((each) => [each.label, each.at]));
    database.run(PUT, orderId, folded(orderId), latestOf(all, null)!.label, known, checksum(orderId, known));
  }
}

/** Takes labels away as if they had never been added, within a transaction. @throws Fault("corrupt") */
export function withdrawLabels(database: Database, labels: readonly OrderLabel[]): void {
  for (const { orderId, label, at } of labels) {
    const known = readLabels(database, [orderId]).flatMap((order) => order.known);
    removeLabels(database, orderId);
    putLabels(
      database,
      known.filter((each) => each.label !== label || each.at !== at),
    );
  }
}

export function removeLabels(database: Database, orderId: string): void {
  database.run("DELETE FROM label WHERE order_id = ?", orderId);
}

/** The orders of these ids that have labels. @throws Fault("corrupt") */
export function readLabels(database: Database, orderIds: readonly string[]): LabelledOrder[] {
  return readRows(database, orderIds).map(orderOf);
}

/** Labelled orders behind one, in the order of their ids. @throws Fault("corrupt") */
export function pageOfLabels(database: Database, after: string, count: number): LabelledOrder[] {
  const rows = database.all(PAGE, after, count);
  const orders = rows.map(orderOf);
  if (rows.length === 0 || lastOf(rows, after, 1) !== null) return orders;
  throw corrupt`The order of the labels is damaged; ${whole(HISTORY.upkeep)}.`;
}

/** Ids of the orders whose labels are not what was written. */
export async function damagedLabels(database: Database): Promise<string[]> {
  const damaged = new Set<string>();
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const rows = await database.read(() => database.all(PAGE, from, PIECE));
    for (const row of rows) if (!isWhole(row)) damaged.add(String(row.order_id));
    after = lastOf(rows, from, 1);
    await new Promise(setImmediate);
  }
  return [...damaged];
}

/** Where to go on behind rows; null where that is not behind `from`, because a damaged id would be read for ever. */
function lastOf(rows: readonly Row[], from: string, direction: 1 | -1): string | null {
  const last = (rows.findLast(isWhole) ?? rows.at(-1))?.order_id;
  if (last === undefined) return null;
  return Buffer.compare(Buffer.from(String(last)), Buffer.from(from)) === direction ? String(last) : null;
}

/**
 * Copies what is whole of the readable labels, from the first up to an unreadable page and from the last down to one.
 * @returns the number of orders that have labels afterwards
 */
export async function salvageLabels(damaged: DamagedDatabase, database: Database): Promise<number> {
  const saved = new Set<string>();
  for (const [compare, order, start, direction] of [
    [">", "ASC", "", 1],
    ["<", "DESC", "\u{10FFFF}", -1],
  ] as const) {
    const sql = `SELECT * FROM label WHERE order_id ${compare} ? ORDER BY order_id ${order} LIMIT ?`;
    for (let after: string | null = start, size = PIECE; after !== null;) {
      const rows: Row[] | null = damaged.all(sql, after, size);
      if (rows === null && size === 1) break;
      if (rows === null) size = 1;
      else if (rows.length === 0) return saved.size;
      else {
        await database.write(() => {
          for (const row of rows.filter(isWhole)) {
            database.run(PUT, ...Object.values(row));
            saved.add(String(row.order_id));
          }
        });
        after = lastOf(rows, after, direction);
      }
    }
  }
  return saved.size;
}

/** An order with the label that counts as of a time; none without one. */
export function labelAsOf({ orderId, known }: LabelledOrder, asOf: Milliseconds | null): [string, Label][] {
  const latest = latestOf(known, asOf);
  return latest === null ? [] : [[orderId, latest.label]];
}

function readRows(database: Database, orderIds: readonly string[]): Row[] {
  return orderIds
    .map((id) => database.get("SELECT * FROM label WHERE order_id = ?", id))
    .filter((row) => row !== undefined);
}

function latestOf(known: readonly OrderLabel[], asOf: Milliseconds | null): OrderLabel | null {
  return known.reduce<OrderLabel | null>((latest, each) => laterLabel(latest, each, asOf), null);
}

function isWhole({ order_id: id, folded: name, label, known, crc }: Row): boolean {
  const [orderId, text] = [String(id), String(known)];
  const read = (): boolean => label === latestOf(parse(orderId, text), null)?.label;
  return name === folded(orderId) && intact(crc, [orderId, text], read) === true;
}

function parse(orderId: string, known: string): OrderLabel[] {
  const pairs = JSON.parse(known) as readonly (readonly [Label, Milliseconds | null])[];
  return pairs.map(([label, at]) => {
    if (!isLabel(label) || (at !== null && typeof at !== "number")) throw new TypeError("not a label");
    return { orderId, label, at };
  });
}

function knownOf(row: Row): OrderLabel[] {
  const id = String(row.order_id);
  if (isWhole(row)) return parse(id, String(row.known));
  throw corrupt`The label of order ${id} is damaged; remove it with "verdict label remove", and set it again.`;
}

function orderOf(row: Row): LabelledOrder {
  const known = knownOf(row);
  return { ...latestOf(known, null)!, known };
}
