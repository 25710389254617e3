// That the console opens on the profile which the option or the environment names.

import { expect, it, onTestFinished } from "vitest";
import { run } from "#src/cli/run.ts";
import { inProcessHome } from "./in-process.ts";

it("the console has the profile of the option before VERDICT_PROFILE", async () => {
  const home = inProcessHome();
  onTestFinished(() => home.remove());
  for (const name of ["test", "other"]) await home.run(`profile add ${name} --base-url http://127.0.0.1:9`);
  const opened: (string | undefined)[] = [];
  const open = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
    run({
      argv,
      env: { VERDICT_HOME: home.folder, ...env },
      openConsole({ profile }: { readonly profile: string | undefined }) {
        opened.push(profile);
        return Promise.resolve(0);
      },
      stdout: { write: () => true },
      stderr: { write: () => true },
    } as unknown as Parameters<typeof run>[0]);
  await open([], { VERDICT_PROFILE: "other" });
  await open(["--profile", "test"], { VERDICT_PROFILE: "other" });
  await open([], {});
  expect(opened).toEqual(["other", "test", undefined]);
  expect(await open([], { VERDICT_PROFIL: "other" })).toBe(2);
  expect(opened).toHaveLength(3);
});
