// Schedules credential requests by the service clock, within the 24-hour window of each project.

import type { StoreApi } from "zustand/vanilla";
import type { CredentialOutcome } from "#src/actions/register/fetch-credential.ts";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { inConsole } from "#src/state/report-faults.ts";
import { createServiceClock, type ClockedContext } from "#src/state/sandbox/service-clock.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { keptText } from "#src/state/vault/keyring-state.ts";
import type { VaultLock } from "#src/state/vault/vault-lock.ts";
import { createCredentialFetches, whyNotReady, type FetchProgress } from "./credential-fetches.ts";
import { offerProject } from "#src/state/project-offer.ts";
import { projectWindow, type ProjectWindow } from "./project-window.ts";
import { keepSelected, withProject, type RegistrationsState } from "./registrations-state.ts";

export interface FetchScheduleOptions {
  /** Schedules a callback and returns how to cancel it; real timers by default. */
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

export function createFetchSchedule(
  context: ClockedContext,
  session: Session,
  { getState, setState }: StoreApi<RegistrationsState>,
  options: FetchScheduleOptions,
) {
  const { after = afterTimeout, lock } = options;
  const waitMs = context.profile.credentialWaitS * 1000;
  const clock = createServiceClock(context, options.steady);
  let closed = false;
  let watching = 0;
  let cancelTick: (() => void) | null = null;
  /** Whether the clock of a sandbox was read since the screen is shown, and whether it is being read now. */
  let polled = false;
  let polling = false;

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
      // A full disk may be freed while the user is away; any other failure needs the user.
      const retryAt = fault.code === "storage" ? clock.now() + RETRY_MS : null;
      note(key, { kind: "stopped", why: fault.message, retryAt });
      session.say(inConsole(fault.message, session.keyName), "error");
    },
  });

  function afterFetch(key: string, { result, project, former }: CredentialOutcome, waited: boolean): void {
    if (closed) return;
    if (result.state === "ready") {
      note(key, null);
      session.say(
        `The credential of ${key} is in the vault.${keptText(former, session.keyName)}${offerProject(session, key)}`,
        "done",
      );
    } else if (result.state === "not_ready") {
      const wait = result.retryAfterS === null ? NOT_READY_RETRY_MS : result.retryAfterS * 1000;
      note(key, { kind: "stopped", why: whyNotReady(result), retryAt: clock.now() + wait });
    } else {
      const lost = result.outcome === "unknown" || result.outcome === "not_sent";
      const retryAt = lost ? clock.now() + RETRY_MS : null;
      note(key, { kind: "stopped", why: result.explanation, retryAt });
      if (result.state !== "closed" || !waited) session.say(result.explanation, "error");
    }
    if (project !== null)
      setState((state) => keepSelected(state, { projects: withProject(state.projects, project) }));
    tick();
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
    // What the user has removed only the user asks for again.
    if (project.state === "removed" && now?.kind !== "stopped") return;
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
    // Without the service's time nothing can be said about a window.
    if (closed || !clock.isKnown()) return;
    clock.check();
    for (const project of getState().projects) startDue(project);
    const isOpen = getState().projects.some((project) => (windowOf(project)?.untilClosed ?? 0) > 0);
    if (watching > 0) {
      setState({ now: clock.now() });
      // The clock of a sandbox may be advanced while its countdowns are shown.
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

  return {
    /** Uses the service's time from now on: starting from the offset that earlier answers showed. @throws Fault as `service` does */
    async start() {
      const service = await context.service();
      const offsets = getState().projects.map((project) => project.serviceOffsetMs);
      clock.use(service, offsets.find((offset) => offset !== null) ?? null);
      setState({ now: clock.now() });
    },
    /** Asks for the credential of a project now, once. */
    fetch: (project: Project) => fetches.start(project, false),
    /** Stops what is under way for a project, because its registration or its credential is another now. */
    stop(key: string) {
      fetches.stop(key);
      note(key, null);
    },
    /** Notes what the request of a project is doing; null forgets it. */
    note,
    /** Starts what is due and lets the countdowns move; once a second from then on while a window is open. */
    tick: () => tick(),
    /** The screen is shown: countdowns move, and the clock of a sandbox is followed. @returns to be called when it is left */
    watch() {
      watching += 1;
      polled = false;
      return () => {
        watching -= 1;
      };
    },
    /** The vault was locked: waiting fetches continue after it is unlocked. */
    pause() {
      // A request that waits would ask for the passphrase in the middle of other work.
      for (const [key, { kind }] of Object.entries(getState().progress)) {
        if (kind !== "waiting") continue;
        fetches.stop(key);
        note(key, { kind: "locked" });
      }
    },
    resume() {
      for (const [key, { kind }] of Object.entries(getState().progress))
        if (kind === "locked") note(key, null);
      tick();
    },
    /** Stops everything; resolves when nothing is under way any more. */
    async close() {
      closed = true;
      cancelTick?.();
      await fetches.close();
    },
  };
}

export type FetchSchedule = ReturnType<typeof createFetchSchedule>;
