// Sends all listed or selected history entries again as a replay, after a confirmation with figures.

import { countHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { whyNotSend } from "#src/contract/records/profile.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { liftKeys, noProject } from "#src/state/check/checks-state.ts";
import { agreeToBatch } from "#src/state/live-fence.ts";
import type { Replays } from "#src/state/replay/replays.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { filterOf, ownOf } from "./history-range.ts";
import type { HistoryViewState } from "./history-state.ts";

export type BatchReplays = Pick<Replays, "whyNotNow" | "sendAgain">;

/** Checks a second outside the sandbox, so that no service is flooded; the replay form allows more. */
const RATE_PER_S = 5;
const CONCURRENCY = { sandbox: 8, elsewhere: 2 } as const;

/**
 * Asks, outside the sandbox by what is typed, and shows the replay that the range becomes, or all that is listed. Never
 * rejects for a fault.
 */
export async function askBatch(
  context: Context,
  session: Session,
  replays: BatchReplays,
  { filter: listed, total, progress, fault, range }: HistoryViewState,
): Promise<void> {
  const { profile } = context;
  const { project, busy } = session.store.getState();
  const filter = range === null ? listed : filterOf(range);
  const count = range?.length ?? total;
  const why =
    whyNotSend(profile, liftKeys(session.keyName)) ??
    replays.whyNotNow() ??
    (project === null ? (busy ?? noProject(session.keyName)) : null) ??
    (range === null && progress !== null
      ? "The search is not finished, so the number is unknown; wait for its end."
      : null) ??
    (range === null && fault !== null
      ? "The history could not be read to its end, so the number is unknown; filter again."
      : null) ??
    (count === 0 ? "There is nothing to send again." : null);
  if (why !== null || project === null) return session.say(why ?? noProject(session.keyName), "note");
  const isSandbox = profile.environment === "SANDBOX";
  const concurrency = isSandbox ? CONCURRENCY.sandbox : CONCURRENCY.elsewhere;
  const ratePerS = isSandbox ? null : RATE_PER_S;
  const checks = counted(count, "check");
  const all = filter === "" ? "the whole history" : `"${safe(filter, { max: 120 })}"`;
  const which = range === null ? all : "the selection";
  const pace =
    ratePerS === null
      ? `${concurrency} at a time, as fast as they are answered`
      : `${ratePerS} a second, ${concurrency} at a time`;
  const yes = "send";
  const own = ownOf(filter, profile.name, project);
  const foreign = isSandbox
    ? 0
    : await reportFaults(session, async () => count - (await countHistory(context, own)));
  if (foreign === null) return;
  const what = `Send ${checks} of ${which}${foreign === 0 ? "" : ` (${formatCount(foreign)} of other profiles or projects)`} again for the project ${safe(project, { max: 80 })}, each under a fresh order id, ${pace},`;
  const cancels = session.keyName("replay.live.cancel");
  const text = `The checks run as a replay, which ${cancels} cancels. ${what} to the sandbox?`;
  const typed = profile.environment === "LIVE" ? profile.name : String(count);
  const agreed = isSandbox
    ? await session.agree({ text, yes })
    : await agreeToBatch(session, profile, { what, yes, typed });
  if (!agreed) return;
  replays.sendAgain({ source: `history:${filter}`, project, freshOrderIds: true, concurrency, ratePerS });
  session.go("replay");
}
