// The store of the Register screen: projects, their credential requests, and the two forms.

import { createStore } from "zustand/vanilla";
import { knownProjects } from "#src/actions/register/held-credentials.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import { changedSort, movedRow, type ListMove } from "#src/state/list-selection.ts";
import { askFilter } from "#src/state/listing.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { ClockedContext } from "#src/state/sandbox/service-clock.ts";
import type { Session } from "#src/state/session.ts";
import { isOpened } from "#src/state/vault/vault-lock.ts";
import { createFetchSchedule, type FetchScheduleOptions } from "./fetch-schedule.ts";
import { createProjectForms } from "./project-forms.ts";
import { createRegistrationForm } from "./registration-form.ts";
import { offerProject } from "#src/state/project-offer.ts";
import {
  keepSelected,
  listedProjects,
  NO_REGISTRATIONS,
  PROJECT_ORDERS,
  selectedProject,
  whyNotFetch,
  withProject,
  type RegistrationsState,
} from "./registrations-state.ts";

export function createRegistrations(
  context: ClockedContext,
  session: Session,
  options: FetchScheduleOptions = {},
) {
  const { lock } = options;
  const waitMs = context.profile.credentialWaitS * 1000;
  const stop = new AbortController();
  const store = createStore<RegistrationsState>(() => ({
    form: createRegistrationForm(registrationNumbering(context.profile)),
    ...NO_REGISTRATIONS,
  }));
  const { getState, setState } = store;
  const schedule = createFetchSchedule(context, session, store, options);
  const { note, tick } = schedule;
  const { forgetSecret, ...forms } = createProjectForms(
    context,
    session,
    store,
    schedule,
    reload,
    stop.signal,
  );

  const stopListening = lock?.store.subscribe(({ locked }, before) => {
    if (locked === before.locked) return;
    if (!locked) return schedule.resume();
    schedule.pause();
    forgetSecret();
  });

  async function reload(): Promise<void> {
    const projects = (await knownProjects(context)).toReversed();
    setState((state) => keepSelected(state, { projects }));
    // Another session may have fetched the credential that this one waits for.
    const ready = projects.find(({ state }) => state === "ready");
    if (ready !== undefined) offerProject(session, ready.key);
  }

  const setFilter = (filter: string): void => setState((state) => keepSelected(state, { filter }));

  async function load(): Promise<void> {
    await reportFaults(session, reload);
    await reportFaults(session, () => schedule.start());
    tick();
  }

  return {
    store,
    /** Reads the projects and goes on fetching where an earlier run left off. Never rejects. */
    load,
    /** Reads the projects again, e.g. after another session has changed them. Never rejects. */
    async refresh() {
      await reportFaults(session, reload);
      tick();
    },
    /** The screen is shown: countdowns tick, and the clock of a sandbox is followed. @returns to be called when it is left */
    watch() {
      const stopWatching = schedule.watch();
      void (getState().now === null ? load() : reportFaults(session, reload).then(tick));
      return () => {
        stopWatching();
        // A question or the help may cover the screen; once the screen is left, a typed secret is forgotten.
        if (session.store.getState().screen !== "register") forgetSecret();
      };
    },
    ...forms,
    select(move: ListMove) {
      setState((state) => {
        const project = movedRow(listedProjects(state), ({ key }) => key === state.selectedKey, move);
        const key = project?.key ?? null;
        return { selectedKey: key, pointedKey: project?.state === "ready" ? key : null };
      });
    },
    sort: (how: "next" | "turned") =>
      setState(({ sort }) => ({ sort: changedSort(PROJECT_ORDERS, sort, how) })),
    setFilter,
    askFilter: () => askFilter(session, "demo-shop ready", getState().filter, setFilter),
    /** Asks for the credential of the selected project now. */
    fetchNow() {
      const project = selectedProject(getState());
      const why = whyNotFetch(getState(), waitMs, session.keyName);
      if (why !== null || project === null) return session.say(why ?? "", "note");
      const start = (): void => schedule.fetch(project);
      if (lock?.isOpen() !== false) return start();
      void isOpened(lock).then((isOpen) => (isOpen ? start() : undefined));
    },
    /** A credential that could not be saved is in the vault after all. */
    saved(project: Project) {
      note(project.key, null);
      setState((state) => keepSelected(state, { projects: withProject(state.projects, project) }));
      session.say(
        `The credential of ${project.key} is in the vault.${offerProject(session, project.key)}`,
        "done",
      );
    },
    /** A credential that could not be saved is somewhere else now, or nowhere. */
    setAside: (key: string, why: string) => note(key, { kind: "stopped", why, retryAt: null }),
    /** Stops everything; resolves when nothing is under way any more. */
    async close() {
      stop.abort();
      stopListening?.();
      await schedule.close();
    },
  };
}

export type Registrations = ReturnType<typeof createRegistrations>;
