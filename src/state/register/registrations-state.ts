// State of the Register screen, and questions about it.

import type { Sort } from "#src/contract/records/list-sort.ts";
import { windowEnd, type Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { EntryForm } from "#src/state/entry-form.ts";
import { keptRow, sortedRows } from "#src/state/list-selection.ts";
import { matching } from "#src/state/listing.ts";
import type { FetchProgress } from "./credential-fetches.ts";
import { projectWindow } from "./project-window.ts";

export interface RegistrationsState {
  readonly form: EntryForm;
  /** The form for a credential from the administrative panel, while it is open in place of the registration. */
  readonly byHand: { readonly project: Project; readonly form: EntryForm } | null;
  /** Key of the project that is being registered or saved now; null while none is. */
  readonly working: string | null;
  /** The last registered first. */
  readonly projects: readonly Project[];
  readonly filter: string;
  readonly sort: ProjectSort;
  readonly selectedKey: string | null;
  /** The ready project that the user went to, so that Enter is for it; null while Enter registers. */
  readonly pointedKey: string | null;
  /** What the credential request of a project is doing, by its key. */
  readonly progress: Readonly<Record<string, FetchProgress>>;
  /** The service's time at the last tick, in ms since the epoch; null until it is known. */
  readonly now: Milliseconds | null;
}

/** Before any project is read. */
export const NO_REGISTRATIONS = {
  byHand: null,
  working: null,
  projects: [],
  filter: "",
  sort: { by: "added", turned: false },
  selectedKey: null,
  pointedKey: null,
  progress: {},
  now: null,
} as const satisfies Omit<RegistrationsState, "form">;

/** Why the credential cannot be asked for now; null when it can. */
export function whyNotFetch(
  state: RegistrationsState,
  waitMs: Milliseconds,
  keyName: KeyName,
): string | null {
  const project = selectedProject(state);
  if (project === null) return "No project is selected; register one first.";
  if (project.state === "ready") return "The credential is in the vault already.";
  if (project.state === "refused") return "The service refused this project; register it again.";
  if (state.progress[project.key]?.kind === "asking") return "The request is on its way.";
  if (state.working === project.key) return "The registration is on its way.";
  const window = state.now === null ? null : projectWindow(project, waitMs, state.now);
  return window?.phase === "closed"
    ? `The 24 hours are over; ${keyName("register.byHand")} enters the credential by hand.`
    : null;
}

/** Why a credential cannot be entered by hand for the selected project; null when it can. */
export function whyNotByHand(state: RegistrationsState, waitMs: Milliseconds): string | null {
  const project = selectedProject(state);
  if (project === null) return "No project is selected; on Vault you can enter a key for any project.";
  if (project.state === "ready") return "The credential is in the vault already.";
  if (project.state === "removed") return null;
  if (state.now === null) return "The service's time is not known yet.";
  const window = projectWindow(project, waitMs, state.now);
  if (window?.phase === "closed") return null;
  // The requests have ended for good, e.g. at a credential that cannot be used.
  const progress = state.progress[project.key];
  return progress?.kind === "stopped" && progress.retryAt === null
    ? null
    : "Until the 24 hours are over, verdict fetches the credential automatically; after that, the panel shows it.";
}

/** At first the last registered project is above. */
export const PROJECT_ORDERS = ["added", "project", "closes"] as const;
type ProjectSort = Sort<(typeof PROJECT_ORDERS)[number]>;

/** The projects that the filter lets through, by key, name and state of the credential, in their order. */
export function listedProjects({ projects, filter, sort }: RegistrationsState): readonly Project[] {
  const textOf = ({ key, name, state }: Project): string => `${key} ${name} ${state}`;
  return sortedRows(matching(projects, filter, textOf), sort, (project) => {
    const closes = project.state === "ready" ? null : windowEnd(project);
    return { added: projects.indexOf(project), project: project.key, closes }[sort.by];
  });
}

export function selectedProject({ projects, selectedKey }: RegistrationsState): Project | null {
  return projects.find((project) => project.key === selectedKey) ?? null;
}

/** The form that is open: by hand, or the registration. */
export function openForm(state: RegistrationsState): EntryForm {
  return state.byHand?.form ?? state.form;
}

/** A project as it is now, in its place in the list; a new one on top. */
export function withProject(projects: readonly Project[], project: Project): readonly Project[] {
  const at = projects.findIndex(({ key }) => key === project.key);
  return at < 0 ? [project, ...projects] : projects.with(at, project);
}

/** A change of what is listed; the same project stays selected where it can. */
export function keepSelected(
  before: RegistrationsState,
  change: Partial<RegistrationsState>,
): Partial<RegistrationsState> {
  const { selectedKey } = before;
  const listed = listedProjects({ ...before, ...change });
  const kept = keptRow(listed, listedProjects(before), ({ key }) => key === selectedKey);
  return { ...change, selectedKey: kept?.key ?? null };
}
