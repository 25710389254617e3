// A replay, saved payloads sent one after the other and each verdict compared with the one before: what it takes, tells and gives.

import type { Fault } from "#src/contract/fault.ts";
import type { Comparison, Flip, ItemChange } from "#src/contract/records/flip.ts";
import type {
  ItemChoice,
  OrderKey,
  RejectedLine,
  RunHeader,
  RunInfo,
  RunRow,
  RunSummary,
  RunTime,
} from "#src/contract/records/run.ts";
import type { RunCourse } from "#src/contract/records/run-course.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Warnings } from "#src/replay/warning-tally.ts";
import type { Compared, Side } from "./compare-runs.ts";
import type { GoldenFile } from "./golden-file.ts";

/** The choice of items is that of the run that goes on, where one does. */
export interface ReplayInput extends ItemChoice {
  /** Files, folders, names of saved payloads, `history:<filter>`, `run:<id>`, `run:<id>:<kinds>`, `-`. */
  readonly sources: readonly string[];
  /** `<merchant_id>/<risk_level>` or a project id; undefined for the only project there is. */
  readonly project: string | undefined;
  /** Items in flight at most, 1 to 256; undefined: those of the run that goes on, else 8. */
  readonly concurrency: number | undefined;
  /** Starts in a second; null: as fast as the concurrency allows; undefined: that of the run that goes on, else null. */
  readonly ratePerS: number | null | undefined;
  /** See RunPace; undefined: that of the run that goes on, else none. */
  readonly orderBy?: readonly OrderKey[] | undefined;
  /** What to compare with: a run by id, prefix, or `last`, or a file of verdicts. Null for what the items carry. */
  readonly baseline: string | GoldenFile | null;
  /** Run to go on with: id, prefix, or `last`. Sources, project, order ids, baseline and pace come from its header. */
  readonly continues: string | null;
  readonly freshOrderIds: boolean;
  /** Undefined: that of the run that goes on, else `recorded` where the target is a sandbox and the first item has a time, else `now`. */
  readonly time?: RunTime | undefined;
  /** Columns of CSV sources that are left out; a run that goes on keeps its own. */
  readonly ignoredColumns?: readonly string[] | undefined;
  /** Stops at the first bad line. */
  readonly strict: boolean;
  /** Circuit breaker: consecutive items without a trustworthy verdict after which the run stops; 0 for never. */
  readonly stopAfterFailures: number;
  /** For the source `-`. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
}

export interface ReplayProgress {
  readonly summary: RunSummary;
  /** Share of the items that were sent, 0 to 1; null where it cannot be known. */
  readonly fraction: number | null;
  readonly etaMs: Milliseconds | null;
  readonly inFlight: number;
  readonly state: "running" | "paused" | "stopping";
  readonly comparison: Comparison;
  readonly course: RunCourse;
  /** The flips that came last, the latest first. */
  readonly latest: readonly Flip[];
}

export type ReplayEvent =
  /** @param keepsOrder the service decides the payments in order at any concurrency */
  | {
      readonly type: "started";
      readonly header: RunHeader;
      readonly alreadySent: number;
      readonly keepsOrder: boolean;
    }
  /** With the first item. @param from its time; null where it has none */
  | { readonly type: "time"; readonly time: RunTime; readonly from: Milliseconds | null }
  /** Before the first item. @param outOfOrder items that were earlier than the one before them, so that all were sorted */
  | { readonly type: "sorted"; readonly outOfOrder: number }
  | { readonly type: "rejected"; readonly line: RejectedLine }
  | { readonly type: "settled"; readonly row: RunRow; readonly change: ItemChange }
  | { readonly type: "tripped"; readonly message: string };

export interface Replayed extends Compared {
  readonly info: RunInfo;
  readonly side: Side;
  /** Items of the sources that are not of this run. */
  readonly leftOut: number;
  /** Of the items that were to be sent this time. */
  readonly warnings: Warnings;
  readonly stopped: "done" | "cancelled" | "tripped";
  /** Set when something could not be written: the run then stopped early and is partial. */
  readonly notSaved: Fault | null;
}

export interface ReplayRun {
  /** Starts nothing new; what is in flight goes on. */
  pause(): void;
  resume(): void;
  progress(): ReplayProgress;
  /** @throws Fault as `startReplay` lists them */
  readonly ended: Promise<Replayed>;
}
