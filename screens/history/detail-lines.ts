// The detail of one check as lines: decision, request, response and timing. Pure; everything untrusted is made safe here.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { formatDateTime, formatDuration, formatLatency } from "#src/display/time.ts";
import { FINAL_ACTION, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import type { SignedThen } from "#src/state/history/history-signing.ts";
import type { DetailTab } from "#src/state/history/history-state.ts";
import type { Span } from "#src/ui/line.tsx";
import { LONGEST, Page, sign } from "#src/ui/page.ts";
import type { Row } from "#src/ui/rows.ts";
import { signingRows } from "#src/ui/signing-rows.ts";
import { explanationLines } from "./explanation-lines.ts";

/** What the lines depend on besides the entry. */
export interface Look {
  readonly ascii: boolean;
  /** Unit of amounts; the profile's. */
  readonly unit: "minor" | "major";
  /** The entry that is being sent: its outcome is not unknown, it has not come yet. */
  readonly sendingId: string | null;
  /** Name of the profile in use: entries of another one are marked. */
  readonly profile: string;
  /** An audience watches: what identifies a key or a person is not shown. */
  readonly presented?: boolean;
}

/** It was checked in another profile than the one in use. */
export function isForeign(entry: HistoryEntry, { profile }: Pick<Look, "profile">): boolean {
  return entry.profile !== profile;
}

/**
 * Every line of a tab, none wider than `width` columns.
 * @param signed how an entry was signed; another one's, or null, while that of this one is being read
 */
export function detailLines(
  entry: HistoryEntry,
  tab: DetailTab,
  width: number,
  look: Look,
  signed: SignedThen | null = null,
): Row[] {
  const page = new Page(width, look);
  switch (tab) {
    case "decision":
      decision(page, entry, look);
      break;
    case "request":
      request(page, entry);
      break;
    case "response":
      response(page, entry.result);
      break;
    case "signature":
      signature(page, entry, signed, look);
      break;
    case "timing":
      timing(page, entry);
      break;
  }
  return page.rows;
}

function decision(page: Page, entry: HistoryEntry, look: Look): void {
  const { result } = entry;
  const { amount, currency } = entry.request;
  page.spans([verdictSpan(entry, look), { text: `  ${formatMoney(amount, currency, look.unit)}` }]);
  if (isForeign(entry, look)) page.field("Profile", `${safe(entry.profile)}, not the one in use`, "warning");
  else page.field("Profile", safe(entry.profile));
  if (entry.id === look.sendingId) {
    page.text("The answer has not come yet.");
    return;
  }
  page.field("Required", VERDICTS[verdictKind(result)].reaction);
  page.field("Final", finalText(entry));
  if (result === null) page.field("Reason", NO_OUTCOME);
  else if (result.message === null || result.outcome !== "answered")
    page.field("Reason", safe(result.explanation, { max: LONGEST }));
  else page.untrusted("Reason", result.message);
  if (entry.repeats !== null)
    page.field("Repeats", `${safe(entry.repeats)}, sent again as another attempt of the same payment`);
  if (entry.note !== null) page.field("Note", safe(entry.note, { max: LONGEST }));
  for (const warning of entry.warnings) page.field("Warning", safe(warning), "warning");
  page.blank();
  if (entry.explanation === null)
    page.text("No explanation came with this decision; only the sandbox explains itself.");
  else explanationLines(page, entry.explanation);
}

/** Symbol and word in the colour of the verdict. */
export function verdictSpan(entry: HistoryEntry, { ascii, sendingId }: Look): Span {
  if (entry.id === sendingId) {
    return { text: `${sign("ellipsis", { ascii })} SENDING`, role: "heading" };
  }
  const kind = verdictKind(entry.result);
  return { text: verdictLabel(kind, ascii), role: VERDICTS[kind].role };
}

const NO_OUTCOME = "No outcome was recorded; the request may have arrived.";

function finalText({ finalAction, result }: HistoryEntry): string {
  if (finalAction !== null) return FINAL_ACTION[finalAction];
  return result?.recommendation === "3ds_or_block"
    ? "Open: nobody has said yet whether 3-D Secure can be forced."
    : "None: without a recommendation, do not continue.";
}

/** The last four digits as they stand on the card; on the wire they are a number. */
const LAST_FOUR = /^( {4}"cin_card": )(\d{1,3})(,?)$/;

function request(page: Page, entry: HistoryEntry): void {
  // Controls are escapes in JSON, so that each of its lines is one line of ours.
  const lines = safeJson(entry.request, 2).split("\n");
  for (const line of lines) {
    page.json(
      line.replace(
        LAST_FOUR,
        (_, key: string, digits: string, end: string) => key + digits.padStart(4, "0") + end,
      ),
    );
  }
  if (!lines.some((line) => LAST_FOUR.test(line))) return;
  page.blank();
  page.text(`cin_card was sent as the number ${entry.request.card?.cin_card}.`);
}

function response(page: Page, result: CheckResult | null): void {
  if (result === null) {
    page.field("Outcome", "unknown");
    page.text(NO_OUTCOME);
    return;
  }
  page.field("Outcome", result.outcome.replaceAll("_", " "));
  page.field("HTTP status", result.httpStatus === null ? "none" : String(result.httpStatus));
  if (result.message === null) page.field("Message", "none");
  else page.untrusted("Message", result.message);
  if (result.rawCode !== null) page.exact("Raw code", result.rawCode);
  else page.field("Code", result.recommendation ?? "none");
  if (result.reason !== null) page.field("Fault", safe(result.reason));
  page.field("In words", safe(result.explanation, { max: LONGEST }));
  if (result.retryAfterS !== null)
    page.field("Try again", `after ${formatDuration(result.retryAfterS * 1000)}`);
  if (result.decisionId !== null) page.field("Decision id", safe(result.decisionId));
}

function signature(page: Page, entry: HistoryEntry, signed: SignedThen | null, look: Look): void {
  if (look.presented === true) page.text("How it was signed is hidden while presenting.");
  else if (signed === null || signed.id !== entry.id) page.text("Reading how it was signed.");
  else {
    for (const note of signed.notes) page.text(note);
    if (signed.lines.length > 0) page.blank();
    for (const row of signingRows(signed.lines, page.width)) page.spans(row);
  }
}

function timing(page: Page, entry: HistoryEntry): void {
  const { result } = entry;
  page.field("Recorded at", formatDateTime(entry.at));
  page.field("Latency", latencyText(result));
  page.field("Attempts", attemptsText(entry));
  page.field("Clock skew", skewText(result));
  if (result !== null && result.serverDateMs !== null)
    page.field("Service", formatDateTime(result.serverDateMs));
  if (result !== null && result.virtualTimeMs !== null) {
    page.field("Sandbox", `${formatDateTime(result.virtualTimeMs)}, its virtual time`);
  }
  page.blank();
  page.field("Project", `${safe(entry.project)} in profile ${safe(entry.profile)}`);
  page.field("Entry", safe(entry.id));
}

/** The record has one figure for a call, so that no phase of it is made up. */
function latencyText(result: CheckResult | null): string {
  if (result?.latencyMs == null)
    return result?.outcome === "not_sent" ? "none, nothing was sent" : "not known";
  return `${formatLatency(result.latencyMs)}, from the first byte written to the last byte read`;
}

function attemptsText({ result, repeats }: HistoryEntry): string {
  const again = repeats === null ? "" : `, another attempt of ${safe(repeats)}`;
  if (result === null) return `unknown${again}`;
  const { attempts } = result;
  const requests = attempts === 1 ? "1 request" : `${attempts} requests`;
  return `${requests}${attempts > 1 ? ", each signed anew" : ""}${again}`;
}

function skewText(result: CheckResult | null): string {
  if (result === null || (result.serverDateMs === null && result.clockSkewS === null)) return "not known";
  if (result.clockSkewS === null) return "30 s at most";
  const side = result.clockSkewS > 0 ? "ahead of" : "behind";
  return `this machine is ${formatDuration(Math.abs(result.clockSkewS) * 1000)} ${side} the service`;
}
