// Switches the console to another profile: what must end first, what is lost, and what is kept.

import { Fault, interrupted, whole } from "#src/contract/fault.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { CommandLine } from "#src/state/command-line.ts";
import type { Checks } from "#src/state/check/checks.ts";
import type { Composer } from "#src/state/check/composer.ts";
import type { Composition } from "#src/state/check/draft.ts";
import type { Sweeps } from "#src/state/check/sweeps.ts";
import { hasText } from "#src/state/entry-form.ts";
import type { Registrations } from "#src/state/register/registrations.ts";
import type { UnsavedCredentials } from "#src/state/register/unsaved-credentials.ts";
import type { Replays } from "#src/state/replay/replays.ts";
import type { SentSoFar } from "#src/state/sent-count.ts";
import type { ScreenName } from "#src/state/page.ts";
import type { Session, Toast } from "#src/state/session.ts";
import type { Keyring } from "#src/state/vault/keyring.ts";
import type { ProfileDraft } from "./profiles-state.ts";

/** State that a rebuilt console takes over from the one before it. */
export interface SessionSnapshot {
  /** Name of the profile that the composition was made for. */
  readonly profile: string;
  /** What stood in the composer; null where it was not edited. */
  readonly composition: Composition | null;
  readonly drafts: Readonly<Record<string, ProfileDraft>>;
  readonly screen: ScreenName;
  /** Since when an audience watches; null while none does. */
  readonly presenter: number | null;
  readonly sent: SentSoFar;
  readonly messages: readonly Toast[];
  /** Ids of keys and projects, which may stand in the messages. */
  readonly ids: readonly string[];
}

/** What of a console can be under way, or hold what was typed. */
interface Parts {
  readonly checks: Checks;
  readonly replays: Replays;
  readonly sweeps: Sweeps;
  readonly unsavedCredentials: UnsavedCredentials;
  readonly registrations: Registrations;
  readonly keyring: Keyring;
  readonly commandLine: CommandLine;
}

/**
 * Resolves when the console may go over to another profile.
 * @throws Fault("usage") while something is under way, Fault("interrupted") where the user keeps what is typed
 */
export async function allowSwitch(session: Session, parts: Parts, name: string): Promise<void> {
  const why = whyNotSwitch(parts, session.keyName);
  if (why !== null) throw new Fault("usage", whole(why));
  await askTyped(session, typedElsewhere(parts), name);
}

/** What is under way and has to end before the profile can be another, in one sentence; null when nothing is. */
function whyNotSwitch(model: Parts, keyName: KeyName): string | null {
  if (model.unsavedCredentials.store.getState().waiting.length > 0)
    return "A credential is not saved yet; save or discard it first.";
  if (model.checks.store.getState().inFlight !== null)
    return `A check is under way; wait for its answer, or cancel it with ${keyName("shell.interrupt")}.`;
  if (model.replays.store.getState().live !== null)
    return `A replay is under way; wait for its end, or cancel it on its screen (${keyName("shell.replay")}).`;
  const { working, progress } = model.registrations.store.getState();
  const isAsking = Object.values(progress).some(({ kind }) => kind === "asking");
  if (working !== null || isAsking) return "A registration is under way; wait for its answer.";
  if (model.sweeps.store.getState().progress !== null)
    return `A sweep is under way; ${keyName("page.close")} on Check ends it.`;
  if (model.commandLine.store.getState().running)
    return `A command is running; wait for its end, or cancel it with ${keyName("shell.interrupt")}.`;
  const isBusy = model.keyring.store.getState().working !== null;
  return isBusy ? "The vault is being worked on; wait for its end." : null;
}

/** What is typed and would be lost by another profile, in a few words each. */
function typedElsewhere(model: Parts): readonly string[] {
  const { form, byHand } = model.registrations.store.getState();
  return [
    ...(hasText(form) ? ["the registration form"] : []),
    ...(byHand === null && model.keyring.store.getState().adding === null ? [] : ["the form of a key"]),
    ...(model.replays.store.getState().setup === null ? [] : ["the form of a new replay"]),
  ];
}

/**
 * Gives a new composer what stood in the one before it. On another profile it lies behind the undo key: what was made up
 * for a sandbox must not stand ready to be sent to a live service.
 */
export function takeComposition(
  composer: Composer,
  { profile, composition }: Pick<SessionSnapshot, "profile" | "composition">,
  own: string,
): void {
  if (composition === null) return;
  if (profile === own) composer.store.setState(composition);
  else
    composer.store.setState({
      before: { ...composition, sent: null, origin: composition.origin ?? profile },
    });
}

/** @throws Fault("interrupted") where the user would rather keep what is typed */
async function askTyped(session: Session, typed: readonly string[], name: string): Promise<void> {
  if (typed.length === 0) return;
  const agreed = await session.agree({
    text: `What is typed into ${typed.join(", ")} will be lost. Use the profile ${name} anyway?`,
    yes: "use it",
  });
  if (!agreed) throw interrupted`Nothing was changed.`;
}
