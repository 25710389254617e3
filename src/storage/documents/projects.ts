// The registered projects of a home, in one document.

import { badInput, usage } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Project, ProjectState } from "#src/contract/records/project.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asNullable, asNumber, asObject, asOneOf, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

const STATES: readonly ProjectState[] = [
  "registering",
  "registered",
  "unknown",
  "ready",
  "closed",
  "refused",
];

interface ProjectsData {
  projects: Project[];
}

export interface Projects {
  /** All projects, or those of a profile, in the order of registration. */
  list(profile?: string): Promise<Project[]>;
  get(profile: string, key: string): Promise<Project | null>;
  /** Adds a project, or replaces the one of that profile and key. @throws Fault("bad_input") when it holds card data */
  put(project: Project): Promise<void>;
  /**
   * Reads and changes a project under the lock.
   * @throws Fault("usage") when there is none
   */
  update(profile: string, key: string, change: (project: Project) => Project): Promise<Project>;
  /** False when there is none. */
  remove(profile: string, key: string): Promise<boolean>;
  /** Calls back within a second of a change by any process. @returns ends the watch */
  watch(onChange: () => void): () => void;
}

/** Opens the projects; touches no file before the first call. */
export function openProjects(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): Projects {
  const document = openDocument<ProjectsData>({
    ...options,
    format: "verdict/projects",
    schema: 1,
    initial: () => ({ projects: [] }),
    parse: (value) => ({ projects: asList(asObject(value)["projects"]).map(parseProject) }),
  });

  return {
    list: async (profile) => {
      const { projects } = await document.read();
      return projects
        .filter((project) => profile === undefined || project.profile === profile)
        .sort((a, b) => a.startedAt - b.startedAt);
    },
    get: async (profile, key) => {
      const { projects } = await document.read();
      return projects.find((project) => isSame(project, { profile, key })) ?? null;
    },
    put: async (project) => {
      refuseCardData(project);
      await document.update((data) => {
        data.projects = [...data.projects.filter((each) => !isSame(each, project)), project];
      });
    },
    update: (profile, key, change) =>
      document.update((data) => {
        const index = data.projects.findIndex((project) => isSame(project, { profile, key }));
        const before = data.projects[index];
        if (before === undefined) {
          throw usage`There is no project "${key}" in the profile "${profile}"; list them with "verdict project list".`;
        }
        const after = change(before);
        refuseCardData(after);
        data.projects[index] = after;
        return after;
      }),
    remove: (profile, key) =>
      document.update((data) => {
        const before = data.projects.length;
        data.projects = data.projects.filter((project) => !isSame(project, { profile, key }));
        return data.projects.length < before;
      }),
    watch: (onChange) => document.watch(onChange),
  };
}

function isSame(a: { profile: string; key: string }, b: { profile: string; key: string }): boolean {
  return a.profile === b.profile && a.key === b.key;
}

/** Only texts by people, because times and generated ids are digits as well. */
function refuseCardData({ merchantId, name, description }: Project): void {
  const found = findCardData({ merchant_id: merchantId, name, description });
  if (found === null) return;
  throw badInput`${found.path} holds a card number and was not saved; remove it and try again.`;
}

function parseProject(value: unknown): Project {
  const fields = asObject(value);
  return {
    key: asText(fields["key"]),
    profile: asText(fields["profile"]),
    companyId: asText(fields["companyId"]),
    merchantId: asText(fields["merchantId"]),
    riskLevel: asOneOf(fields["riskLevel"], RISK_LEVELS),
    name: asText(fields["name"]),
    description: asNullable(fields["description"], asText),
    currency: asNullable(fields["currency"], asNumber),
    state: asOneOf(fields["state"], STATES),
    startedAt: asNumber(fields["startedAt"]),
    provenStartAt: asNullable(fields["provenStartAt"], asNumber),
    serviceOffsetMs: asNullable(fields["serviceOffsetMs"], asNumber),
    projectId: asNullable(fields["projectId"], asText),
  };
}
