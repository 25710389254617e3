// When each project was chosen last, for the start of the console and for the order of the projects in its list.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asNumber, asObject, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export const PROJECTS_KEPT = 200;

export interface ProjectUse {
  readonly profile: string;
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
  /** Local time in ms since the epoch. */
  readonly at: Milliseconds;
}

export interface ProjectMemory {
  /** Those of a profile, the last chosen first. @throws Fault("corrupt" | "storage") */
  list(profile: string): Promise<ProjectUse[]>;
  /** Puts a project first. @throws Fault("corrupt" | "storage") */
  remember(use: ProjectUse): Promise<void>;
}

/** Opens the memory; touches no file before the first call. */
export function openProjectMemory(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): ProjectMemory {
  const document = openDocument<{ uses: ProjectUse[] }>({
    ...options,
    format: "verdict/project-uses",
    schema: 1,
    initial: () => ({ uses: [] }),
    parse: (value) => ({ uses: asList(asObject(value)["uses"]).map(parseUse) }),
  });
  return {
    list: async (profile) => (await document.read()).uses.filter((use) => use.profile === profile),
    remember: (use) =>
      document.update((data) => {
        const others = data.uses.filter(
          ({ profile, project }) => profile !== use.profile || project !== use.project,
        );
        data.uses = [use, ...others].slice(0, PROJECTS_KEPT);
      }),
  };
}

function parseUse(value: unknown): ProjectUse {
  const { profile, project, at } = asObject(value);
  return { profile: asText(profile), project: asText(project), at: asNumber(at) };
}
