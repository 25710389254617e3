// Makes the built program in dist/: the version gate, the program behind it in one file, and its worker.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type BuildResult } from "esbuild";
import { CUT_DEFINES, cutPackages } from "./cuts.ts";
import { thirdPartyNotices } from "./notices.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
const watch = process.argv.includes("--watch");

const common: BuildOptions = {
  absWorkingDir: root,
  outdir: "dist",
  bundle: true,
  platform: "node",
  // A node target would rewrite Unicode property escapes into one huge regular expression per character class.
  target: "es2024",
  minify: true,
  sourcemap: false,
  // All of it stands in THIRD-PARTY-NOTICES.
  legalComments: "none",
  metafile: true,
  loader: { ".yaml": "text" },
  write: false,
  logLevel: "warning",
};

/**
 * One file: modules that are imported on demand still run on demand, without a search for a file. It is a script and not a
 * module, so that the gate can cache the compiled code of the functions that were called.
 */
const program: BuildOptions = {
  ...common,
  entryPoints: { main: "src/main.ts" },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  supported: { "dynamic-import": false },
  plugins: [cutPackages(root), { name: "write", setup: (build) => build.onEnd(write) }],
  inject: ["src/ui/lean-text.ts"],
  define: {
    ...CUT_DEFINES,
    "process.env.NODE_ENV": '"production"',
    "import.meta.url": "verdictUrl",
    VERDICT_VERSION: JSON.stringify(manifest.version),
  },
};

/** The worker: a second program beside the first, which finds it by its name. */
const worker: BuildOptions = {
  ...common,
  entryPoints: { "database-worker": "src/storage/database/database-worker.ts" },
  format: "esm",
  outExtension: { ".js": ".mjs" },
  plugins: [{ name: "write", setup: (build) => build.onEnd(write) }],
};

/**
 * Each file is replaced as a whole, so that a start during a build finds a complete one; it begins with a hash that identifies
 * it, and is ASCII: esbuild keeps other characters in regular expressions, and one of them doubles the memory of the text.
 */
function write({ outputFiles = [] }: BuildResult): void {
  mkdirSync(`${root}dist`, { recursive: true });
  for (const { path, text } of outputFiles) {
    const code = text.replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const build = createHash("sha256").update(code).digest("hex").slice(0, 16);
    writeFileSync(`${path}.tmp`, `/*${build}*/${code}`);
    renameSync(`${path}.tmp`, path);
  }
}

/** The text of `verdict --help`, which the gate prints without loading the program. */
function writeHelp(): void {
  const help = execFileSync(process.execPath, [`${root}dist/verdict.mjs`, "help"], { encoding: "utf8" });
  writeFileSync(`${root}dist/help.txt`, help);
}

/** One file each, which `verdict schema` prints and editors read. */
async function writeSchemas(): Promise<void> {
  const { allSchemas } = await import("./schemas.ts");
  rmSync(`${root}dist/schemas`, { recursive: true, force: true });
  mkdirSync(`${root}dist/schemas`);
  for (const [name, schema] of allSchemas())
    writeFileSync(`${root}dist/schemas/${name}.json`, `${JSON.stringify(schema)}\n`);
}

/** The gate is a separate, unminified file: an old version of Node must be able to read it. */
async function buildGate(): Promise<void> {
  const { outputFiles } = await build({
    ...common,
    entryPoints: { verdict: "src/verdict.ts" },
    format: "esm",
    target: "esnext",
    minify: false,
    define: { VERDICT_VERSION: JSON.stringify(manifest.version) },
  });
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(`${root}dist/verdict.mjs`, `#!/usr/bin/env node\n${outputFiles![0]!.text}`);
  chmodSync(`${root}dist/verdict.mjs`, 0o755);
}

if (watch) {
  const { context } = await import("esbuild");
  await buildGate();
  for (const options of [program, worker]) await (await context(options)).watch();
  console.log("Watching; the built program is dist/verdict.mjs");
} else {
  const built = await Promise.all([build(program), build(worker)]);
  await buildGate();
  writeHelp();
  await writeSchemas();
  const made = new Set(
    built.flatMap(({ outputFiles = [] }) => outputFiles.map(({ path }) => basename(path))),
  );
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  writeFileSync(`${root}dist/THIRD-PARTY-NOTICES`, thirdPartyNotices(root, inputs));
  made.add("verdict.mjs").add("help.txt").add("schemas").add("THIRD-PARTY-NOTICES");
  // Files of earlier builds.
  for (const name of readdirSync(`${root}dist`)) {
    if (!made.has(name)) rmSync(`${root}dist/${name}`, { recursive: true, force: true });
  }
  const bytes = readdirSync(`${root}dist`).reduce(
    (sum, name) => sum + statSync(`${root}dist/${name}`).size,
    0,
  );
  console.log(`Built dist/verdict.mjs (${Math.round(bytes / 1024)} KiB in all)`);
}
