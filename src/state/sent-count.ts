// Counts what this session has sent, and says so in the shell afterwards.

import { join } from "node:path";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Checks } from "#src/state/check/checks.ts";
import type { Replays } from "#src/state/replay/replays.ts";

/** What was sent in this session, for the line after it. */
export interface SentSoFar {
  readonly checks: number;
  readonly items: number;
  /** The run that was left unfinished. */
  readonly partial: string | null;
  /** Order ids of the checks that left without an answer, and were not sent again, by the ids of their entries. */
  readonly lost: ReadonlyMap<string, string>;
}

export const NOTHING_SENT: SentSoFar = { checks: 0, items: 0, partial: null, lost: new Map() };

/** Counts the checks and items that leave. @param before what the console before this one had sent */
export function countSent(checks: Checks["store"], replays: Pick<Replays, "sent">, before: SentSoFar) {
  let sent = 0;
  const lost = new Map(before.lost);
  const stop = checks.subscribe(({ latest }, { latest: former }) => {
    if (latest === null || latest.id === former?.id) return;
    if (latest.result?.outcome !== "not_sent") sent += 1;
    if (latest.repeats !== null) lost.delete(latest.repeats);
    if (verdictKind(latest.result) === "unknown") lost.set(latest.id, orderOf(latest.request));
  });
  return {
    soFar(): SentSoFar {
      const { items, partial } = replays.sent();
      // What is still under way has no outcome, either.
      const { inFlight } = checks.getState();
      const hanging = inFlight === null || inFlight.id === null ? null : inFlight.id;
      return {
        checks: before.checks + sent + (hanging === null ? 0 : 1),
        items: before.items + items,
        partial: partial ?? before.partial,
        lost: hanging === null ? lost : new Map([...lost, [hanging, orderOf(inFlight!.request)]]),
      };
    },
    stop,
  };
}

const orderOf = ({ order_id }: CheckRequest): string => safe(order_id ?? "no order id", { max: 60 });

/** A sentence on the checks, one on those without an answer, and one on the replays where there were any. @param data folder of the history */
export function sentText({ checks, items, partial, lost }: SentSoFar, data: string): readonly string[] {
  const count =
    checks === 0 ? "No check was" : checks === 1 ? "1 check was" : `${formatCount(checks)} checks were`;
  const place = (file: string): string => safe(join(data, file), { max: 1_000 });
  const sentence = `${count} sent in this session; the history is kept in ${place("history.db")}.`;
  const names = `${[...lost.values()].join(", ")}; outcome unknown.`;
  const left = lost.size === 0 ? [] : [`${counted(lost.size, "check")} sent without an answer: ${names}`];
  if (items === 0 && partial === null) return [sentence, ...left];
  const rest =
    partial === null
      ? ""
      : ` One run is unfinished: continue it with "verdict replay --continue ${partial}".`;
  return [
    sentence,
    ...left,
    `Replays sent ${counted(items, "check")}; the runs are kept in ${place("runs.db")}.${rest}`,
  ];
}
