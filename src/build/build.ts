// Makes the built program in dist/: the version gate, and the bundle behind it with its lazily loaded parts.

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statSync, readdirSync, writeFileSync, chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform, type BuildOptions, type Plugin } from "esbuild";
import { LEAN_DEFINES, leanInk } from "./lean-ink.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
const watch = process.argv.includes("--watch");

/**
 * Parts of packages that we never call and that take long to start.
 * - commander asks for child processes, a fifth of the time of a bare Node, for commands that are programs of their own
 * - Fastify's compilers for JSON schemas and its own test client are not used
 * - Ink connects to React's developer tools, which are not installed, when it is asked to
 * - of undici we use the agent, and the one for proxies where there is a proxy; its fetch, caches and mocks are as
 *   much again, and so is its proxy of another kind
 */
const LEANER: readonly { readonly filter: RegExp; readonly importer: string; readonly contents: string }[] = [
  { filter: /^node:child_process$/, importer: "commander", contents: "export default {};" },
  {
    filter: /^(?:@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)|light-my-request)$/,
    importer: "fastify",
    contents: "module.exports = null;",
  },
  { filter: /^react-devtools-core$/, importer: "ink", contents: "export default {};" },
  {
    filter: /^undici$/,
    importer: "src/client/exchange",
    contents: 'export { default as Agent } from "undici/lib/dispatcher/agent.js";',
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

const options: BuildOptions = {
  absWorkingDir: root,
  // The worker is a program of its own beside the other parts, where it is looked for by name.
  entryPoints: { main: "src/main.ts", "history-worker": "src/storage/history-worker.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  // A node target would rewrite Unicode property escapes into one huge regular expression per character class.
  target: "es2024",
  minify: true,
  sourcemap: false,
  legalComments: "none",
  plugins: [promptInk, leaner, leanInk(root)],
  inject: ["src/ui/lean-text.ts"],
  loader: { ".yaml": "text" },
  define: {
    ...LEAN_DEFINES,
    "process.env.NODE_ENV": '"production"',
    VERDICT_VERSION: JSON.stringify(manifest.version),
  },
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: 'import{createRequire as __verdictRequire}from"node:module";const require=__verdictRequire(import.meta.url);',
  },
  logLevel: "warning",
};

/** The text of `verdict --help`, which the gate prints without loading the program. */
function writeHelp(): void {
  const help = execFileSync(process.execPath, [`${root}dist/verdict.mjs`, "help"], { encoding: "utf8" });
  writeFileSync(`${root}dist/help.txt`, help);
}

/** The gate stays a file of its own: static imports of a bundle would run before its first statement. */
async function buildGate(): Promise<void> {
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
  await buildGate().catch(() => undefined);
  const watching = await context(options);
  await watching.watch();
  await buildGate();
  console.log("Watching; the built program is dist/verdict.mjs");
} else {
  const { metafile } = await build({ ...options, metafile: true });
  await buildGate();
  writeHelp();
  // What an earlier build left goes last: until then a program that runs finds its parts.
  const made = new Set([...Object.keys(metafile.outputs), "dist/verdict.mjs", "dist/help.txt"]);
  for (const name of readdirSync(`${root}dist`)) {
    if (!made.has(`dist/${name}`)) rmSync(`${root}dist/${name}`, { recursive: true, force: true });
  }
  const bytes = readdirSync(`${root}dist`).reduce(
    (sum, name) => sum + statSync(`${root}dist/${name}`).size,
    0,
  );
  console.log(`Built dist/verdict.mjs (${Math.round(bytes / 1024)} KiB in all)`);
}
