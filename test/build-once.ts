// Before any test: the built program, made from the sources as they are now, and Ink as it is in it.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { isBuilt } from "#src/build/built-from.ts";
import { CUT_DEFINES, cutPackages } from "#src/build/cuts.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Screens are tested on the Ink that is shipped, which also draws in two thirds of the time. */
export const INK = `${root}node_modules/.verdict-test/ink.mjs`;

export async function setup(): Promise<void> {
  if (!isBuilt(root)) {
    execFileSync(process.execPath, ["src/build/build.ts"], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  await build({
    absWorkingDir: root,
    stdin: { contents: 'export * from "ink";', resolveDir: root },
    outfile: INK,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2024",
    // Of React there must be one.
    external: ["react", "react/*", "react-devtools-core"],
    plugins: [cutPackages(root)],
    inject: ["src/ui/lean-text.ts"],
    define: { ...CUT_DEFINES, "process.env.NODE_ENV": '"production"' },
    // Packages that are scripts ask for React and for parts of Node by `require`.
    banner: {
      js: 'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
