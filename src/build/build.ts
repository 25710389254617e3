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
import { build, transform, type BuildOptions, type BuildResult, type Plugin } from "esbuild";
import { LEAN_DEFINES, leanInk } from "./lean-ink.ts";
import { thirdPartyNotices } from "./notices.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
const watch = process.argv.includes("--watch");

/**
 * Parts of packages that we never call and that take long to start.
 * - commander asks for child processes, a fifth of the time of a bare Node, for commands that are programs of their own
 * - Fastify's compilers for JSON schemas and its own test client are not used
 * - of undici we use the agent, and the one for proxies where there is a proxy; its fetch, caches and mocks are as
 *   much again, and so is its proxy of another kind; HTTP/2 is switched off
 */
const LEANER: readonly { readonly filter: RegExp; readonly importer: string; readonly contents: string }[] = [
  { filter: /^node:child_process$/, importer: "commander", contents: "export default {};" },
  {
    filter: /^(?:@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)|light-my-request)$/,
    importer: "fastify",
    contents: "module.exports = null;",
  },
  {
    filter: /^undici$/,
    importer: "src/client/exchange",
    contents:
      'export { default as Agent } from "undici/lib/dispatcher/agent.js";' +
      'export { default as buildConnector } from "undici/lib/core/connect.js";',
  },
  {
    filter: /^undici$/,
    importer: "src/client/proxy-agent",
    // The package's own entry gives its dispatchers their methods.
    contents:
      'import Dispatcher from "undici/lib/dispatcher/dispatcher.js";' +
      'import connect from "undici/lib/api/api-connect.js";' +
      "Dispatcher.prototype.connect = connect;" +
      'export { default as Pool } from "undici/lib/dispatcher/pool.js";' +
      'export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";',
  },
  { filter: /^\.\/socks5-proxy-agent$/, importer: "proxy-agent.js", contents: "module.exports = class {};" },
  // With `esbuildDetection`, the switch of undici's own bundle in Node, nothing of it is asked for.
  { filter: /^\.\/parser-h1\.js$/, importer: "undici", contents: "module.exports = {};" },
  { filter: /^\.\/client-h2\.js$/, importer: "undici", contents: "module.exports = null;" },
];

const leaner: Plugin = {
  name: "leaner-packages",
  setup(build) {
    for (const [index, { filter, importer, contents }] of LEANER.entries()) {
      const namespace = `leaner-${index}`;
      build.onResolve({ filter }, (asked) =>
        asked.importer.includes(importer) ? { path: asked.path, namespace } : null,
      );
      build.onLoad({ filter: /.*/, namespace }, () => ({ contents, resolveDir: root }));
    }
  },
};

/** ink-text-input hears keys from our dispatcher only, one per drawing: by itself it loses some (README, dependencies). */
const promptInk: Plugin = {
  name: "prompt-ink",
  setup(build) {
    build.onResolve({ filter: /^ink$/ }, ({ importer }) =>
      /[\\/]ink-text-input[\\/]/.test(importer) ? { path: `${root}src/keys/prompt-ink.ts` } : null,
    );
  },
};

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
 * One file: what is imported on demand runs on demand, and yet costs no search for a file. It is a script and no module,
 * so that the gate can keep the compiled code of the functions that were called.
 */
const program: BuildOptions = {
  ...common,
  entryPoints: { main: "src/main.ts" },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  supported: { "dynamic-import": false },
  plugins: [promptInk, leaner, leanInk(root), { name: "write", setup: (build) => build.onEnd(write) }],
  inject: ["src/ui/lean-text.ts"],
  define: {
    ...LEAN_DEFINES,
    "process.env.NODE_ENV": '"production"',
    "import.meta.url": "verdictUrl",
    // Without undici's second parser, as Node bundles it.
    esbuildDetection: "true",
    VERDICT_VERSION: JSON.stringify(manifest.version),
  },
};

/** A program of its own beside the other, where it is looked for by name. */
const worker: BuildOptions = {
  ...common,
  entryPoints: { "history-worker": "src/storage/database/history-worker.ts" },
  format: "esm",
  outExtension: { ".js": ".mjs" },
  plugins: [{ name: "write", setup: (build) => build.onEnd(write) }],
};

/**
 * Each file is whole under its name, for whoever starts meanwhile, begins with what tells it from all others, and is ASCII:
 * esbuild leaves regular expressions as they are, and one other character doubles the memory of the whole text.
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

/** The gate stays a file of its own: static imports of a bundle would run before its first statement. */
async function buildGate(): Promise<void> {
  mkdirSync(`${root}dist`, { recursive: true });
  const source = readFileSync(`${root}src/verdict.ts`, "utf8");
  const gate = await transform(source, {
    loader: "ts",
    format: "esm",
    define: { VERDICT_VERSION: JSON.stringify(manifest.version) },
  });
  writeFileSync(`${root}dist/verdict.mjs`, `#!/usr/bin/env node\n${gate.code}`);
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
  const made = new Set(
    built.flatMap(({ outputFiles = [] }) => outputFiles.map(({ path }) => basename(path))),
  );
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  writeFileSync(`${root}dist/THIRD-PARTY-NOTICES`, thirdPartyNotices(root, inputs));
  made.add("verdict.mjs").add("help.txt").add("THIRD-PARTY-NOTICES");
  // What an earlier build left.
  for (const name of readdirSync(`${root}dist`)) {
    if (!made.has(name)) rmSync(`${root}dist/${name}`, { recursive: true, force: true });
  }
  const bytes = readdirSync(`${root}dist`).reduce(
    (sum, name) => sum + statSync(`${root}dist/${name}`).size,
    0,
  );
  console.log(`Built dist/verdict.mjs (${Math.round(bytes / 1024)} KiB in all)`);
}
