// Whether a text can be the order id of a payment whose outcome is kept.

import { findCardData } from "./card-data.ts";
import { CHECK_FIELDS } from "./check-fields.ts";
import { readField } from "./validate.ts";

const ORDER_ID = CHECK_FIELDS.find(({ path }) => path === "order_id")!;

/** What is wrong with an order id, as one sentence that does not quote it; null for nothing. */
export function orderIdProblem(id: unknown): string | null {
  if (id === undefined || id === null || id === "") return "It names no order_id.";
  if (typeof id !== "string") return "order_id must be a text.";
  if (findCardData(id) !== null) return "order_id holds a full card number, which never belongs here.";
  if (!id.isWellFormed() || id.includes("\0")) return "order_id holds a character that is no text.";
  const read = readField(ORDER_ID, id);
  return "error" in read ? read.error : null;
}
