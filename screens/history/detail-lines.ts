// The tabs of one check as rows: why, request, answer, signature, timing. Pure; untrusted text is made safe here.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { counted } from "#src/display/count.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { formatDateTime, formatDuration, formatLatency } from "#src/display/time.ts";
import { NO_OUTCOME } from "#src/display/verdict.ts";
import type { SignedThen } from "#src/state/history/history-signing.ts";
import type { DetailTab } from "#src/state/history/history-state.ts";
import { decisionLines, type RenderOptions } from "#src/ui/decision-lines.ts";
import { LONGEST, Page } from "#src/ui/page.ts";
import type { Row } from "#src/ui/rows.ts";
import { signingRows } from "#src/ui/signing-rows.ts";

/**
 * Every line of a tab, none wider than `width` columns.
 * @param signed how an entry was signed; null or that of another entry while it is being read
 */
export function detailLines(
  entry: HistoryEntry,
  tab: DetailTab,
  width: number,
  options: RenderOptions,
  signed: SignedThen | null = null,
): Row[] {
  const page = new Page(width, options.theme);
  switch (tab) {
    case "why":
      decisionLines(page, entry, options);
      break;
    case "request":
      request(page, entry);
      break;
    case "answer":
      answer(page, entry.result);
      break;
    case "signed":
      signature(page, entry, signed);
      break;
    case "timing":
      timing(page, entry);
      break;
  }
  return page.rows;
}

function request(page: Page, { request: sent }: HistoryEntry): void {
  // JSON escapes control characters, so that its lines are rows.
  for (const line of safeJson(sent, 2).split("\n")) page.json(line);
  const lastFour = sent.card?.cin_card;
  if (typeof lastFour !== "number" || lastFour >= 1000) return;
  page.blank();
  page.text(`The last four digits ${String(lastFour).padStart(4, "0")} are sent as the number ${lastFour}.`);
}

function answer(page: Page, result: CheckResult | null): void {
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

function signature(page: Page, entry: HistoryEntry, signed: SignedThen | null): void {
  if (signed === null || signed.id !== entry.id) page.text("Reading how it was signed.");
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
  if (result?.tenant !== undefined) page.field("Tenant", safe(result.tenant));
  page.field("Entry", safe(entry.id));
}

/** One figure per call: the record has no phases. */
function latencyText(result: CheckResult | null): string {
  if (result?.latencyMs == null)
    return result?.outcome === "not_sent" ? "none: the request was not sent" : "not known";
  return `${formatLatency(result.latencyMs)}, from the first byte written to the last byte read`;
}

function attemptsText({ result, repeats }: HistoryEntry): string {
  const again = repeats === null ? "" : `, a repeated attempt of ${safe(repeats)}`;
  if (result === null) return `unknown${again}`;
  const { attempts } = result;
  const requests = counted(attempts, "request");
  return `${requests}${attempts > 1 ? ", each with a new signature" : ""}${again}`;
}

function skewText(result: CheckResult | null): string {
  if (result === null || (result.serverDateMs === null && result.clockSkewS === null)) return "not known";
  if (result.clockSkewS === null) return "30 s at most";
  const side = result.clockSkewS > 0 ? "ahead of" : "behind";
  return `this machine is ${formatDuration(Math.abs(result.clockSkewS) * 1000)} ${side} the service`;
}
