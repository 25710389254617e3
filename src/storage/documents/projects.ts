// The registered projects of a home, in one document.

import { badInput, usage } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { PROJECT, type Project } from "#src/contract/records/project.ts";
import { list, openMap } from "#src/contract/text/shape.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export type Projects = ReturnType<typeof openProjects>;

/** Opens the projects; touches no file before the first call. */
export function openProjects(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}) {
  const document = openDocument({
    ...options,
    format: "verdict/projects",
    schema: 1,
    initial: () => ({ projects: [] }),
    shape: openMap({ projects: list(PROJECT) }),
  });

  return {
    /** All projects, or those of a profile, in the order of registration. */
    list: async (profile?: string): Promise<Project[]> => {
      const { projects } = await document.read();
      return projects
        .filter((project) => profile === undefined || project.profile === profile)
        .sort((a, b) => a.startedAt - b.startedAt);
    },
    get: async (profile: string, key: string): Promise<Project | null> => {
      const { projects } = await document.read();
      return projects.find((project) => isSame(project, { profile, key })) ?? null;
    },
    /** Adds a project, or replaces the one of that profile and key. @throws Fault("bad_input") when it holds card data */
    put: async (project: Project): Promise<void> => {
      refuseCardData(project);
      await document.update((data) => {
        data.projects = [...data.projects.filter((each) => !isSame(each, project)), project];
      });
    },
    /**
     * Reads and changes a project under the lock.
     * @throws Fault("usage") when there is none
     */
    update: (profile: string, key: string, change: (project: Project) => Project): Promise<Project> =>
      document.update((data) => {
        const index = data.projects.findIndex((project) => isSame(project, { profile, key }));
        const before = data.projects[index];
        if (before === undefined) {
          throw usage`There is no project "${key}" in the profile "${profile}"; list them with "verdict project list".`;
        }
        const after = change(before);
        refuseCardData(after);
        data.projects = data.projects.with(index, after);
        return after;
      }),
    /** False when there is none. */
    remove: (profile: string, key: string): Promise<boolean> =>
      document.update((data) => {
        const before = data.projects.length;
        data.projects = data.projects.filter((project) => !isSame(project, { profile, key }));
        return data.projects.length < before;
      }),
    /** Calls back within a second of a change by any process. @returns ends the watch */
    watch: (onChange: () => void): (() => void) => document.watch(onChange),
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
