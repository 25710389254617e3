// Follows changes that other sessions make to the files of the same home.

import { isDeepStrictEqual } from "node:util";
import type { Context } from "#src/app/context.ts";
import { whyNotSend } from "#src/contract/records/profile.ts";
import { liftKeys } from "#src/state/check/checks-state.ts";
import type { Library } from "#src/state/check/library.ts";
import type { Registrations } from "#src/state/register/registrations.ts";
import type { Keyring } from "#src/state/vault/keyring.ts";
import { reportFaults } from "./report-faults.ts";
import type { Session } from "./session.ts";

/** The stores that show what lies on disk. */
export interface WatchingStores {
  readonly registrations: Pick<Registrations, "refresh">;
  readonly keyring: Pick<Keyring, "load">;
  readonly library: Pick<Library, "store" | "reload">;
}

/**
 * Follows the documents and payloads of the home until the signal; changes show within a second.
 * Never rejects: what cannot be opened is not followed.
 */
export async function watchOtherSessions(
  context: Context,
  session: Session,
  { registrations, keyring, library }: WatchingStores,
  signal: AbortSignal,
): Promise<void> {
  /** A vault that does not open is reported by the call that needs it. */
  const follow = async (watch: () => Promise<() => void>): Promise<void> => {
    if (signal.aborted) return;
    const stop = await watch().catch(() => null);
    if (signal.aborted) stop?.();
    else signal.addEventListener("abort", () => stop?.(), { once: true });
  };

  const profileChanged = async (): Promise<void> => {
    if (signal.aborted) return;
    const { profile } = context;
    const now = await reportFaults(session, async () => ({
      profile: await (await context.profiles()).get(profile.name),
    }));
    if (now === null || signal.aborted || isDeepStrictEqual(now.profile, profile)) return;
    const { readOnly, rolledBack } = now.profile ?? {};
    const bound = { ...(readOnly === true && { readOnly }), ...(rolledBack === true && { rolledBack }) };
    if (whyNotSend(profile) === null && whyNotSend({ ...profile, ...bound }) !== null) {
      // A restriction binds what is under way, too; what is allowed again waits until the profile is used again.
      Object.assign(profile, bound);
      session.say(whyNotSend(profile, liftKeys(session.keyName))!, "note");
      return;
    }
    session.say(
      now.profile === null
        ? `The profile ${profile.name} was removed in another session; this session still uses it.`
        : `The profile ${profile.name} was changed in another session; this session uses the old settings until you choose the profile again (${session.keyName("shell.profiles")}, then ${session.keyName("profiles.use")}).`,
      "note",
    );
  };

  await follow(async () => (await context.profiles()).watch(() => void profileChanged()));
  // Since this console has read it.
  await profileChanged();
  await follow(async () => (await context.projects()).watch(() => void registrations.refresh()));
  await follow(async () =>
    (await context.vault()).watch(() => {
      void keyring.load();
      void registrations.refresh();
    }),
  );
  await follow(async () =>
    (await context.payloads()).watch(() => {
      if (library.store.getState().open) void library.reload();
    }),
  );
}
