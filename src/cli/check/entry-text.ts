// A check and its verdict as text: the one place where the command line turns an entry into lines.

import type { AttemptNumber } from "#src/actions/check/send-again.ts";
import { layOut } from "#src/cli/table.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { formatMoney } from "#src/display/money.ts";
import { hasHidden, safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import { FINAL_ACTION, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";

/** Symbol and word in the colour of the verdict. */
export function paintedVerdict(entry: Pick<HistoryEntry, "result">, style: Style): string {
  const kind = verdictKind(entry.result);
  return style.paint(VERDICTS[kind].role, verdictLabel(kind, style.ascii));
}

/** Why: the service's readable text for an answer, else what happened to the call. */
export function reasonText(entry: Pick<HistoryEntry, "result">, style: Style): string {
  const { result } = entry;
  if (result === null) return "No outcome was recorded; the request may have arrived.";
  if (result.outcome !== "answered" || result.message === null) return safe(result.explanation, { max: 500 });
  const badge = hasHidden(result.message) ? `${style.symbol(SIGN.hidden)} ` : "";
  return `${badge}${safe(result.message)}`;
}

/** `attempt 2 of 0mf...`: the same payment, sent again because an earlier attempt got no verdict. */
function attemptText({ number, of }: AttemptNumber): string {
  return `attempt ${number} of ${safe(of)}`;
}

/** Verdict with its required reaction, then the payment, the reason and the warnings. */
export function entryLines(
  entry: HistoryEntry,
  unit: Profile["amountUnit"],
  style: Style,
  attempt: AttemptNumber | null,
): string[] {
  const look = VERDICTS[verdictKind(entry.result)];
  const dot = ` ${style.symbol(SIGN.separator)} `;
  const { request, result } = entry;
  const lines = [
    `${paintedVerdict(entry, style)}  ${look.reaction}`,
    `  ${[
      formatMoney(request.amount, request.currency, unit),
      `order ${request.order_id === undefined ? "none" : safe(request.order_id)}`,
      ...cardParts(request),
      safe(`${entry.profile}:${entry.project}`),
      formatLatency(result?.latencyMs ?? null),
      ...(attempt === null ? [] : [attemptText(attempt)]),
    ].join(dot)}`,
    `  ${reasonText(entry, style)}`,
  ];
  if (result?.recommendation === "3ds_or_block") {
    lines.push(
      entry.finalAction === null
        ? "  Whether 3-D Secure can be forced is open; --can-force-3ds yes or no settles it."
        : `  Final action: ${FINAL_ACTION[entry.finalAction]}`,
    );
  }
  for (const warning of entry.warnings)
    lines.push(`  ${style.paint("warning", "Warning:")} ${safe(warning)}`);
  return lines;
}

/** BIN and last four, the latter with the leading zeros that its number has lost (silent point: `cin_card`). */
function cardParts({ card }: HistoryEntry["request"]): string[] {
  if (card?.bin_card === undefined && card?.cin_card === undefined) return [];
  const lastFour = card.cin_card === undefined ? "????" : String(card.cin_card).padStart(4, "0");
  return [`card ${card.bin_card ?? "??????"}..${lastFour}`];
}

/** One row a check: time, verdict, money, order, latency, id. */
export function historyRows(
  entries: readonly HistoryEntry[],
  unitOf: (profile: string) => Profile["amountUnit"],
  style: Style,
  attempts: ReadonlyMap<string, AttemptNumber>,
): string[] {
  const rows = entries.map((entry) => [
    formatDateTime(entry.at),
    paintedVerdict(entry, style),
    formatMoney(entry.request.amount, entry.request.currency, unitOf(entry.profile)),
    formatLatency(entry.result?.latencyMs ?? null),
    entry.id,
    safe(`${entry.profile}:${entry.project}`, { max: 48 }),
    [
      entry.request.order_id === undefined ? "-" : safe(entry.request.order_id, { max: 40 }),
      ...(attempts.has(entry.id) ? [attemptText(attempts.get(entry.id)!)] : []),
      ...(entry.note === null ? [] : [safe(entry.note, { max: 60 })]),
    ].join("  "),
  ]);
  return layOut(["TIME", "VERDICT", "AMOUNT", "LATENCY", "ID", "PROFILE:PROJECT", "ORDER"], rows, [2, 3]);
}
