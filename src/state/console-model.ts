// The state of the whole console: creates one store per noun and connects them.

import type { Context } from "#src/app/context.ts";
import type { OpenEphemeral } from "#src/app/ephemeral.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { usage } from "#src/contract/fault.ts";
import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import type { OwnCommand } from "#src/contract/records/own-command.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Ascii } from "#src/display/sign.ts";
import { lastLost } from "#src/state/check/checks-state.ts";
import { createChecks } from "#src/state/check/checks.ts";
import { createComposedPayload } from "#src/state/check/composed-payload.ts";
import { createComposer } from "#src/state/check/composer.ts";
import { createDraftKeeping, touched } from "#src/state/check/draft-keeping.ts";
import { createDividers } from "./dividers.ts";
import { createKnownIds } from "./known-ids.ts";
import { sendingEnded } from "./last-answers.ts";
import { askBeforeLeaving } from "./leaving.ts";
import { createLibrary } from "#src/state/check/library.ts";
import { createSendBrake } from "#src/state/check/send-brake.ts";
import { createSigningView } from "#src/state/check/signing-view.ts";
import { createSweeps } from "#src/state/check/sweeps.ts";
import { createWhatIf } from "#src/state/check/what-if.ts";
import { createHistoryView } from "#src/state/history/history-view.ts";
import { createLabels } from "#src/state/history/labels.ts";
import { followHistory } from "#src/state/history/live-history.ts";
import { createProfileBook } from "#src/state/profiles/profiles.ts";
import { allowSwitch, takeComposition, type SessionSnapshot } from "#src/state/profiles/switching.ts";
import { LOOKING, prepareProject } from "#src/state/register/prepare-project.ts";
import { createProjectSwitch } from "#src/state/register/project-switch.ts";
import { createRegistrations } from "#src/state/register/registrations.ts";
import { createUnsavedCredentials } from "#src/state/register/unsaved-credentials.ts";
import { replayEngine } from "#src/state/replay/replay-engine.ts";
import { createReplays } from "#src/state/replay/replays.ts";
import { createConditions } from "#src/state/sandbox/conditions.ts";
import { createDemoStage } from "#src/state/sandbox/demo.ts";
import type { OpenNotes } from "#src/state/sandbox/notes-teller.ts";
import { createJournal } from "#src/state/sandbox/journal.ts";
import { createRuleTuning } from "#src/state/sandbox/rule-tuning.ts";
import { createRules } from "#src/state/sandbox/rules.ts";
import { createKeyring } from "#src/state/vault/keyring.ts";
import { createSecretCopy, type TerminalClipboard } from "#src/state/vault/secret-copy.ts";
import { createVaultLock, hasPassphrase } from "#src/state/vault/vault-lock.ts";
import { createCommandLine, type LineProgram } from "./command-line.ts";
import { watchOtherSessions } from "./other-sessions.ts";
import { countSent, NOTHING_SENT, sentText } from "./sent-count.ts";
import type { LookStore } from "./look.ts";
import { noticeEnds } from "./notices.ts";
import { createOwnCommands } from "./own-commands.ts";
import { createRecording, type ScreenRecorder } from "./recording.ts";
import { createSession, type Session } from "./session.ts";
import { afterTimeout, type After } from "./timers.ts";
import { createVerbs } from "./verbs.ts";

export interface ConsoleModelOptions {
  readonly keyName: KeyName;
  readonly now: () => Milliseconds;
  readonly ascii: Ascii;
  /** The user's own; none by default. */
  readonly commands?: readonly OwnCommand[];
  /** Opens in presenter mode. */
  readonly presenter?: boolean;
  /** Leaves the console. */
  readonly quit: () => void;
  /** The theme in force; none where no other one can be chosen, because the terminal has no colours. */
  readonly look?: LookStore;
  /** Calls the user back when something long has ended; nothing does by default. */
  readonly notify?: (text: string) => void;
  /** The clipboard of the terminal; none by default. */
  readonly clipboard?: TerminalClipboard;
  /** Records the screen; nothing does by default. */
  readonly recorder?: ScreenRecorder;
  /** Schedules a callback and returns how to cancel it; real timers by default. */
  readonly after?: After;
  /** Rebuilds the console on another profile, or on this one as it is stored now; with `keep` it becomes the profile of later commands, too. */
  readonly onUse?: (name: string, keep: boolean) => Promise<void>;
  /** For decks and isolated replays; without it there are none. */
  readonly openEphemeral?: OpenEphemeral;
  /** For those who follow a deck on a second terminal; nobody can without it. */
  readonly openNotes?: OpenNotes;
  /** Runs command lines; none are run by default. */
  readonly commandLine?: LineProgram;
  /** State of the console before this one. */
  readonly snapshot?: SessionSnapshot;
}

const noEphemeral: OpenEphemeral = () =>
  Promise.reject(new Error("This console cannot open a temporary sandbox."));

/** Builds the model; touches no file and no network before `start`. */
export function createConsoleModel(context: Context, options: ConsoleModelOptions) {
  const { now, ascii } = options;
  const stopping = new AbortController();
  const { snapshot = null, openEphemeral = noEphemeral, after = afterTimeout } = options;
  const session = createSession({
    keyName: options.keyName,
    quit: () => void askBeforeLeaving(session, model, options.quit),
    now,
    topics: () => ({ composed: composer.toRequest(), ids: knownIds() }),
    messages: snapshot?.messages ?? [],
  });
  const vaultLock = createVaultLock(context, session, after);
  const copies = createSecretCopy(session, options.clipboard, after);
  const checks = createChecks(context, session, vaultLock);
  const composer = createComposer(context, session, checks);
  const brake = createSendBrake({ profile: context.profile, now }, session, checks);
  const library = createLibrary(context, session, composer);
  const sweeps = createSweeps(context, session, composer, vaultLock);
  const unsavedCredentials = createUnsavedCredentials(session, vaultLock, {
    after,
    onSaved: (project) => registrations.saved(project),
    onSetAside: (key, why) => registrations.setAside(key, why),
  });
  const registrations = createRegistrations(context, session, {
    lock: vaultLock,
    onUnsaved: (unsaved) => unsavedCredentials.add(unsaved),
  });
  const currencyOf = (wanted: string | null): number | null =>
    registrations.store.getState().projects.find(({ key }) => key === wanted)?.currency ?? null;
  const projects = createProjectSwitch(context, session, (former, project) => {
    const currency = currencyOf(project);
    return composer.takeCurrency(currencyOf(former), currency) ? currencyLetters(currency!) : null;
  });
  const keyring = createKeyring(context, session, {
    after,
    lock: vaultLock,
    copies,
    onChecked: () => void checks.load(),
  });
  const stopGuarding = guardVault(session, { vaultLock, keyring, copies, unsavedCredentials });
  const replays = createReplays(context, session, replayEngine(context, openEphemeral));
  const history = createHistoryView(context, session, { composer, replays, copies, checks: checks.store });
  const labels = createLabels(context, session);
  const knownIds = createKnownIds(
    { session, checks, history, keyring, projects, unsavedCredentials },
    snapshot?.ids ?? [],
  );
  const conditions = createConditions(context, session);
  const demo = createDemoStage(openEphemeral, session, {
    after,
    now,
    openNotes: options.openNotes,
    onLeft: () => model.keepPresenting(),
  });
  const recording = options.recorder === undefined ? null : createRecording(session, demo, options.recorder);
  const enterPresenter = (said: string): void => {
    keyring.hide();
    unsavedCredentials.hide();
    session.dismissToasts();
    session.say(`${said}; ${session.keyName("shell.presenter")} leaves it.`, "note");
    session.setPresenter(now());
  };
  const signing = createSigningView(context, session, { composer, checks }, copies);
  const profiles = createProfileBook(context, session, {
    drafts: snapshot?.drafts ?? {},
    onUse: async (name, keep) => {
      if (options.onUse === undefined) throw usage`Leave and open verdict with --profile instead.`;
      await allowSwitch(session, model, name);
      recording?.endAndSay();
      await options.onUse(name, keep);
    },
  });
  const commandLine = createCommandLine(context, session, {
    lock: vaultLock,
    program: options.commandLine,
    after,
    // What other processes change is followed, but for these.
    onEnd: () =>
      Promise.all([
        vaultLock.load(),
        keyring.load(),
        conditions.refresh(),
        profiles.load(),
        replays.load(),
        labels.reload(),
      ]),
  });
  const begun = composer.store.getState();
  const drafts = createDraftKeeping(context, session, composer, after);
  if (options.presenter === true) session.setPresenter(now());
  if (snapshot !== null) {
    takeComposition(composer, snapshot, context.profile.name);
    session.go(snapshot.screen);
    session.setPresenter(snapshot.presenter);
  }
  const counter = countSent(checks.store, replays, snapshot?.sent ?? NOTHING_SENT);
  const stopNotices = noticeEnds(
    replays.store,
    registrations.store,
    now,
    options.notify ?? (() => undefined),
  );
  const stopRefreshing = checks.store.subscribe(({ latest }, before) => {
    if (latest === null || latest.id === before.latest?.id) return;
    void conditions.refresh();
  });

  const rules = createRules(context, session);
  const model = {
    context,
    ascii,
    /** Local wall time in ms since the epoch. */
    now,
    session,
    /** What the palette does beside keys and commands. */
    verbs: createVerbs(
      context,
      session,
      { checks, composer, history, library, profiles, projects, recording, registrations, sweeps },
      options.look,
    ),
    commandLine,
    dividers: createDividers(context, session),
    ownCommands: createOwnCommands(context.profile, session, options.commands ?? []),
    checks,
    composer,
    brake,
    composed: createComposedPayload(context, session, composer),
    library,
    signing,
    whatIf: createWhatIf(context, session, composer),
    sweeps,
    projects,
    registrations,
    keyring,
    vaultLock,
    copies,
    unsavedCredentials,
    history,
    labels,
    replays,
    rules,
    tuning: createRuleTuning(context, session, rules),
    conditions,
    journal: createJournal(context),
    demo,
    /** Null where there is no screen to record. */
    recording,
    profiles,
    /** State for a console that is rebuilt. */
    snapshot: (): SessionSnapshot => ({
      profile: context.profile.name,
      composition: touched(composer, begun),
      drafts: profiles.store.getState().drafts,
      screen: session.store.getState().screen,
      presenter: session.store.getState().presenter,
      sent: counter.soFar(),
      messages: session.store.getState().messages,
      ids: knownIds(),
    }),
    /**
     * Loads what is on disk and makes a project ready. To be called after the first frame; never rejects. After `close` it
     * opens nothing more.
     */
    async start(): Promise<void> {
      // What stood in the console before this one goes first.
      const isComposed = (snapshot?.composition ?? null) !== null;
      await startConsole(model, isComposed ? null : drafts.restore, stopping.signal);
    },
    /** Locks the vault and empties the clipboard of a secret: before the terminal is given to others, and on every way out. */
    secure() {
      vaultLock.lock();
      copies.clear();
      keyring.hide();
      unsavedCredentials.hide();
    },
    /** Enters presenter mode, or leaves it: personal data is masked, and revealed secrets are hidden. */
    present() {
      const isEntered = session.store.getState().presenter === null;
      if (isEntered) return enterPresenter("Presenter mode: personal data is masked");
      session.say("Presenter mode is off; personal data is shown.", "note");
      // Last: what ends with the mode is said after it.
      session.setPresenter(null);
    },
    /** The audience of a deck still looks when it has ended. */
    keepPresenting() {
      if (session.store.getState().presenter === null)
        enterPresenter("Presenter mode stays on after a deck: personal data is masked");
    },
    /** Stops what is under way and closes what was opened. */
    async close() {
      copies.clear();
      stopping.abort();
      stopRefreshing();
      stopNotices();
      signing.end();
      checks.cancel();
      commandLine.cancel();
      const replayEnded = replays.close();
      const draftKept = drafts.end();
      await Promise.all([sendingEnded(checks, replayEnded, sweeps.end()), model.tuning.end(), demo.close()]);
      counter.stop();
      session.close();
      keyring.close();
      unsavedCredentials.close();
      stopGuarding();
      await registrations.close();
      vaultLock.lock();
      vaultLock.close();
      await draftKept;
      await model.dividers.end();
      await context.close();
      await replayEnded;
    },
    /** One sentence for the shell that the user comes back to. */
    summary: () => [...sentText(counter.soFar(), context.home.data), ...unsavedCredentials.lost()].join("\n"),
  };
  return model;
}

export type ConsoleModel = ReturnType<typeof createConsoleModel>;

/**
 * Loads what is on disk, makes a project ready and follows changes, until the signal. Never rejects.
 * @param restoreDraft puts the draft of an earlier session into the composer; null where the composer is filled already
 */
async function startConsole(
  model: ConsoleModel,
  restoreDraft: ((lost: HistoryEntry | null) => Promise<void>) | null,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { context, session, checks, history, projects, registrations, ascii } = model;
  // Until a project has been looked for, no screen may say that there is none.
  session.setBusy(LOOKING);
  const stopFollowing = followHistory(context, async () => {
    await checks.load();
    if (session.store.getState().screen === "history") await history.load();
  });
  signal.addEventListener("abort", stopFollowing, { once: true });
  // In sequence: the first screen must not wait for the network client to be loaded.
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      await checks.load();
      await restoreDraft?.(lastLost(checks.store.getState()));
      checks.showLost();
    },
    // Before any credential is fetched by itself: that must not ask for a passphrase.
    () => model.vaultLock.load(),
    () => Promise.all([model.signing.load(), model.dividers.load()]),
    () =>
      Promise.all([
        watchOtherSessions(context, session, model, signal),
        prepareProject(
          context,
          session,
          registrations,
          { projects, entries: checks.store.getState().entries, ascii },
          signal,
        ),
      ]),
    () => openSandbox(context),
  ];
  for (const step of steps) {
    await step();
    // What is opened after the end would never be closed.
    if (signal.aborted) return;
  }
  signal.addEventListener("abort", model.conditions.watch(), { once: true });
}

/** What follows from the lock: opening Vault asks for the passphrase, and locking leaves nothing of a secret anywhere. */
function guardVault(
  session: Session,
  parts: Pick<ConsoleModel, "vaultLock" | "keyring" | "copies" | "unsavedCredentials">,
): () => void {
  const { vaultLock, keyring, copies, unsavedCredentials } = parts;
  const stopLooking = session.store.subscribe(({ screen }, before) => {
    if (screen === "vault" && before.screen !== "vault" && !vaultLock.isOpen()) void vaultLock.open();
  });
  const stopFollowing = vaultLock.store.subscribe((state, before) => {
    if (state.locked === before.locked || !hasPassphrase(state)) return;
    if (state.locked) {
      keyring.conceal();
      unsavedCredentials.hide();
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
 * first check. A failure is reported by the first call that needs it.
 */
async function openSandbox(context: Context): Promise<void> {
  if (context.profile.environment === "SANDBOX") await context.service().catch(() => undefined);
}
