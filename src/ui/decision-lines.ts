// One check as lines: its verdict, what to do, and why. Pure; untrusted text is made safe here.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { trustedExplanation } from "#src/display/decision.ts";
import { checkedMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import {
  finalActionText,
  outcomeReason,
  verdictKind,
  verdictKinds,
  VERDICTS,
  verdictSpan,
} from "#src/display/verdict.ts";
import { explanationLines } from "./explanation-lines.ts";
import type { Span } from "./line.tsx";
import { LONGEST, type Page } from "./page.ts";
import type { Theme } from "./theme.ts";
import { verdictSpans } from "./verdict-rows.ts";

/** Rendering options besides the entry. */
export interface RenderOptions {
  readonly theme: Theme;
  /** Unit of amounts; the profile's. */
  readonly unit: "minor" | "major";
  /** The entry that is being sent, which has no outcome yet. */
  readonly sendingId: string | null;
  /** Name of the profile in use: entries of another one are marked. */
  readonly profile: string;
  /** What is known of the checks before this or another entry. */
  readonly seen?: SeenBefore | null;
}

/** It was checked in another profile than the one in use. */
export function isForeign(entry: HistoryEntry, { profile }: Pick<RenderOptions, "profile">): boolean {
  return entry.profile !== profile;
}

/** Adds verdict, reaction, final action, reason and explanation of a check to the page. */
export function decisionLines(page: Page, entry: HistoryEntry, options: RenderOptions): void {
  const { result } = entry;
  const explanation = trustedExplanation(result, entry.explanation);
  const [, ...final] = verdictSpans(verdictKinds(entry), options.theme);
  page.spans([entryVerdict(entry, options), ...final, { text: `  ${checkedMoney(entry, options.unit)}` }]);
  const { order_id } = entry.request;
  page.field("Order", order_id === undefined ? "none" : safe(order_id, { max: LONGEST }));
  const place = `${safe(entry.project)}, profile ${safe(entry.profile)}`;
  if (isForeign(entry, options)) page.field("Project", `${place} (not the project in use)`, "warning");
  else page.field("Project", place);
  if (entry.id === options.sendingId) {
    page.text("The answer has not come yet.");
    return;
  }
  page.field("Required", VERDICTS[verdictKind(result)].reaction);
  // Said once: what is required is final where there is no choice, and the rules below are the reason.
  if (result?.recommendation === "3ds_or_block") page.field("Final", finalActionText(entry) ?? "None.");
  if (explanation === null) page.untrusted("Reason", outcomeReason(result));
  if (entry.repeats !== null)
    page.field("Repeats", `${safe(entry.repeats)}, sent again as another attempt of the same payment`);
  if (entry.label !== undefined) page.field("Became", entry.label);
  if (entry.note !== null) page.field("Note", safe(entry.note, { max: LONGEST }));
  for (const warning of entry.warnings) page.field("Warning", safe(warning), "warning");
  page.blank();
  if (explanation !== null) explanationLines(page, explanation);
  else if (result?.outcome === "answered") {
    page.text("No explanation came with this decision; only the sandbox explains its decisions.");
    if (options.seen?.id === entry.id) seenLines(page, options.seen);
  }
}

/** The earlier checks that can be behind a verdict without reasons: from the history, not from the service. */
export function seenLines(page: Page, { order, card, payer }: SeenBefore): void {
  const parts = [
    ["Order", order, ""],
    ["Card", card, " in 24 h"],
    ["Payer", payer, " in 24 h"],
  ] as const;
  if (parts.some(([, before]) => before !== null)) page.heading("Before this check");
  for (const [label, before, within] of parts) {
    if (before === null) continue;
    const { checks, blocked, among } = before;
    const where = among === null ? within : `${within} among the last ${formatCount(among)}`;
    const many = `${counted(checks, "check")}${where}, ${formatCount(blocked)} blocked`;
    page.field(label, checks === 0 ? `no check${where}` : many);
  }
}

/** Symbol and word in the colour of the verdict. */
export function entryVerdict({ id, result }: HistoryEntry, { theme, sendingId }: RenderOptions): Span {
  return id === sendingId
    ? { text: `${theme.sign("ellipsis")} SENDING`, role: "heading" }
    : verdictSpan(verdictKind(result), theme.ascii);
}
