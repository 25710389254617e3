// The detail of one check as lines: decision, request, response and timing. Pure; everything untrusted is made safe here.

import type { CounterReading, Explanation, RuleTrace } from "#src/contract/explanation.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import type { CheckResult } from "#src/contract/outcome.ts";
import { formatMoney } from "#src/display/money.ts";
import { hasHidden, safe, safeJson } from "#src/display/safe.ts";
import { SIGN, type SignName } from "#src/display/sign.ts";
import type { Role } from "#src/display/style.ts";
import { formatDateTime, formatDuration, formatLatency } from "#src/display/time.ts";
import { FINAL_ACTION, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import type { DetailTab } from "#src/state/history-view.ts";
import type { Span } from "#src/ui/line.tsx";
import { wrap } from "./wrap.ts";

export type Row = readonly Span[];

/** What the lines depend on besides the entry. */
export interface Look {
  readonly ascii: boolean;
  /** Unit of amounts; the profile's. */
  readonly unit: "minor" | "major";
  /** The entry that is being sent: its outcome is not unknown, it has not come yet. */
  readonly sendingId: string | null;
  /** Name of the profile in use: entries of another one are marked. */
  readonly profile: string;
}

/** It was checked in another profile than the one in use. */
export function isForeign(entry: HistoryEntry, { profile }: Pick<Look, "profile">): boolean {
  return entry.profile !== profile;
}

export function sign(name: SignName, { ascii }: Pick<Look, "ascii">): string {
  return ascii ? SIGN[name].ascii : SIGN[name].symbol;
}

/** Longest text that is shown of one field; more would not be read on a terminal. */
const LONGEST = 4_000;

/** Every line of a tab, none wider than `width` columns. */
export function detailLines(entry: HistoryEntry, tab: DetailTab, width: number, look: Look): Row[] {
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
  else if (result.message === null || result.outcome !== "answered") page.field("Reason", result.explanation);
  else page.untrusted("Reason", result.message);
  if (entry.repeats !== null)
    page.field("Repeats", `${safe(entry.repeats)}, as attempt 2 of the same payment`);
  if (entry.note !== null) page.field("Note", safe(entry.note, { max: LONGEST }));
  for (const warning of entry.warnings) page.field("Warning", safe(warning), "warning");
  page.blank();
  if (entry.explanation === null)
    page.text("No explanation came with this decision; only the sandbox explains itself.");
  else explanation(page, entry.explanation);
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

function explanation(page: Page, explained: Explanation): void {
  const { score, thresholds, rules, counters } = explained;
  page.field("Score", `${score}; 3-D Secure from ${thresholds.threeDs}, block from ${thresholds.block}`);
  page.field(
    "Decided by",
    `${safe(explained.decidedBy.replaceAll("_", " "))}, risk level ${safe(explained.riskLevel)}`,
  );
  if (explained.repeat) page.field("Repeat", "the stored answer to an identical request, not counted again");

  const hits = rules.filter((rule) => rule.outcome === "hit");
  page.heading(hits.length === 0 ? "No rule was hit" : "Hits");
  for (const rule of hits) {
    page.text(`${weightOf(rule)} ${safe(rule.code)}`);
    page.indented(safe(rule.text, { max: LONGEST }));
    const values = Object.entries(rule.values).map(
      ([name, value]) => `${safe(name)} = ${safe(String(value))}`,
    );
    for (const value of values) page.indented(value);
  }
  const open = rules.filter((rule) => rule.outcome === "not_evaluated");
  if (open.length > 0) page.heading("Not evaluated");
  for (const rule of open) {
    page.text(safe(rule.code));
    page.indented(rule.missing === undefined ? safe(rule.text) : `missing: ${safe(rule.missing)}`);
  }
  if (counters.length > 0) page.heading("Counted");
  for (const counter of counters) page.text(counterText(counter));
  const rest = rules.length - hits.length - open.length;
  if (rest > 0) {
    page.blank();
    page.text(`${rest} ${rest === 1 ? "rule was" : "rules were"} evaluated without a hit.`);
  }
}

function weightOf({ weight, effect, mode }: RuleTrace): string {
  const part = weight === null ? effect : weight < 0 ? String(weight) : `+${weight}`;
  return mode === "shadow" ? `${part} (shadow)` : part;
}

function counterText({ key, window, value, limit }: CounterReading): string {
  return `${safe(key)} in ${safe(window)}: ${value}${limit === null ? "" : ` (limit ${limit})`}`;
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
  if (result.rawCode !== null) page.untrusted("Raw code", result.rawCode);
  else page.field("Code", result.recommendation ?? "none");
  if (result.reason !== null) page.field("Fault", safe(result.reason));
  page.field("In words", result.explanation);
  if (result.retryAfterS !== null)
    page.field("Try again", `after ${formatDuration(result.retryAfterS * 1000)}`);
  if (result.decisionId !== null) page.field("Decision id", safe(result.decisionId));
}

function timing(page: Page, entry: HistoryEntry): void {
  const { result } = entry;
  page.field("Sent at", formatDateTime(entry.at));
  page.field("Latency", formatLatency(result?.latencyMs ?? null));
  page.field("Attempts", result === null ? "unknown" : String(result.attempts));
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

function skewText(result: CheckResult | null): string {
  if (result === null || (result.serverDateMs === null && result.clockSkewS === null)) return "not known";
  if (result.clockSkewS === null) return "30 s at most";
  const side = result.clockSkewS > 0 ? "ahead of" : "behind";
  return `this machine is ${formatDuration(Math.abs(result.clockSkewS) * 1000)} ${side} the service`;
}

/** Columns of a label with the blank behind it. */
const LABEL = 12;
const INDENT = 2;

/** Rows that are filled from the top, each at most `width` columns wide. */
class Page {
  readonly rows: Row[] = [];
  readonly #width: number;
  readonly #look: Look;

  constructor(width: number, look: Look) {
    this.#width = Math.max(LABEL + 8, width);
    this.#look = look;
  }

  spans(spans: Row): void {
    this.rows.push(spans);
  }

  blank(): void {
    this.rows.push([{ text: "" }]);
  }

  heading(text: string): void {
    this.blank();
    this.rows.push([{ text, role: "heading" }]);
  }

  text(text: string): void {
    this.#lines(text, 0);
  }

  indented(text: string): void {
    this.#lines(text, INDENT);
  }

  /** A line of JSON; what does not fit goes on below, so that nothing is left out. */
  json(line: string): void {
    const indent = line.length - line.trimStart().length;
    const rest = wrap(line.trimStart(), this.#width - indent);
    for (const part of rest) this.rows.push([{ text: " ".repeat(indent) + part }]);
  }

  field(label: string, text: string, role: Role | null = null): void {
    const [first = "", ...rest] = wrap(text, this.#width - LABEL);
    this.rows.push([{ text: label.padEnd(LABEL), role: role ?? "heading" }, { text: first }]);
    for (const line of rest) this.rows.push([{ text: " ".repeat(LABEL) + line }]);
  }

  /** A text of the service, with a badge where it holds what would not have been seen. */
  untrusted(label: string, text: string): void {
    this.field(label, safe(text, { max: LONGEST }));
    if (!hasHidden(text)) return;
    const badge = `${sign("hidden", this.#look)} It holds hidden characters, shown as escapes.`;
    for (const line of wrap(badge, this.#width - LABEL)) {
      this.rows.push([{ text: " ".repeat(LABEL) + line, role: "warning" }]);
    }
  }

  #lines(text: string, indent: number): void {
    for (const line of wrap(text, this.#width - indent))
      this.rows.push([{ text: " ".repeat(indent) + line }]);
  }
}
