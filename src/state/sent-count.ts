// Counts what this session has sent, and says so in the shell afterwards.

import { join } from "node:path";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { Checks } from "#src/state/check/checks.ts";
import type { Replays } from "#src/state/replay/replays.ts";

/** What was sent in this session, for the line after it. */
export interface SentSoFar {
  readonly checks: number;
  readonly items: number;
  /** The run that was left unfinished. */
  readonly partial: string | null;
}

export const NOTHING_SENT: SentSoFar = { checks: 0, items: 0, partial: null };

export interface SentCounter {
  soFar(): SentSoFar;
  stop(): void;
}

/** Counts the checks and items that leave. @param before what the console before this one had sent */
export function countSent(
  checks: Checks["store"],
  replays: Pick<Replays, "sent">,
  before: SentSoFar,
): SentCounter {
  let sent = 0;
  const stop = checks.subscribe(({ latest }, { latest: former }) => {
    if (latest === null || latest.id === former?.id) return;
    if (latest.result?.outcome !== "not_sent") sent += 1;
  });
  return {
    soFar() {
      const { items, partial } = replays.sent();
      return {
        checks: before.checks + sent,
        items: before.items + items,
        partial: partial ?? before.partial,
      };
    },
    stop,
  };
}

/** A sentence on the checks, and one on the replays where there were any. @param data folder of the history */
export function sentText({ checks, items, partial }: SentSoFar, data: string): readonly string[] {
  const count = checks === 0 ? "No check was" : checks === 1 ? "1 check was" : `${checks} checks were`;
  const place = (file: string): string => safe(join(data, file), { max: 1_000 });
  const sentence = `${count} sent in this session; the history is kept in ${place("history.db")}.`;
  if (items === 0 && partial === null) return [sentence];
  const rest =
    partial === null ? "" : ` One is unfinished: "verdict replay --continue ${partial}" goes on with it.`;
  return [
    sentence,
    `Replays sent ${counted(items, "check")}; the runs are kept in ${place("runs.db")}.${rest}`,
  ];
}
