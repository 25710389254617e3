// Projects on their way to a credential: the registration form, the 24 hours of each project, and the polite requests.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { CredentialOutcome } from "#src/actions/register/fetch-credential.ts";
import { register } from "#src/actions/register/register.ts";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { projectKey, type Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { keyName } from "#src/display/key-name.ts";
import {
  enterText,
  firstWrong,
  focusOn,
  moveFocus,
  pressKey,
  SUBMIT,
  whatIsWrong,
  withoutSecrets,
  type EntryForm,
} from "#src/state/entry-form.ts";
import { guarded } from "#src/state/guarded.ts";
import { createServiceClock, type ClockedContext } from "#src/state/sandbox/service-clock.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { projectCredentialForm, saveCredential } from "#src/state/vault/key-forms.ts";
import { keptText } from "#src/state/vault/keyring.ts";
import { isOpened, type VaultLock } from "#src/state/vault/vault-lock.ts";
import { createCredentialFetches, whyNotReady, type FetchProgress } from "./credential-fetches.ts";
import { projectWindow, type ProjectWindow } from "./project-window.ts";
import { createRegistrationForm, registrationRequest } from "./registration-form.ts";

export interface RegistrationsState {
  readonly form: EntryForm;
  /** The form for a credential from the administrative panel, while it is open in place of the registration. */
  readonly byHand: { readonly project: Project; readonly form: EntryForm } | null;
  /** Key of the project that is being registered or saved now; null while none is. */
  readonly working: string | null;
  /** The last registered first. */
  readonly projects: readonly Project[];
  readonly selectedKey: string | null;
  /** What the credential request of a project is doing, by its key. */
  readonly progress: Readonly<Record<string, FetchProgress>>;
  /** The service's time at the last tick, in ms since the epoch; null until it is known. */
  readonly now: Milliseconds | null;
}

export interface Registrations {
  readonly store: StoreApi<RegistrationsState>;
  /** Reads the projects and goes on fetching where an earlier run left off. Never rejects. */
  load(): Promise<void>;
  /** Reads the projects again, e.g. after another session has changed them. Never rejects. */
  refresh(): Promise<void>;
  /** The screen is shown: countdowns tick, and the clock of a sandbox is followed. @returns to be called when it is left */
  watch(): () => void;
  /** Moves the focus in the open form. */
  move(delta: 1 | -1): void;
  /** A key for the field in focus; false when it has no use for it. */
  key(name: string): boolean;
  /** Typed or pasted text for the field in focus. */
  enter(text: string): void;
  /** Enter: the next field, or what the button does. */
  submit(): Promise<void>;
  /** Esc: from a field to the button, from there out of the form by hand. False when there is nothing to leave. */
  leave(): boolean;
  select(move: number | "first" | "last"): void;
  /** Asks for the credential of the selected project now. */
  fetchNow(): void;
  /** A credential that could not be saved is in the vault after all. */
  saved(project: Project): void;
  /** A credential that could not be saved is somewhere else now, or nowhere. */
  setAside(key: string, why: string): void;
  /** Opens the form by hand for the selected project. */
  enterByHand(): void;
  /** Stops everything; resolves when nothing is under way any more. */
  close(): Promise<void>;
}

export interface RegistrationsOptions {
  /** Runs something later and returns how to call that off; real timers unless told. */
  readonly after?: After;
  /** ms of a clock that only goes forward */
  readonly steady?: () => Milliseconds;
  /** While it is locked nothing is fetched by itself. Without it the vault is taken for open. */
  readonly lock?: Pick<VaultLock, "store" | "isOpen" | "open">;
  /** A credential came and could not be saved: it is nowhere but in there. */
  readonly onUnsaved?: (unsaved: UnsavedCredential) => void;
}

const TICK_MS: Milliseconds = 1_000;
/** How long after unanswered requests the next ones are tried. */
const RETRY_MS: Milliseconds = 5 * 60_000;
/** A request that asked to wait did not say how long. */
const NOT_READY_RETRY_MS: Milliseconds = 5_000;
/** A wait that should have ended this long ago was overtaken: the machine slept, or a clock was moved. */
const OVERSLEPT_MS: Milliseconds = 3_000;

/** Why the credential cannot be asked for now; null when it can. */
export function whyNotFetch(state: RegistrationsState, waitMs: Milliseconds): string | null {
  const project = selectedProject(state);
  if (project === null) return "No project is selected; register one first.";
  if (project.state === "ready") return "The credential is in the vault already.";
  if (project.state === "refused") return "The service refused this project; register it again.";
  if (state.progress[project.key]?.kind === "asking") return "The request is on its way.";
  if (state.working === project.key) return "The registration is on its way.";
  const window = state.now === null ? null : projectWindow(project, waitMs, state.now);
  return window?.phase === "closed"
    ? `The 24 hours are over; ${keyName("register.byHand", "m")} enters the credential by hand.`
    : null;
}

/** Why a credential cannot be entered by hand for the selected project; null when it can. */
export function whyNotByHand(state: RegistrationsState, waitMs: Milliseconds): string | null {
  const project = selectedProject(state);
  if (project === null) return "No project is selected; the Vault takes a key for any project.";
  if (project.state === "ready") return "The credential is in the vault already.";
  if (state.now === null) return "The service's time is not known yet.";
  const window = projectWindow(project, waitMs, state.now);
  if (window?.phase === "closed") return null;
  // The requests have ended for good, e.g. at a credential that cannot be used.
  const progress = state.progress[project.key];
  return progress?.kind === "stopped" && progress.retryAt === null
    ? null
    : "The panel has the credential when the 24 hours are over; until then it is fetched by itself.";
}

export function selectedProject({ projects, selectedKey }: RegistrationsState): Project | null {
  return projects.find((project) => project.key === selectedKey) ?? null;
}

/** The form that is open: by hand, or the registration. */
export function openForm(state: RegistrationsState): EntryForm {
  return state.byHand?.form ?? state.form;
}

export function createRegistrations(
  context: ClockedContext,
  session: Session,
  options: RegistrationsOptions = {},
): Registrations {
  const { after = afterTimeout, lock } = options;
  const waitMs = context.profile.credentialWaitS * 1000;
  const clock = createServiceClock(context, options.steady);
  const stop = new AbortController();
  let watching = 0;
  let cancelTick: (() => void) | null = null;
  /** The clock of a sandbox was read since the screen is shown, or is being read now. */
  let polled = false;
  let polling = false;

  const store = createStore<RegistrationsState>(() => ({
    form: createRegistrationForm(context.profile.currencyNumbering),
    byHand: null,
    working: null,
    projects: [],
    selectedKey: null,
    progress: {},
    now: null,
  }));
  const { getState, setState } = store;
  const windowOf = (project: Project): ProjectWindow | null => projectWindow(project, waitMs, clock.now());

  const note = (key: string, progress: FetchProgress | null): void =>
    setState((state) => {
      const { [key]: _gone, ...others } = state.progress;
      return { progress: progress === null ? others : { ...others, [key]: progress } };
    });

  const fetches = createCredentialFetches(context, {
    progress: note,
    done: afterFetch,
    unsaved(key, unsaved) {
      note(key, { kind: "stopped", why: unsaved.fault.message, retryAt: null });
      if (options.onUnsaved === undefined) session.say(unsaved.fault.message, "error");
      else options.onUnsaved(unsaved);
    },
    failed(key, fault) {
      // Space returns, and nobody may be there to press a key then; what else fails needs a person.
      const retryAt = fault.code === "storage" ? clock.now() + RETRY_MS : null;
      note(key, { kind: "stopped", why: fault.message, retryAt });
      session.say(fault.message, "error");
    },
  });

  const stopListening = lock?.store.subscribe(({ locked }, before) => {
    if (locked === before.locked) return;
    if (locked) return pause();
    for (const [key, { kind }] of Object.entries(getState().progress)) if (kind === "locked") note(key, null);
    tick();
  });

  /** What waits for its time would have to ask for the passphrase then, whatever the user is doing. */
  function pause(): void {
    for (const [key, { kind }] of Object.entries(getState().progress)) {
      if (kind !== "waiting") continue;
      fetches.stop(key);
      note(key, { kind: "locked" });
    }
    const { byHand } = getState();
    if (byHand !== null) setState({ byHand: { ...byHand, form: withoutSecrets(byHand.form) } });
  }

  function afterFetch(key: string, { result, project, former }: CredentialOutcome, waited: boolean): void {
    if (stop.signal.aborted) return;
    if (result.state === "ready") {
      note(key, null);
      session.say(`The credential of ${key} is in the vault.${keptText(former)}`, "done");
      if (session.store.getState().project === null) session.setProject(key);
    } else if (result.state === "not_ready") {
      const wait = result.retryAfterS === null ? NOT_READY_RETRY_MS : result.retryAfterS * 1000;
      note(key, { kind: "stopped", why: whyNotReady(result), retryAt: clock.now() + wait });
    } else {
      const lost = result.outcome === "unknown" || result.outcome === "not_sent";
      const retryAt = lost && result.state !== "closed" ? clock.now() + RETRY_MS : null;
      note(key, { kind: "stopped", why: result.explanation, retryAt });
      if (result.state !== "closed" || !waited) session.say(result.explanation, "error");
    }
    if (project !== null) replace(project);
    tick();
  }

  async function load(): Promise<void> {
    await guarded(session, reload);
    await guarded(session, async () => {
      const service = await context.service();
      const offsets = getState().projects.map((project) => project.serviceOffsetMs);
      clock.use(service, offsets.find((offset) => offset !== null) ?? null);
      setState({ now: clock.now() });
    });
    tick();
  }

  /** The list with this project as it is now, where it stands. */
  function replace(project: Project): void {
    setState(({ projects }) => ({
      projects: projects.some(({ key }) => key === project.key)
        ? projects.map((each) => (each.key === project.key ? project : each))
        : [project, ...projects],
    }));
  }

  async function reload(): Promise<void> {
    const listed = await (await context.projects()).list(context.profile.name);
    const projects = listed.toReversed();
    setState(({ selectedKey }) => ({
      projects,
      selectedKey: projects.some(({ key }) => key === selectedKey) ? selectedKey : (projects[0]?.key ?? null),
    }));
    // Another session may have fetched the credential that this one waits for.
    const ready = projects.find(({ state }) => state === "ready");
    if (ready !== undefined && session.store.getState().project === null) session.setProject(ready.key);
  }

  /** Starts what is due. A project is asked for by itself from the recommended time to the end of its window. */
  function startDue(project: Project): void {
    if (context.profile.readOnly === true) return;
    const { working, progress } = getState();
    const window = windowOf(project);
    if (window === null || working === project.key) return;
    const now = progress[project.key];
    if (fetches.isRunning(project.key)) {
      const overslept = now?.kind === "waiting" && clock.now() > now.until + OVERSLEPT_MS;
      if (overslept) fetches.start(project, true);
      return;
    }
    // A time before the registration is a wrong clock's; the request that waits no longer than it should gets the right one.
    const isBefore = window.untilRecommended > waitMs;
    if (window.phase === "closed" || (window.untilRecommended > 0 && !isBefore)) return;
    const recommendedAt = isBefore ? clock.now() : window.recommendedAt;
    const due = now?.kind === "stopped" ? now.retryAt : recommendedAt;
    if (due === null || clock.now() < due || now?.kind === "locked") return;
    if (lock?.store.getState().locked === true) note(project.key, { kind: "locked" });
    else fetches.start(project, true);
  }

  /** Once a second while a window is open, or watched: starts what is due and lets the countdowns move. */
  function tick(poll: boolean = true): void {
    cancelTick?.();
    cancelTick = null;
    // Without the service's time nothing can be said about a window.
    if (stop.signal.aborted || !clock.isKnown()) return;
    clock.check();
    for (const project of getState().projects) startDue(project);
    const isOpen = getState().projects.some((project) => (windowOf(project)?.untilClosed ?? 0) > 0);
    if (watching > 0) {
      setState({ now: clock.now() });
      // Somebody may advance the clock of a sandbox while its countdowns are looked at.
      if (poll && !polling && (isOpen || !polled)) void readClock();
    }
    if (isOpen) cancelTick = after(TICK_MS, tick);
  }

  async function readClock(): Promise<void> {
    polled = true;
    polling = true;
    await clock.poll();
    polling = false;
    tick(false);
  }

  function change(form: EntryForm): void {
    setState(({ byHand }) => (byHand === null ? { form } : { byHand: { ...byHand, form } }));
  }

  async function registerNow(request: RegistrationRequest): Promise<void> {
    const key = projectKey(request.merchant_id, request.risk_level);
    if (getState().working !== null) return;
    setState({ working: key });
    const done = await guarded(session, () =>
      register(context, { request }, stop.signal, (event) => {
        if (event.type !== "registering") return;
        replace(event.project);
        setState({ selectedKey: key });
        note(key, null);
      }),
    );
    setState({ working: null });
    await guarded(session, reload);
    if (done !== null) {
      const { result } = done;
      if (result.registered) session.say(`Registered ${key}; the credential is next.`, "done");
      else session.say(result.explanation, done.goOn ? "note" : "error");
      if (done.goOn)
        setState({ form: createRegistrationForm(context.profile.currencyNumbering), selectedKey: key });
    }
    tick();
  }

  async function saveByHand(project: Project, form: EntryForm): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: project.key });
    const saved = await guarded(session, () => saveCredential(context, form, project));
    setState({ working: null });
    if (saved === null) return;
    setState({ byHand: null });
    note(project.key, null);
    session.say(`The credential of ${project.key} is in the vault.${keptText(saved.former)}`, "done");
    if (session.store.getState().project === null) session.setProject(project.key);
    await guarded(session, reload);
    tick();
  }

  return {
    store,
    load,
    async refresh() {
      await guarded(session, reload);
      tick();
    },
    watch() {
      watching += 1;
      polled = false;
      void (clock.isKnown() ? guarded(session, reload).then(() => tick()) : load());
      return () => {
        watching -= 1;
        // A question or the help may cover the screen; once it is left, a secret does not wait for somebody to come back.
        if (session.store.getState().screen === "register") return;
        setState(({ byHand }) => ({ byHand: byHand && { ...byHand, form: withoutSecrets(byHand.form) } }));
      };
    },
    move: (delta) => change(moveFocus(openForm(getState()), delta)),
    key(name) {
      const form = pressKey(openForm(getState()), name);
      if (form !== null) change(form);
      return form !== null;
    },
    enter: (text) => change(enterText(openForm(getState()), text)),
    async submit() {
      const { byHand } = getState();
      const form = openForm(getState());
      if (form.focus !== SUBMIT) return change(moveFocus(form, 1));
      const wrong = firstWrong(form);
      if (wrong !== null) {
        session.say(whatIsWrong(form) ?? "", "note");
        return change(wrong);
      }
      if (byHand !== null) return saveByHand(byHand.project, form);
      const request = registrationRequest(form, context.profile.currencyNumbering);
      if (context.profile.environment !== "LIVE") return registerNow(request);
      session.confirm({
        title: "Register at the live service",
        text: `Register ${projectKey(request.merchant_id, request.risk_level)} at the live service?`,
        yes: "Register",
        onYes: () => void registerNow(request),
      });
    },
    leave() {
      const form = openForm(getState());
      if (form.focus !== SUBMIT) {
        change(focusOn(form, SUBMIT));
        return true;
      }
      const open = getState().byHand !== null;
      if (open) setState({ byHand: null });
      return open;
    },
    select(move) {
      setState(({ projects, selectedKey }) => {
        const last = projects.length - 1;
        const at = projects.findIndex(({ key }) => key === selectedKey);
        const wanted = move === "first" ? 0 : move === "last" ? last : at + move;
        return { selectedKey: projects[Math.min(Math.max(0, wanted), last)]?.key ?? null };
      });
    },
    fetchNow() {
      const project = selectedProject(getState());
      const why = whyNotFetch(getState(), waitMs);
      if (why !== null || project === null) return session.say(why ?? "", "note");
      const start = (): void => fetches.start(project, false);
      if (lock?.isOpen() !== false) return start();
      void isOpened(lock).then((isOpen) => (isOpen ? start() : undefined));
    },
    saved(project) {
      note(project.key, null);
      replace(project);
      session.say(`The credential of ${project.key} is in the vault.`, "done");
      if (session.store.getState().project === null) session.setProject(project.key);
    },
    setAside: (key, why) => note(key, { kind: "stopped", why, retryAt: null }),
    enterByHand() {
      const project = selectedProject(getState());
      const why = whyNotByHand(getState(), waitMs);
      if (why !== null || project === null) return session.say(why ?? "", "note");
      setState({ byHand: { project, form: projectCredentialForm() } });
    },
    async close() {
      stop.abort();
      stopListening?.();
      cancelTick?.();
      cancelTick = null;
      await fetches.close();
    },
  };
}
