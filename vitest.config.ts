// Tests run the sources; YAML files, style sheets and scripts of pages are texts, as in the built file.

import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { yamlPlacesOf } from "./src/build/yaml-places.ts";
import { INK } from "./test/build-once.ts";
import { REST } from "./test/rest.ts";

// First: npm test. Rest: what that leaves out. Deep: the long runs, and what needs Debian packages. By default first and rest.
const part = process.env["VERDICT_TESTS"];
const deep = part === "deep";
const DEEP = ["test/deep/**/*.test.ts", "test/**/*.deep.{test.ts,test.tsx,transcript}"];
const TRANSCRIPT = fileURLToPath(new URL("test/cli/transcript.ts", import.meta.url));
/** A minute and more each: they start first, so that none of them is left for one worker at the end. */
const AHEAD = [
  "test/actions/pseudonymise.deep.test.ts",
  "test/cli/every-output.deep.test.ts",
  "test/cli/isolated.deep.test.ts",
  "test/console/stories/untrusted.deep.test.ts",
  "test/cli/vault.deep.test.ts",
  "test/deep/executable.test.ts",
  "test/deep/files-of-ours.test.ts",
  "test/deep/killed-sandbox.test.ts",
  "test/deep/moved-clock.test.ts",
  "test/deep/storage-processes.test.ts",
  "test/house/documented-commands.deep.test.ts",
  "test/storage/failing-calls.deep.test.ts",
];
/**
 * They measure how long an honest client waits, or fail where a server of states is silent for 200 ms: one after the other,
 * when the rest of the deep tests is done.
 */
const ALONE = [
  "test/deep/large-state.test.ts",
  "test/deep/request-times.test.ts",
  "test/deep/slow-clients.test.ts",
  "test/deep/valkey/*.deep.test.ts",
];

/**
 * Memory instead of the disk where there is plenty: the suite syncs files thousands of times, and on a busy machine a
 * disk takes seconds for what these tests are not about. The deep tests stay on the disk.
 */
const memory = "/dev/shm";
const ROOM_BYTES = 1024 ** 3;

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

function project(
  name: string,
  groupOrder: number,
  test: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration {
  return { extends: true, test: { ...test, name, sequence: { groupOrder } } };
}

export default defineConfig({
  // As NODE_ENV below says: React has no jsxDEV in production.
  oxc: { jsx: { development: false } },
  plugins: [
    {
      name: "ink-as-built",
      enforce: "pre",
      resolveId: (asked) => (asked === "ink" ? INK : null),
    },
    {
      name: "ink-table-after-ink",
      enforce: "pre",
      resolveId(asked, importer) {
        if (asked !== "ink-table" || importer?.endsWith("test/console/ink-table.ts") === true) return null;
        return fileURLToPath(new URL("test/console/ink-table.ts", import.meta.url));
      },
    },
    {
      name: "texts",
      enforce: "pre",
      async resolveId(asked, importer) {
        if (!/\.(?:yaml|css|browser\.js)$/.test(asked)) return null;
        const found = await this.resolve(asked, importer, { skipSelf: true });
        return found === null ? null : `${found.id}?raw`;
      },
    },
    {
      name: "yaml-places",
      enforce: "pre",
      load: (id) =>
        id.endsWith(".yaml?places")
          ? `export default ${JSON.stringify(yamlPlacesOf(id.slice(0, -"?places".length)))}`
          : null,
    },
    {
      name: "transcripts",
      enforce: "pre",
      load: (id) =>
        id.endsWith(".transcript")
          ? `import { transcript } from "${TRANSCRIPT}"; transcript(${JSON.stringify(id)}, ${process.argv.includes("-u")});`
          : null,
    },
  ],
  test: {
    server: { deps: { inline: ["ink-text-input", "ink-testing-library"] } },
    // Without this, style sheets are empty in tests.
    css: true,
    globalSetup: "test/build-once.ts",
    // React as it is built in: its development build takes a quarter longer to draw.
    env: {
      NODE_ENV: "production",
      // The programs that tests start are many and short: compiled once, each takes a third of the time.
      NODE_COMPILE_CACHE: join(tmpdir(), "verdict-test-compiled"),
      ...(!deep && isRoomy(memory) ? { TMPDIR: memory } : {}),
    },
    // As in test/patience.ts.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: deep ? 600_000 : 120_000,
    hookTimeout: deep ? 600_000 : 120_000,
    // A process loads Ink, the rules and fast-check once, not once a file. So no test leaves anything in a module.
    isolate: deep,
    // Whichever file is the first to load Ink.
    setupFiles: ["test/patience.ts", ...(deep ? [] : ["test/console/colour.ts"])],
    // Much of a test is waiting for processes, of a deep one still more, so that two cores carry more than the one worker they
    // get by default.
    maxWorkers: deep ? 4 : 3,
    ...(deep
      ? {
          // Groups run in their order; within one, projects in that of their names.
          projects: [
            project("ahead", 1, { include: AHEAD }),
            project("beside", 1, { include: DEEP, exclude: [...AHEAD, ...ALONE] }),
            project("alone", 2, { include: ALONE, maxWorkers: 1 }),
          ],
        }
      : {
          include: part === "rest" ? [...REST] : ["test/**/*.{test.ts,test.tsx,transcript}"],
          exclude: [...DEEP, ...(part === "first" ? REST : []), "**/node_modules/**"],
        }),
  },
});
