// A day of payments of a deck, decided under one or two rule sets before it runs past.

import { basename } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { changeText, runBacktest, type DecidedPayment } from "#src/actions/rules/backtest.ts";
import { badInput } from "#src/contract/fault.ts";
import { isBad } from "#src/contract/records/label.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { formatCount } from "#src/display/count.ts";
import type { DeckDay, DeckStep } from "#src/replay/decks/deck.ts";
import { worthInEur } from "#src/replay/money-tally.ts";
import { decisionWords } from "#src/replay/reports/decision-parts.ts";
import { ruleChanges } from "#src/rules/rule-facts.ts";
import { eurPerUnit } from "#src/rules/rule-file/eur-rates.ts";
import { programFile } from "#src/storage/program-files.ts";
import type { TestedRules } from "./demo-rules.ts";
import type { DayPayment, DecidedDay } from "./demo-frame.ts";
import type { SandboxContext } from "./sandbox-access.ts";

/** All of them are kept, for the screen to run past. */
const MOST_PAYMENTS = 200_000;
const STEP_MS: Milliseconds = 60_000;

/**
 * @param step one with `stream`
 * @param startAt time of a first payment without one
 * @param onDecided called with the share that is decided, 0..1
 * @throws Fault("usage") for a day that is not there; Fault("bad_input") for a bad line, a day that is too large, and one without
 *   a payment at which it is to stop; Fault("interrupted")
 */
export async function decideDay(
  context: SandboxContext,
  { stream, riskLevel }: DeckStep,
  rules: TestedRules,
  startAt: Milliseconds,
  signal: AbortSignal,
  onDecided: (share: number) => void,
): Promise<DecidedDay> {
  const { day, today, proposed, stopAt } = stream!;
  const after = proposed ?? today;
  const current = { name: today.name, ruleSet: rules.get(today.text)! };
  const next = { name: after.name, ruleSet: rules.get(after.text)! };
  const rates = eurPerUnit(next.ruleSet.rates, "minor");
  const payments: DayPayment[] = [];
  const stops: number[] = [];
  const named = new Set(stopAt);
  const missing = new Set(stopAt);
  const take = ({ item, verdicts }: DecidedPayment): void => {
    if (payments.length === MOST_PAYMENTS)
      throw badInput`A day has at most ${formatCount(MOST_PAYMENTS)} payments; use fewer payments.`;
    const { request, key, label } = item;
    const names = [key, request.order_id ?? ""].filter((each) => named.has(each));
    for (const each of names) missing.delete(each);
    if (names.length > 0) stops.push(payments.length);
    const isChanged = verdicts.current.recommendation !== verdicts.proposed.recommendation;
    payments.push({
      at: verdicts.at,
      request,
      today: verdicts.current.recommendation,
      proposed: verdicts.proposed.recommendation,
      worth: label === undefined ? null : isBad(label) ? "bad" : "good",
      eur: worthInEur(request, rates),
      why: isChanged ? (verdicts.why ?? changeText(verdicts.current, verdicts.proposed)) : null,
    });
  };
  const done = await runBacktest(
    context,
    {
      ...sourceOf(day),
      current,
      proposed: next,
      // Of the step, for all of them.
      riskLevel,
      startAt,
      stepMs: STEP_MS,
      unitOf: () => context.profile.amountUnit,
      strict: true,
    },
    signal,
    (event) => {
      if (event.type === "decided") take(event.payment);
      else if (event.type === "progress" && event.progress.fraction !== null)
        onDecided(event.progress.fraction);
    },
  );
  const [unknown] = missing;
  if (unknown !== undefined) {
    const file = "path" in day ? escapeText(basename(day.path)) : day.inProgram;
    throw badInput`stop_at: ${file} has no payment ${unknown}; write the order id or the key of one.`;
  }
  const { sentence, besides, doubts } = decisionWords({ ...done, labels: { asOf: null } });
  return {
    today: today.name,
    proposed: proposed?.name ?? null,
    changes: ruleChanges(current.ruleSet, next.ruleSet),
    payments,
    stops,
    outcomes: done.outcomes,
    // Of payments without labels there is only to say what changes.
    sentences:
      proposed === null ? [] : done.outcomes === null ? [sentence] : [sentence, ...besides, ...doubts],
  };
}

function sourceOf(day: DeckDay): {
  readonly sources: readonly [string];
  readonly stdin: AsyncIterable<Uint8Array> | null;
} {
  if ("path" in day) return { sources: [day.path], stdin: null };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield brotliDecompressSync(programFile((day as { readonly inProgram: string }).inProgram));
  }
  return { sources: ["-"], stdin: bytes() };
}
