// What is said of a deck and of its checks, on the demo screen and as plain text. Decks and frames are masked as they are made.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { ENGLISH, saidIn, type Said } from "./audience-words.ts";
import { counted } from "./count.ts";
import { MASK } from "./mask.ts";
import { formatMoney } from "./money.ts";
import { safe } from "./safe.ts";
import { formatUtc } from "./time.ts";
import { verdictKind, type VerdictKind } from "./verdict.ts";

/** The name of a deck from standard input. */
export const PIPED_DECK = "standard input";

/** Its audience reads English: it has no words of its own, or names English as their language. */
export function isEnglish({ words }: { readonly words: ReadonlyMap<string, string> }): boolean {
  return words.size === 0 || /^en\b/.test(words.get("lang") ?? "");
}

/** A text of a deck or of one of its frames; safe. */
export function deckText(text: string): string {
  return safe(text, { max: 1_000 });
}

/** Which step a frame belongs to, and what is said in it: `step 2 of 6: The same card again`. */
export function markerText(
  { index, total, say }: { readonly index: number; readonly total: number; readonly say: string },
  { words }: { readonly words: ReadonlyMap<string, string> },
): string {
  return `${saidIn(words)("step", { n: index + 1, all: total })}: ${deckText(say)}`;
}

/** The payment of a check, most important first: amount, BIN of the card, project, virtual time, order. */
export function paymentFacts(
  frame: { readonly request: CheckRequest; readonly projectKey: string; readonly virtualTime: number },
  say: Said = ENGLISH,
): string[] {
  const { request, projectKey, virtualTime } = frame;
  const { amount, currency, order_id: order, card } = request;
  return [
    safe(formatMoney(amount, currency), { max: 40 }),
    ...(card === undefined
      ? []
      : [`${say("card")} ${safe(String(card.bin_card ?? "??????"), { max: 8 })} ${MASK}`]),
    safe(projectKey, { max: 40 }),
    `${formatUtc(virtualTime)} UTC`,
    `${say("order")} ${order === undefined ? "none" : safe(order, { max: 40 })}`,
  ];
}

/** `3 steps, 9 verdicts, a day of payments`: a check that stands side by side has several. */
export function deckSize({
  steps,
}: {
  readonly steps: readonly {
    readonly checks: readonly unknown[];
    readonly sides: readonly unknown[];
    readonly stream: unknown;
  }[];
}): string {
  const verdicts = steps.reduce(
    (sum, { checks, sides }) => sum + checks.length * Math.max(1, sides.length),
    0,
  );
  const days = steps.filter(({ stream }) => stream !== null).length;
  const day = days === 0 ? "" : days === 1 ? ", a day of payments" : `, ${days} days of payments`;
  return `${counted(steps.length, "step")}, ${counted(verdicts, "verdict")}${day}`;
}

/** A check of a deck, or one of its sides, whose verdict is not the expected one. */
export function unexpectedText(frame: {
  readonly index: number;
  readonly attempts: number;
  readonly entries: readonly Pick<HistoryEntry, "result">[];
  readonly expected: VerdictKind | null;
  readonly sides: readonly {
    readonly title: string;
    readonly expected: VerdictKind | null;
    readonly entry: Pick<HistoryEntry, "result">;
  }[];
}): string {
  const { index, attempts, entries, sides } = frame;
  const wrong = sides.find(
    ({ expected, entry }) => expected !== null && verdictKind(entry.result) !== expected,
  );
  const { expected, entry } = wrong ?? { expected: frame.expected, entry: entries.at(-1)! };
  const place = [
    `Step ${index + 1}`,
    ...(attempts > 1 ? [`attempt ${entries.length}`] : []),
    ...(wrong === undefined ? [] : [safe(wrong.title)]),
  ].join(", ");
  return `${place}: expected ${expected}, and the verdict is ${verdictKind(entry.result)}.`;
}
