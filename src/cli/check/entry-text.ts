// A check and its verdict as text: the one place where the command line turns an entry into lines.

import type { AttemptNumber } from "#src/actions/check/send-again.ts";
import { layOut } from "#src/cli/table.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { separatorText } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatZoned, formatLatency } from "#src/display/time.ts";
import { finalActionText, paintedVerdict, reasonText, verdictKind, VERDICTS } from "#src/display/verdict.ts";

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
  const kind = verdictKind(entry.result);
  const dot = separatorText(style.ascii);
  const { request, result } = entry;
  const lines = [
    `${paintedVerdict(kind, style)}  ${VERDICTS[kind].reaction}`,
    `  ${[
      formatMoney(request.amount, request.currency, unit),
      `order ${request.order_id === undefined ? "none" : safe(request.order_id)}`,
      ...cardParts(request),
      safe(`${entry.profile}:${entry.project}`),
      ...(result?.tenant === undefined ? [] : [`tenant ${safe(result.tenant)}`]),
      formatLatency(result?.latencyMs ?? null),
      ...(attempt === null ? [] : [attemptText(attempt)]),
    ].join(dot)}`,
    `  ${reasonText(result, style.ascii)}`,
  ];
  if (result?.recommendation === "3ds_or_block") {
    const settle = entry.finalAction === null ? " Settle it with --can-force-3ds yes or no." : "";
    lines.push(`  Final action: ${finalActionText(entry)}${settle}`);
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
    formatZoned(entry.at),
    paintedVerdict(verdictKind(entry.result), style),
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
  return layOut(
    style,
    ["TIME", "VERDICT", "AMOUNT", "LATENCY", "ID", "PROFILE:PROJECT", "ORDER"],
    rows,
    [2, 3],
  );
}
