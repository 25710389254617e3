// Sentences about a replay before it starts, while it runs and when it has ended. Pure.

import type { AmountUnit } from "#src/contract/records/profile.ts";
import { counted, formatCount } from "#src/display/count.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { formatMoney } from "#src/display/money.ts";
import type { Agreement } from "#src/state/session.ts";
import type { LiveReplay } from "./replays-state.ts";
import type { Replayed } from "./replay-engine.ts";
import type { PreflightState } from "./source-preflight.ts";

/** Currencies listed in a sentence. */
const CURRENCIES_SAID = 3;

/** What is about to be sent: `Send 40 checks worth 1 200.00 UAH`. */
export function batchSummary(preflight: PreflightState | null, unit: AmountUnit): string {
  if (preflight?.state !== "done") return "Send every check of the source";
  const { items, money } = preflight.preflight;
  const sums = money.slice(0, CURRENCIES_SAID).map((sum) => formatMoney(sum.amount, sum.currency, unit));
  const more = money.length > sums.length ? " and more" : "";
  return `Send ${counted(items, "check")}${sums.length === 0 ? "" : ` worth ${sums.join(", ")}${more}`}`;
}

/** The line that other screens show. */
export function busyText({ progress }: LiveReplay, keyName: KeyName): string {
  if (progress === null) return "Replay: starting.";
  const { state } = progress;
  const word = state === "running" ? "Replay" : state === "paused" ? "Replay paused" : "Replay stopping";
  return `${word}${doneText({ progress })}; ${keyName("shell.replay")} shows it.`;
}

/** `: 12 items, 30 %`; empty before the first is known. */
export function doneText({ progress }: Pick<LiveReplay, "progress">): string {
  if (progress === null) return "";
  const { summary, fraction } = progress;
  const share = fraction === null ? "" : `, ${Math.floor(fraction * 100)} %`;
  return `: ${counted(summary.counts.total, "item")}${share}`;
}

export function askLeave({ progress, isIsolated }: LiveReplay): Agreement {
  const done = progress === null ? "" : ` ${counted(progress.summary.counts.total, "item")} done so far.`;
  const after = isIsolated ? "its sandbox is removed" : "you can continue the run later";
  return {
    text: `No new items are sent, verdict waits for the open answers, and ${after}.${done} Cancel the replay?`,
    yes: "cancel the replay",
  };
}

/** @param elsewhere true while another screen is shown: the sentence then names the key of Replay */
export function endedText(replayed: Replayed, elsewhere: boolean, keyName: KeyName): string {
  const { info, stopped, notSaved } = replayed;
  const items = info.summary === null ? "" : ` with ${counted(info.summary.counts.total, "item")}`;
  const where = elsewhere ? `; ${keyName("shell.replay")} shows it` : "";
  const goesOn = info.isolated === undefined ? `; ${keyName("replay.goOn")} continues it` : "";
  if (notSaved !== null) return `The replay stopped${items}: ${notSaved.message}`;
  if (stopped === "cancelled") return `The replay is cancelled${items}${where}${goesOn}.`;
  if (stopped === "tripped") {
    return `The replay stopped${items}, because several checks in a row got no verdict${where}${goesOn}.`;
  }
  const unsent = info.summary?.counts.notSent ?? 0;
  const again = info.isolated === undefined ? `, and ${keyName("replay.goOn")} tries them again` : "";
  const rest = unsent === 0 ? "" : `; ${formatCount(unsent)} could not be sent${again}`;
  return `The replay is done${items}${rest}${where}.`;
}
