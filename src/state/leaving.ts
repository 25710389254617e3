// Asks before the console is left: what is under way and ends with it, and what is typed and not saved.

import type { KeyName } from "#src/display/key-name.ts";
import type { Sweeps } from "#src/state/check/sweeps.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";
import type { ProfileBook } from "#src/state/profiles/profiles.ts";
import type { Registrations } from "#src/state/register/registrations.ts";
import { doneText } from "#src/state/replay/replay-words.ts";
import type { Replays } from "#src/state/replay/replays.ts";
import type { RuleTuning } from "#src/state/sandbox/rule-tuning.ts";
import type { Session } from "#src/state/session.ts";
import type { CommandLine } from "./command-line.ts";
import type { Keyring } from "#src/state/vault/keyring.ts";

/** What of a console can be under way, or hold what was typed. */
export interface Leavable {
  readonly replays: Pick<Replays, "store">;
  readonly sweeps: Pick<Sweeps, "store">;
  readonly tuning: Pick<RuleTuning, "store">;
  readonly history: Pick<HistoryView, "isExporting">;
  readonly registrations: Pick<Registrations, "store">;
  readonly keyring: Pick<Keyring, "store">;
  readonly commandLine: Pick<CommandLine, "store">;
  readonly profiles: Pick<ProfileBook, "unsaved">;
}

/** Leaves; where something is under way or not saved, after the user's yes to one question. */
export async function askBeforeLeaving(session: Session, parts: Leavable, quit: () => void): Promise<void> {
  const working = underWay(parts, session.keyName);
  const unsaved = parts.profiles.unsaved();
  const reasons = [
    ...working,
    ...(working.length === 0 ? [] : ["Leaving stops that."]),
    ...(unsaved.length === 0 ? [] : [`What you typed for ${unsaved.join(", ")} is not saved.`]),
  ];
  const question = { text: `${reasons.join(" ")} Leave anyway?`, yes: "leave" };
  if (reasons.length === 0 || (await session.agree(question))) quit();
}

/** A sentence for each thing that would be stopped. The wait for a credential is none: the next console goes on with it. */
function underWay(parts: Leavable, keyName: KeyName): readonly string[] {
  const { live } = parts.replays.store.getState();
  const { working, progress } = parts.registrations.store.getState();
  const isAsking = Object.values(progress).some(({ kind }) => kind === "asking");
  const later = `; ${keyName("replay.goOn")} on Replay continues it later`;
  return [
    ...(live === null ? [] : [`A replay is under way${doneText(live)}${live.isIsolated ? "" : later}.`]),
    ...(parts.sweeps.store.getState().progress === null ? [] : ["A sweep is under way."]),
    ...(parts.tuning.store.getState().progress === null ? [] : ["Values of a rule are being tried."]),
    ...(parts.history.isExporting() ? ["An export of the history is under way."] : []),
    ...(working === null && !isAsking ? [] : ["A registration is under way."]),
    ...(parts.keyring.store.getState().working === null ? [] : ["A vault operation is in progress."]),
    ...(parts.commandLine.store.getState().running ? ["A command is running."] : []),
  ];
}
