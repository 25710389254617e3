// When each project was chosen last, for the start of the console and for the order of the projects in its list.

import { anyNumber, anyText, list, openMap, type Of } from "#src/contract/text/shape.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export const PROJECTS_KEPT = 200;

const USE = openMap({
  profile: anyText(),
  project: anyText("`<merchant_id>/<risk_level>`"),
  at: anyNumber("Local time in ms since the epoch."),
});

export type ProjectUse = Of<typeof USE>;

export type ProjectMemory = ReturnType<typeof openProjectMemory>;

/** Opens the memory; touches no file before the first call. @throws (each method) Fault("corrupt" | "storage") */
export function openProjectMemory(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}) {
  const document = openDocument({
    ...options,
    format: "verdict/project-uses",
    schema: 1,
    initial: () => ({ uses: [] }),
    shape: openMap({ uses: list(USE) }),
  });
  return {
    /** Those of a profile, the last chosen first. */
    list: async (profile: string): Promise<ProjectUse[]> =>
      (await document.read()).uses.filter((use) => use.profile === profile),
    /** Puts a project first. */
    remember: (use: ProjectUse): Promise<void> =>
      document.update((data) => {
        const others = data.uses.filter(
          ({ profile, project }) => profile !== use.profile || project !== use.project,
        );
        data.uses = [use, ...others].slice(0, PROJECTS_KEPT);
      }),
  };
}
