// Writes payments with stand-ins for people and cards, and proves that rules decide about both the same.

import type { ActionContext } from "#src/actions/action-context.ts";
import { importedEnvelope } from "#src/actions/replay/import-payloads.ts";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { safeJson } from "#src/display/safe.ts";
import { BACKTEST_BYTES } from "#src/rules/backtest.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { assessRecorded, type Assessment } from "#src/rules/decision/decide.ts";
import { inIso4217, inMinorUnits } from "#src/rules/decision/situation.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { createStandIns } from "#src/rules/stand-ins/payment-stand-ins.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { createStandInKey, readStandInKey } from "#src/vault/stand-in-key.ts";
import { readTransactions, type TransactionsInput } from "./backtest-transactions.ts";

/** Progress is told after so many payments. */
const TOLD_EVERY = 250;
/** Of a name or a mailbox; in tags shorter ones are parts of other words. */
const SHORTEST_WORD = 3;

/** Digits of a telephone number that stay however it is written. */
const NATIONAL_DIGITS = 7;

export interface PseudonymiseInput extends TransactionsInput {
  /** By which both are decided. */
  readonly ruleSet: RuleSet;
  /** Of the key, which is made where there is none. */
  readonly keyFile: string;
  /** A file that is not there yet. */
  readonly out: string;
}

export interface Pseudonymised {
  readonly isNewKey: boolean;
  /** Payments that were decided twice. */
  readonly total: number;
  /** Of those, with the same verdict, score and result of each rule. */
  readonly equal: number;
  /** Rules that did not say the same of both, and of how many payments; the most frequent first. */
  readonly differing: readonly { readonly code: string; readonly count: number }[];
  readonly rejected: number;
  /** Identical repeats within 60 s, which are left out. */
  readonly repeats: number;
  readonly untimed: number;
  /** False where not all were equal, or there was none. */
  readonly written: boolean;
}

export type PseudonymiseEvent =
  | { readonly type: "rejected"; readonly line: RejectedLine }
  | { readonly type: "progress"; readonly taken: number; readonly fraction: number | null };

/** Ends the writing without a file. */
class NotEqual extends Error {}

/**
 * Reads the payments once and in flat memory. What is decided is each written line as it is read back; both sides count from
 * zero, in the same project and at the same time.
 * @throws Fault("usage") for a source that is not there or a file that is, Fault("bad_input") for a bad line when strict,
 * Fault("storage"), Fault("interrupted")
 */
export async function pseudonymise(
  context: ActionContext,
  input: PseudonymiseInput,
  signal: AbortSignal,
  onEvent: (event: PseudonymiseEvent) => void,
): Promise<Pseudonymised> {
  expectNewFile(input.out);
  const { ruleSet } = input;
  const key = await readStandInKey(input.keyFile, nodeFileSystem);
  let standIn = key === null ? null : createStandIns(key, ruleSet);
  const [ownCounts, theirCounts] = [
    createCounters({ maxBytes: BACKTEST_BYTES }),
    createCounters({ maxBytes: BACKTEST_BYTES }),
  ];
  const counts = { total: 0, equal: 0, rejected: 0, repeats: 0, untimed: 0 };
  const differing = new Map<string, number>();

  async function* written(): AsyncGenerator<string> {
    const reading = readTransactions(context, input, signal);
    for await (const line of reading.lines) {
      if ("rejected" in line) {
        counts.rejected += 1;
        onEvent({ type: "rejected", line: line.rejected });
      } else if ("repeated" in line) counts.repeats += 1;
      else {
        const { facts } = line;
        // Made for a payment, not for a source that is not there.
        standIn ??= createStandIns(await createStandInKey(input.keyFile, nodeFileSystem), ruleSet);
        const text = lineOf(line.item, line.sent, standIn(line.sent), facts.now);
        const request = readBack(context, text, facts.now);
        const own = assessRecorded(ruleSet, facts, ownCounts);
        const theirs = assessRecorded(ruleSet, { ...facts, request }, theirCounts);
        const codes = differences(ruleSet, own, theirs);
        for (const code of codes) differing.set(code, (differing.get(code) ?? 0) + 1);
        counts.total += 1;
        if (codes.length === 0) counts.equal += 1;
        if (!line.timed) counts.untimed += 1;
        if (counts.total % TOLD_EVERY === 0)
          onEvent({ type: "progress", taken: counts.total, fraction: reading.fraction() });
        yield text;
      }
    }
    if (counts.total === 0 || counts.equal < counts.total) throw new NotEqual();
  }

  const result = (isWritten: boolean): Pseudonymised => ({
    isNewKey: key === null && standIn !== null,
    ...counts,
    differing: Array.from(differing, ([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count),
    written: isWritten,
  });
  try {
    await createWhole(input.out, written());
    return result(true);
  } catch (error) {
    if (error instanceof NotEqual) return result(false);
    throw error;
  }
}

/** The stand-ins of a key, which is made where there is none. @throws as `readStandInKey`, Fault("storage") */
export async function openStandIns(
  keyFile: string,
  ruleSet: RuleSet,
): Promise<(request: CheckRequest) => CheckRequest> {
  const key = await readStandInKey(keyFile, nodeFileSystem);
  return createStandIns(key ?? (await createStandInKey(keyFile, nodeFileSystem)), ruleSet);
}

/** An envelope as NDJSON, without its name, which often holds the order id, and without tags that repeat a value. */
function lineOf(item: RunItem, sent: CheckRequest, request: CheckRequest, time: number): string {
  const { order_id, payer = {}, card } = sent;
  const people = [card?.holder, payer.email?.split("@")[0]];
  const words = people.flatMap((text) => text?.split(/[^\p{L}\p{M}\p{N}]+/u) ?? []).map(bare);
  // However it is spelled: a phone without its plus, a name with hyphens, a surname alone.
  const values: readonly unknown[] = [order_id, ...people, ...Object.values(payer)];
  const own = values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? bare(String(value)) : [],
  );
  own.push(...words.filter((word) => word.length >= SHORTEST_WORD));
  // A national number, without the code of its country.
  own.push(bare(payer.number_phone ?? "").slice(-NATIONAL_DIGITS));
  const tags = item.tags.filter((tag) => !own.some((text) => text !== "" && bare(tag).includes(text)));
  return `${safeJson(importedEnvelope({ name: null, item: { ...item, request, tags, time } }))}\n`;
}

/** Letters and digits alone, without accents and in lower case. */
function bare(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The request of a written line as a back-test of it reads it. */
function readBack({ profile }: ActionContext, text: string, now: number): CheckRequest {
  const numbering = profile.currencyNumbering ?? "iso-4217";
  const { request } = payloadOf(parseStrictJson(text), "A stand-in", [], now, numbering);
  const nowhere = { projectId: "", riskLevel: "medium", currency: null } as const;
  return inMinorUnits(inIso4217({ request, project: nowhere, now }, numbering), profile.amountUnit).request;
}

/** Codes of the rules that say another thing of the other payment; verdict and score hang on nothing else. And money. */
function differences({ rules }: RuleSet, own: Assessment, theirs: Assessment): string[] {
  const [before, after] = [own.situation.input.request, theirs.situation.input.request];
  // A profile with another unit of amounts would read another amount in the file.
  const money = (["amount", "currency"] as const).filter((field) => before[field] !== after[field]);
  return [
    ...money,
    ...rules.flatMap(({ code }, at) => (own.outcomes[at] === theirs.outcomes[at] ? [] : code)),
  ];
}
