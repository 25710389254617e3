// The project in use: which one the console starts with, the list to choose another one from, and the question before it
// changes by something else.

import { createStore } from "zustand/vanilla";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { safe } from "#src/display/safe.ts";
import type { Session } from "#src/state/session.ts";

export interface ProjectSwitchState {
  readonly open: boolean;
  /** Project that is marked when the list opens; null for the one in use. */
  readonly marked: string | null;
  /** When the projects were chosen, by their keys. */
  readonly chosenAt: Readonly<Record<string, Milliseconds>>;
  /** Keys of the projects with a credential in the vault. */
  readonly held: readonly string[];
}

/** A project that can be chosen. */
export interface ProjectChoice {
  readonly key: string;
  readonly riskLevel: string;
  /** ISO 4217 numeric code; null where it is not known. */
  readonly currency: number | null;
  /** When it was chosen or checked for last; null for never. */
  readonly usedAt: Milliseconds | null;
  /** Whether its credential is in the vault, so that checks can be sent. */
  readonly ready: boolean;
  /** Null for one whose credential alone is known. */
  readonly project: Project | null;
}

/** @param follow composes for a project after another one; returns the currency, where that has changed */
export function createProjectSwitch(
  context: Context,
  session: Session,
  follow: (former: string | null, project: string) => string | null = () => null,
) {
  const store = createStore<ProjectSwitchState>(() => ({
    open: false,
    marked: null,
    chosenAt: {},
    held: [],
  }));
  const { setState, getState } = store;

  /** A convenience: the doctor reports a damaged file, a locked vault shows its registered projects. */
  const load = async (): Promise<void> => {
    const uses = await context
      .projectMemory()
      .then((memory) => memory.list(context.profile.name))
      .catch(() => []);
    const held = await heldCredentials(context).catch(() => []);
    setState({
      chosenAt: Object.fromEntries(uses.map(({ project, at }) => [project, at])),
      held: held.map(({ projectKey }) => projectKey),
    });
  };

  const remember = async (project: string): Promise<void> => {
    const at = context.now();
    setState(({ chosenAt }) => ({ chosenAt: { ...chosenAt, [project]: at } }));
    const memory = await context.projectMemory();
    await memory.remember({ profile: context.profile.name, project, at });
  };

  // Also where a question has changed it; the one that the console starts with was remembered before.
  session.store.subscribe(({ project }, before) => {
    if (project === null || before.project === null || project === before.project) return;
    void remember(project).catch(() => undefined);
  });

  return {
    store,
    /** The project that was used last: chosen, or checked for. Null where none is ready. Never rejects. */
    async last(entries: readonly HistoryEntry[], projects: readonly Project[]): Promise<string | null> {
      await load();
      const ready = projectChoices(getState(), entries, projects, null).filter((choice) => choice.ready);
      return ready[0]?.key ?? null;
    },
    /** Opens the list. @param marked key of the project that Enter takes at once */
    open(marked: string | null = null) {
      setState({ open: true, marked });
      void load();
    },
    close: () => setState({ open: false }),
    /** Uses a project from now on; one without a credential is explained instead. */
    use({ key, ready }: Pick<ProjectChoice, "key" | "ready">) {
      if (!ready) return session.say(whyNotUse(key, session), "note");
      setState({ open: false });
      const { project: former } = session.store.getState();
      if (former === key) return;
      session.setProject(key);
      const currency = follow(former, key);
      const also = currency === null ? "" : `, in ${currency}`;
      session.say(`The project is ${key} now; checks are sent for it${also}.`, "done");
    },
  };
}

export type ProjectSwitch = ReturnType<typeof createProjectSwitch>;

const whyNotUse = (key: string, { keyName }: Session): string =>
  `${key} has no credential yet; ${keyName("shell.register")} shows when it comes.`;

/** The projects: the one in use first, then the last used, then the last registered. */
export function projectChoices(
  { chosenAt, held }: Pick<ProjectSwitchState, "chosenAt" | "held">,
  entries: readonly HistoryEntry[],
  projects: readonly Project[],
  used: string | null,
): readonly ProjectChoice[] {
  const checkedAt = new Map(entries.toReversed().map(({ project, at }) => [project, at]));
  const usedAt = (key: string): Milliseconds => Math.max(chosenAt[key] ?? 0, checkedAt.get(key) ?? 0);
  const registered = projects.map((project): ProjectChoice => ({
    ...project,
    ready: project.state === "ready" || held.includes(project.key),
    usedAt: usedAt(project.key) || null,
    project,
  }));
  const entered = held
    .filter((key) => !projects.some((project) => project.key === key))
    .map((key): ProjectChoice => {
      const [, riskLevel = ""] = /\/([^/]*)$/.exec(key) ?? [];
      return { key, riskLevel, currency: null, ready: true, usedAt: usedAt(key) || null, project: null };
    });
  const rank = ({ key }: ProjectChoice): number => (key === used ? Infinity : usedAt(key));
  return [...registered, ...entered].sort((one, other) =>
    rank(one) === rank(other) ? 0 : rank(other) - rank(one),
  );
}

/**
 * Uses a project; where another one is in use, only on a Yes.
 * @returns whether it was another one; null for No
 */
export async function takeProject(session: Session, project: string): Promise<boolean | null> {
  const { project: used } = session.store.getState();
  if (used === project) return false;
  const [wanted, present] = [safe(project, { max: 80 }), safe(used ?? "", { max: 80 })];
  const agreed =
    used === null ||
    (await session.agree({
      text: `This check was sent for ${wanted}, but the project in use is ${present}. Use ${wanted} for this check and later ones?`,
      yes: "change the project",
    }));
  if (!agreed) return null;
  session.setProject(project);
  return used !== null;
}
