// Everything the console remembers, built once: one store a noun, all working through the actions.

import { join } from "node:path";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { createChecks, type Checks } from "#src/state/check/checks.ts";
import { createComposedPayload, type ComposedPayload } from "#src/state/check/composed-payload.ts";
import { createComposer, type Composer } from "#src/state/check/composer.ts";
import { createLibrary, type Library } from "#src/state/check/library.ts";
import { createSendBrake, type SendBrake } from "#src/state/check/send-brake.ts";
import { createSigningView, type SigningView } from "#src/state/check/signing-view.ts";
import { createSweeps, type Sweeps } from "#src/state/check/sweeps.ts";
import { createWhatIf, type WhatIfView } from "#src/state/check/what-if.ts";
import { createHistoryView, type HistoryView } from "#src/state/history/history-view.ts";
import { followHistory } from "#src/state/history/live-history.ts";
import type { ProfileBook } from "#src/state/profiles/profiles-state.ts";
import { createProfileBook } from "#src/state/profiles/profiles.ts";
import {
  askTyped,
  askUnsaved,
  NOTHING_SENT,
  takeComposition,
  touched,
  typedElsewhere,
  whyNotSwitch,
  type Carried,
  type SentSoFar,
} from "#src/state/profiles/switching.ts";
import { LOOKING, prepareProject } from "#src/state/register/prepare-project.ts";
import { createRegistrations, type Registrations } from "#src/state/register/registrations.ts";
import { createRescue, type Rescue } from "#src/state/register/rescue.ts";
import { createReplays, type Replays } from "#src/state/replay/replays.ts";
import { createConditions, type Conditions } from "#src/state/sandbox/conditions.ts";
import { createDemoStage, type DemoStage, type OpenEphemeral } from "#src/state/sandbox/demo.ts";
import { createRules, type Rules } from "#src/state/sandbox/rules.ts";
import { createKeyring, type Keyring } from "#src/state/vault/keyring.ts";
import { createSecretCopy, type SecretCopy, type TerminalClipboard } from "#src/state/vault/secret-copy.ts";
import { createVaultActions, type VaultActions } from "#src/state/vault/vault-actions.ts";
import { createVaultLock, hasPassphrase, type VaultLock } from "#src/state/vault/vault-lock.ts";
import { watchOtherSessions } from "./other-sessions.ts";
import { createSession, type Session } from "./session.ts";
import type { After } from "./timers.ts";

export interface ConsoleModel {
  readonly context: Context;
  readonly ascii: boolean;
  /** Local wall time in ms since the epoch. */
  now(): Milliseconds;
  readonly session: Session;
  readonly checks: Checks;
  readonly composer: Composer;
  readonly brake: SendBrake;
  readonly composed: ComposedPayload;
  readonly library: Library;
  readonly signing: SigningView;
  readonly whatIf: WhatIfView;
  readonly sweeps: Sweeps;
  readonly registrations: Registrations;
  readonly keyring: Keyring;
  readonly vaultLock: VaultLock;
  readonly vaultActions: VaultActions;
  readonly copies: SecretCopy;
  readonly rescue: Rescue;
  readonly history: HistoryView;
  readonly replays: Replays;
  readonly rules: Rules;
  readonly conditions: Conditions;
  readonly demo: DemoStage;
  readonly profiles: ProfileBook;
  /**
   * Loads what is on disk and makes a project ready. To be called after the first frame; never rejects. After `close` it
   * opens nothing more.
   */
  start(): Promise<void>;
  /** Locks the vault and empties the clipboard of a secret: before the terminal is given to others, and on every way out. */
  secure(): void;
  /** Enters presenter mode, or leaves it: nothing personal is shown meanwhile, and nothing stays in the open. */
  present(): void;
  /** What a console that is built anew takes over. */
  carry(): Carried;
  /** Stops what is under way and gives back what was opened. */
  close(): Promise<void>;
  /** One sentence for the shell that the user comes back to. */
  summary(): string;
}

export interface ConsoleModelOptions {
  readonly now: () => Milliseconds;
  readonly ascii: boolean;
  /** Leaves the console. */
  readonly quit: () => void;
  /** The clipboard of the terminal; none unless told. */
  readonly clipboard?: TerminalClipboard;
  /** Runs something later and returns how to call that off; real timers unless told. */
  readonly after?: After;
  /** Builds the console anew on another profile, or on this one as it is stored now; with `keep` for commands, too. */
  readonly onUse?: (name: string, keep: boolean) => Promise<void>;
  /** For the decks; without it none can be shown. */
  readonly openEphemeral?: OpenEphemeral;
  /** From the console before this one. */
  readonly carried?: Carried;
}

const noEphemeral: OpenEphemeral = () =>
  Promise.reject(new Error("This console was given no way to open a deck's sandbox."));

/** Builds the model; touches no file and no network before `start`. */
export function createConsoleModel(context: Context, options: ConsoleModelOptions): ConsoleModel {
  const { now, ascii } = options;
  const stopping = new AbortController();
  const { carried = null } = options;
  const session = createSession({ quit: () => askUnsaved(session, profiles, options.quit) });
  const timers = options.after === undefined ? {} : { after: options.after };
  const vaultLock = createVaultLock(context, session, timers);
  const copies = createSecretCopy(session, options.clipboard, options.after);
  const checks = createChecks(context, session, vaultLock);
  const composer = createComposer(context, session, checks);
  const brake = createSendBrake(session, checks, now);
  const library = createLibrary(context, session, composer);
  const composed = createComposedPayload(context, session, composer);
  const whatIf = createWhatIf(context, session, composer);
  const sweeps = createSweeps(context, session, composer, vaultLock);
  const rescue = createRescue(session, vaultLock, {
    ...timers,
    onSaved: (project) => registrations.saved(project),
    onSetAside: (key, why) => registrations.setAside(key, why),
  });
  const registrations = createRegistrations(context, session, {
    lock: vaultLock,
    onUnsaved: (unsaved) => rescue.add(unsaved),
  });
  const keyring = createKeyring(context, session, {
    ...timers,
    lock: vaultLock,
    copies,
    onChecked: () => void checks.load(),
  });
  const vaultActions = createVaultActions(context, session, vaultLock, keyring);
  const stopGuarding = guardVault(session, { vaultLock, keyring, copies, rescue });
  const replays = createReplays(context, session);
  const history = createHistoryView(context, session, { composer, replays, checks: checks.store });
  const rules = createRules(context, session);
  const conditions = createConditions(context, session, composer);
  const demo = createDemoStage(options.openEphemeral ?? noEphemeral, session);
  const signing = createSigningView(
    context,
    session,
    { composer, checks },
    { copy: (text) => copies.copy(text) },
  );
  const profiles = createProfileBook(context, session, {
    drafts: carried?.drafts ?? {},
    onUse: async (name, keep) => {
      const parts = { checks, replays, sweeps, rescue, registrations, keyring, vaultActions, copies };
      const why = whyNotSwitch(parts);
      if (why !== null) throw new Fault("usage", why);
      if (options.onUse === undefined)
        throw new Fault("usage", "Leave and open verdict with --profile instead.");
      await askTyped(session, typedElsewhere(parts), name);
      await options.onUse(name, keep);
    },
  });
  const begun = composer.store.getState();
  if (carried !== null) {
    takeComposition(composer, carried, context.profile.name);
    session.go(carried.screen);
    session.setPresenter(carried.presenter);
  }
  const before = carried?.sent ?? NOTHING_SENT;
  let sent = 0;
  const sentSoFar = (): SentSoFar => {
    const { items, partial } = replays.sent();
    return { checks: before.checks + sent, items: before.items + items, partial: partial ?? before.partial };
  };
  const stopCounting = checks.store.subscribe((state, before) => {
    if (state.latest === null || state.latest.id === before.latest?.id) return;
    session.showHint(false);
    void conditions.refresh();
    if (state.latest.result?.outcome !== "not_sent") sent += 1;
  });

  let stopFollowing = (): void => undefined;
  let stopWatching = (): void => undefined;
  const loadChecks = async (): Promise<void> => {
    await checks.load();
    // Whoever has sent a check knows how.
    if (checks.store.getState().entries.length === 0) session.showHint(true);
  };

  return {
    context,
    ascii,
    now,
    session,
    checks,
    composer,
    brake,
    composed,
    library,
    signing,
    whatIf,
    sweeps,
    registrations,
    keyring,
    vaultLock,
    vaultActions,
    copies,
    rescue,
    history,
    replays,
    rules,
    conditions,
    demo,
    profiles,
    carry: () => ({
      profile: context.profile.name,
      composition: touched(composer, begun),
      drafts: profiles.store.getState().drafts,
      screen: session.store.getState().screen,
      presenter: session.store.getState().presenter,
      sent: sentSoFar(),
    }),
    async start() {
      // Until it has been looked for, nobody may say that there is none.
      session.setBusy(LOOKING);
      stopFollowing = followHistory(context, async () => {
        await checks.load();
        if (session.store.getState().screen === "history") await history.load();
      });
      // One after the other: what the user looks at first must not wait for the client of the network to be loaded.
      const steps: readonly (() => Promise<unknown>)[] = [
        loadChecks,
        // Known before anything is fetched by itself, which must not ask for a passphrase.
        () => vaultLock.load(),
        () => signing.load(),
        () =>
          Promise.all([
            watchOtherSessions(context, session, { registrations, keyring, library }, stopping.signal),
            prepareProject(context, session, registrations, stopping.signal),
          ]),
        () => openSandbox(context),
      ];
      for (const step of steps) {
        await step();
        // What was opened from here on, nobody would give back.
        if (stopping.signal.aborted) return;
      }
      stopWatching = conditions.watch();
    },
    secure() {
      vaultLock.lock();
      copies.clear();
      keyring.hide();
      rescue.hide();
    },
    present() {
      const isEntered = session.store.getState().presenter === null;
      if (isEntered) {
        keyring.hide();
        rescue.hide();
        signing.close();
        session.dismissToasts();
      }
      session.setPresenter(isEntered ? now() : null);
    },
    async close() {
      copies.clear();
      stopping.abort();
      stopFollowing();
      stopWatching();
      stopCounting();
      signing.end();
      checks.cancel();
      const replayEnded = replays.close();
      const sweepEnded = sweeps.end();
      // An answer that comes in time is kept; what hangs is cut with the network below, and kept as unknown.
      await Promise.all([
        checkEnded(checks),
        soon(replayEnded, LAST_ANSWERS_MS),
        soon(sweepEnded, LAST_ANSWERS_MS),
        demo.close(),
      ]);
      session.close();
      keyring.close();
      rescue.close();
      stopGuarding();
      await registrations.close();
      vaultLock.lock();
      vaultLock.close();
      await context.close();
      await replayEnded;
    },
    summary() {
      const soFar = sentSoFar();
      const { checks: count } = soFar;
      const checksSent = count === 0 ? "No check was" : count === 1 ? "1 check was" : `${count} checks were`;
      const place = safe(join(context.home.data, "history.db"), { max: 1_000 });
      const line = `${checksSent} sent in this session; the history is kept in ${place}.`;
      const replayed = replayedText(soFar, join(context.home.data, "runs"));
      return [line, ...(replayed === null ? [] : [replayed]), ...rescue.lost()].join("\n");
    },
  };
}

/** What follows from the lock: opening Vault asks for the passphrase, and locking leaves nothing of a secret anywhere. */
function guardVault(
  session: Session,
  parts: Pick<ConsoleModel, "vaultLock" | "keyring" | "copies" | "rescue">,
): () => void {
  const { vaultLock, keyring, copies, rescue } = parts;
  const stopLooking = session.store.subscribe(({ screen }, before) => {
    if (screen === "vault" && before.screen !== "vault" && !vaultLock.isOpen()) void vaultLock.open();
  });
  const stopFollowing = vaultLock.store.subscribe((state, before) => {
    if (state.locked === before.locked || !hasPassphrase(state)) return;
    if (state.locked) {
      keyring.conceal();
      rescue.hide();
      copies.clear();
    }
    if (keyring.store.getState().loaded) void keyring.load();
  });
  return () => {
    stopLooking();
    stopFollowing();
  };
}

/**
 * Starts or joins the sandbox where that is the service: its clock may have been moved, which is to be seen before the
 * first check. What goes wrong is said by the first call that needs it.
 */
async function openSandbox(context: Context): Promise<void> {
  if (context.profile.environment === "SANDBOX") await context.service().catch(() => undefined);
}

/** How long leaving waits for answers that are under way: long enough for a service that answers at all. */
const LAST_ANSWERS_MS = 200;

/** Resolves when something has ended, or when that takes longer. */
async function soon(ending: Promise<void>, longest: Milliseconds): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longest);
  });
  await Promise.race([ending, late]);
  clearTimeout(timer);
}

/** What replays have sent in this session, and how to go on with one that was not finished; null for none. */
function replayedText({ items, partial }: SentSoFar, folder: string): string | null {
  if (items === 0 && partial === null) return null;
  const place = safe(folder, { max: 1_000 });
  const rest =
    partial === null ? "" : ` One is unfinished: "verdict replay --continue ${partial}" goes on with it.`;
  return `Replays sent ${counted(items, "check")}; the runs are kept in ${place}.${rest}`;
}

/** Resolves when no check is under way: what is known of it is on disk then. */
function checkEnded({ store }: Checks): Promise<void> {
  return new Promise((resolve) => {
    if (store.getState().inFlight === null) return resolve();
    const stop = store.subscribe(({ inFlight }) => {
      if (inFlight !== null) return;
      stop();
      resolve();
    });
  });
}
