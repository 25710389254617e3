// Makes dist/: the version gate, the program behind it in one file, its worker, and what other programs import.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build, transform, type BuildOptions, type BuildResult, type Plugin } from "esbuild";
import { noteBuilt } from "./built-from.ts";
import { CUT_DEFINES, cutPackages, STATE_CLIENT, STATE_CLIENT_ENTRY } from "./cuts.ts";
import { manualPages } from "./manual.ts";
import { yamlPlacesOf } from "./yaml-places.ts";
import { documentTexts } from "./packed-documents.ts";
import { ascii, programOf } from "./program-parts.ts";
import { thirdPartyNotices } from "./notices.ts";
import { declarations } from "./types.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifestText = readFileSync(`${root}package.json`, "utf8");
const manifest = JSON.parse(manifestText) as { version: string };
const watch = process.argv.includes("--watch");
const DAY = "labelled-day.ndjson.br";
const DOCUMENTS = "documents.json.br";
/** Before the package is packed. */
const pack = process.argv.includes("--pack");

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

/** What a browser reads is a text, too: style sheets and scripts of pages, without comments and indentation. */
const pageTexts: Plugin = {
  name: "page-texts",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(?:css|browser\.js)$/ }, async ({ path }) => {
      const loader = path.endsWith(".css") ? "css" : "js";
      const { code } = await transform(readFileSync(path), {
        loader,
        minifyWhitespace: true,
        charset: "utf8",
      });
      return { contents: code, loader: "text" };
    }),
};

/** What a YAML file holds, already read. */
const yamlPlaces: Plugin = {
  name: "yaml-places",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.yaml\?places$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -"?places".length)),
      namespace: "places",
    }));
    onLoad({ filter: /./, namespace: "places" }, ({ path }) => ({
      contents: yamlPlacesOf(path),
      loader: "text",
    }));
  },
};

/** One file of scripts: modules that are imported on demand still run on demand, without a search for a file. */
const program: BuildOptions = {
  ...common,
  entryPoints: { main: "src/main.ts" },
  format: "esm",
  splitting: true,
  plugins: [
    pageTexts,
    yamlPlaces,
    cutPackages(root),
    {
      name: "write",
      setup: ({ onEnd }) => onEnd(async (built) => replace(`${root}dist/main.cjs`, await programOf(built))),
    },
  ],
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

/** The client of a server of states: a script that `serve --state valkey://...` alone loads. */
const stateClient: BuildOptions = {
  ...common,
  outdir: undefined,
  outfile: `dist/${STATE_CLIENT}`,
  stdin: { contents: STATE_CLIENT_ENTRY, resolveDir: root },
  format: "cjs",
  supported: { "dynamic-import": false },
  plugins: [cutPackages(root), { name: "write", setup: (build) => build.onEnd(write) }],
};

/** `verdict/sandbox` and `verdict/client`: modules that share what both need, so that a secret of one is one of the other. */
const library: BuildOptions = {
  ...common,
  outdir: "dist/library",
  entryPoints: { sandbox: "src/library/sandbox.ts", client: "src/library/client.ts" },
  format: "esm",
  splitting: true,
  chunkNames: "[name]-[hash]",
  outExtension: { ".js": ".mjs" },
  plugins: [yamlPlaces, cutPackages(root), { name: "write", setup: (build) => build.onEnd(write) }],
  // Packages that are scripts ask for parts of Node by `require`.
  banner: {
    js: 'import{createRequire as makeRequire}from"node:module";const require=makeRequire(import.meta.url);',
  },
  define: { esbuildDetection: "true", VERDICT_VERSION: JSON.stringify(manifest.version) },
};

function write({ outputFiles = [] }: BuildResult): void {
  for (const { path, text } of outputFiles) replace(path, ascii(text));
}

/** As a whole, so that a start during a build finds a complete file. */
function replace(path: string, text: string | Uint8Array, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, text, { mode });
  renameSync(`${path}.tmp`, path);
}

/** The text of `verdict --help`, which the gate prints without loading the program. */
function writeHelp(): void {
  const help = execFileSync(process.execPath, [`${root}dist/verdict.mjs`, "help"], { encoding: "utf8" });
  replace(`${root}dist/help.txt`, help);
}

/** One file each, which `verdict schema` prints and editors read. @returns their paths in dist */
async function writeSchemas(): Promise<string[]> {
  const { allSchemas } = await import("./schemas.ts");
  return [...allSchemas()].map(([name, schema]) => {
    const path = `schemas/${name}.json`;
    replace(`${root}dist/${path}`, `${JSON.stringify(schema)}\n`);
    return path;
  });
}

/** The day of payments of a deck, each with what became of it, packed. @returns its path in dist */
function writeDay(): string {
  const script = `${root}examples/labelled-day.mjs`;
  const day = execFileSync(process.execPath, [script, "--count", "3000"], { maxBuffer: 2 ** 24 });
  replace(`${root}dist/${DAY}`, brotliCompressSync(day));
  return DAY;
}

/** What `verdict docs` and `verdict examples` read: texts by path, packed. @returns its path in dist */
function writeDocuments(): string {
  replace(`${root}dist/${DOCUMENTS}`, brotliCompressSync(JSON.stringify(documentTexts(root))));
  return DOCUMENTS;
}

/** The manual pages. @returns their paths in dist */
function writeManual(): string[] {
  return [...manualPages(manifest.version)].map(([file, text]) => {
    replace(`${root}dist/man/${file}`, text);
    return `man/${file}`;
  });
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
  replace(`${root}dist/verdict.mjs`, `#!/usr/bin/env node\n${outputFiles![0]!.text}`, 0o777);
}

/** The types of the library. */
function writeTypes(): string[] {
  const texts = declarations(root, ["library/client", "library/sandbox"]);
  for (const [name, text] of texts) {
    replace(join(root, "dist/types", name), text);
  }
  return [...texts.keys()].map((name) => join("types", name));
}

/** Lists the man pages of the build in package.json, because npm knows them one by one. */
function listManPages(): void {
  if (!existsSync(`${root}dist/man`)) return;
  const man = readdirSync(`${root}dist/man`)
    .sort()
    .map((name) => `dist/man/${name}`);
  const entries = Object.entries(manifest)
    .filter(([name]) => name !== "man")
    .flatMap((entry) => (entry[0] === "bin" ? [entry, ["man", man] as const] : [entry]));
  const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  if (text !== manifestText) writeFileSync(`${root}package.json`, text);
}

if (watch) {
  const { context } = await import("esbuild");
  await buildGate();
  for (const options of [program, worker, stateClient, library]) await (await context(options)).watch();
  console.log("Watching; the built program is dist/verdict.mjs");
} else {
  const built = await Promise.all([program, worker, stateClient, library].map(build));
  await buildGate();
  writeHelp();
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  replace(`${root}dist/THIRD-PARTY-NOTICES`, thirdPartyNotices(root, inputs));
  const made = new Set([
    ...built.flatMap(({ outputFiles = [] }) => outputFiles.map(({ path }) => relative(`${root}dist`, path))),
    ...writeTypes(),
    ...(await writeSchemas()),
    ...writeManual(),
    writeDay(),
    writeDocuments(),
    "verdict.mjs",
    "main.cjs",
    "help.txt",
    "THIRD-PARTY-NOTICES",
  ]);
  let bytes = 0;
  for (const entry of readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    // Of an earlier build.
    if (!made.has(relative(`${root}dist`, path))) rmSync(path, { force: true });
    else bytes += statSync(path).size;
  }
  if (pack) listManPages();
  noteBuilt(root);
  console.log(`Built dist/verdict.mjs (${Math.round(bytes / 1024)} KiB in all)`);
}
