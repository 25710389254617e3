// A check as an audience may see it: everything personal is masked here, for the presenter's screen and for plain text.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { MASK, redactText } from "./mask.ts";
import { formatMoney } from "./money.ts";
import { safe } from "./safe.ts";
import { FINAL_ACTION, verdictKind } from "./verdict.ts";

/** A text about a request, e.g. the reason of a rule: nothing of its payer or card is left in it, and it is safe. */
export function presentedText(text: string, request: CheckRequest, max: number = 400): string {
  return safe(redactText(text, request), { max });
}

/** What is said in a deck: nothing of any payer or card in the whole deck is left in it, and it is safe. */
export function presentedWords(
  text: string,
  {
    steps,
  }: { readonly steps: readonly { readonly checks: readonly { readonly request: CheckRequest }[] }[] },
): string {
  const requests = steps.flatMap(({ checks }) => checks.map(({ request }) => request));
  return safe(
    requests.reduce((masked, request) => redactText(masked, request), text),
    { max: 1_000 },
  );
}

export interface PresentedPayment {
  /** `187.50 UAH` */
  readonly amount: string;
  readonly order: string;
  /** BIN, and a mask for the rest; null without a card. */
  readonly card: string | null;
}

export function presentedPayment(request: CheckRequest): PresentedPayment {
  const { amount, currency, order_id: order, card } = request;
  return {
    amount: safe(formatMoney(amount, currency), { max: 40 }),
    order: order === undefined ? "none" : presentedText(order, request, 40),
    card: card === undefined ? null : `${safe(String(card.bin_card ?? "??????"), { max: 8 })} ${MASK}`,
  };
}

export interface PresentedReason {
  readonly code: string;
  /** Null for a rule that beats the score. */
  readonly weight: number | null;
  /** `+40`, or what the rule does: `block`, `3DS`, `allow`. */
  readonly effect: string;
  readonly text: string;
}

const EFFECT = { block: "block", allow: "allow", "3ds": "3DS", score: "" } as const;

/** The rules that hit and count, the strongest first; empty without an explanation, or where no rule had an objection. */
export function presentedReasons({ request, explanation }: PresentedEntry): PresentedReason[] {
  return (explanation?.rules ?? [])
    .filter(({ outcome, mode }) => outcome === "hit" && mode === "live")
    .map(({ code, weight, effect, text }) => ({
      code: safe(code, { max: 60 }),
      weight,
      effect: weight === null ? EFFECT[effect] : weight < 0 ? String(weight) : `+${weight}`,
      text: presentedText(text, request),
    }));
}

type PresentedEntry = Pick<HistoryEntry, "request" | "explanation" | "result">;

/** Why there are no reasons to list: nothing was wrong, or nothing is known. */
export function presentedSilence({ request, explanation, result }: PresentedEntry): string {
  if (result === null) return "No outcome was recorded.";
  if (result.outcome !== "answered") return presentedText(result.explanation, request);
  if (explanation !== null) return "No rule had an objection.";
  return result.message === null ? "No explanation came with it." : presentedText(result.message, request);
}

/** What beat the score; null where the score decided. */
export function presentedRuling({ decidedBy }: Pick<Explanation, "decidedBy">): string | null {
  switch (decidedBy) {
    case "hard_block":
      return "A hard rule blocks, whatever the score is.";
    case "allow_list":
      return "An allow list lets it pass, whatever the score is.";
    case "require_3ds":
      return "A rule requires 3-D Secure, whatever the score is.";
    case "magic":
      return "The order id forces this answer, whatever the rules say.";
    default:
      return null;
  }
}

/** What the caller does in the end about a `3ds_or_block`; null for any other verdict, which says it already. */
export function presentedDecision({
  result,
  finalAction,
}: Pick<HistoryEntry, "result" | "finalAction">): string | null {
  if (result?.outcome !== "answered" || result.recommendation !== "3ds_or_block") return null;
  if (finalAction === null) return "Open: nobody has said yet whether 3-D Secure can be forced.";
  const why = finalAction === "block" ? "3-D Secure cannot be forced here" : "3-D Secure can be forced here";
  return `${why}. Final action: ${FINAL_ACTION[finalAction]}`;
}

/** Which check of a deck was not as its author expects. */
export function presentedSurprise(frame: {
  readonly index: number;
  readonly attempts: number;
  readonly entries: readonly Pick<HistoryEntry, "result">[];
  readonly expected: Recommendation | null;
}): string {
  const { index, attempts, entries, expected } = frame;
  const place = attempts > 1 ? `Step ${index + 1}, attempt ${entries.length}` : `Step ${index + 1}`;
  return `${place}: expected ${expected}, and the verdict is ${verdictKind(entries.at(-1)!.result)}.`;
}
