// What the build changes in the packages that it bundles: parts that this program never runs, and that take long to start.

import { readFileSync, realpathSync } from "node:fs";
import type { Plugin } from "esbuild";

export interface Cut {
  /** Name and the exact version that was read: any other one may mean something else by the same text. */
  readonly package: `${string}@${string}`;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly cut: string;
  /** What takes its place; `ROOT/` is the folder of this repository. */
  readonly put: string;
  readonly why: string;
}

export const CUTS: readonly Cut[] = [
  {
    package: "commander@15.1.0",
    file: "lib/command.js",
    cut: "import childProcess from 'node:child_process';",
    put: "const childProcess = undefined;",
    why: "starts subcommands that are programs of their own; ours are none",
  },
  {
    package: "fastify@5.12.8",
    file: "lib/schema-controller.js",
    cut: "require('@fastify/ajv-compiler')",
    put: "null",
    why: "no route has a schema",
  },
  {
    package: "fastify@5.12.8",
    file: "lib/schema-controller.js",
    cut: "require('@fastify/fast-json-stringify-compiler')",
    put: "null",
    why: "no route has a schema",
  },
  {
    package: "fastify@5.12.8",
    file: "fastify.js",
    cut: "require('light-my-request')",
    put: "null",
    why: "its own test client",
  },
  {
    package: "fastify@5.12.8",
    file: "lib/logger-factory.js",
    cut: "require('./logger-pino.js')",
    put: "{}",
    why: "the log is our own",
  },
  {
    package: "fastify@5.12.8",
    file: "lib/plugin-utils.js",
    cut: "require('semver')",
    put: "null",
    why: "no plugin asks for a version",
  },
  {
    package: "find-my-way@9.10.1",
    file: "index.js",
    cut: "require('safe-regex2')",
    put: "() => true",
    why: "no route holds a regular expression; the others that it judges are its own",
  },
  {
    package: "restore-cursor@4.0.0",
    file: "index.js",
    cut: "process.stderr.write(",
    put: "process.stderr.isTTY && process.stderr.write(",
    why: "gives a terminal its cursor back, and would write that into a file as well",
  },
  {
    package: "undici@8.12.4",
    file: "lib/dispatcher/proxy-agent.js",
    cut: "require('./socks5-proxy-agent')",
    put: "class {}",
    why: "only HTTP proxies are used",
  },
  {
    package: "undici@8.12.4",
    file: "lib/dispatcher/client-h1.js",
    cut: "require('./parser-h1.js')",
    put: "{}",
    why: "a second parser, which `esbuildDetection`, the switch of undici's bundle in Node, turns off",
  },
  {
    package: "undici@8.12.4",
    file: "lib/dispatcher/client.js",
    cut: "require('./client-h2.js')",
    put: "null",
    why: "HTTP/2 is switched off",
  },
  {
    package: "undici@8.12.4",
    file: "lib/dispatcher/client-h1.js",
    cut: "require('../llhttp/llhttp_simd-wasm.js')",
    put: "require('../llhttp/llhttp-wasm.js')",
    why: "the parser a second time, for processors with SIMD: no faster on answers of this size, and 72 kB",
  },
  {
    package: "undici@8.12.4",
    file: "lib/dispatcher/client-h1.js",
    cut: "require('../web/fetch/body.js').extractBody",
    put: "null",
    why: "bodies are bytes, no forms",
  },
  {
    package: "undici@8.12.4",
    file: "lib/core/request.js",
    cut: "require('../web/fetch/formdata')\n    isFormData = require('../web/webidl').webidl.is.FormData",
    put: "isFormData = () => false",
    why: "bodies are bytes, no forms",
  },
  {
    package: "@redis/client@6.3.1",
    file: "dist/lib/client/index.js",
    cut: 'require("../commands")',
    put: "{}",
    why: "commands are sent as their words, so none needs a method",
  },
  {
    package: "@redis/client@6.3.1",
    file: "dist/lib/client/index.js",
    cut: 'require("../command-metadata")',
    put: "{}",
    why: "the table of what may be cached; nothing is",
  },
  {
    package: "@redis/client@6.3.1",
    file: "dist/lib/client/index.js",
    cut: 'require("./legacy-mode")',
    put: "{}",
    why: "the interface of its earlier versions",
  },
  {
    package: "@redis/client@6.3.1",
    file: "dist/lib/client/index.js",
    cut: 'require("./pool")',
    put: "{}",
    why: "one connection is opened at a time",
  },
  {
    package: "@redis/client@6.3.1",
    file: "dist/lib/client/multi-command.js",
    cut: 'require("../commands")',
    put: "{}",
    why: "commands are sent as their words, so none needs a method",
  },
  {
    package: "terminal-size@4.0.1",
    file: "index.js",
    cut: "import {execFileSync} from 'node:child_process';",
    put: "const execFileSync = undefined;",
    why: "asks other programs where the window does not say its size; without them it falls back to 80x24",
  },
  {
    package: "ink@8.0.0",
    file: "build/reconciler.js",
    cut:
      "if (process.env['DEV'] === 'true') {\n" +
      "    // Intentionally no warning when the package is missing.\n" +
      "    // DEV may be set for other reasons; devtools is opt-in via installing the package.\n" +
      "    let isDevtoolsInstalled = false;\n" +
      "    try {\n" +
      "        import.meta.resolve('react-devtools-core');\n" +
      "        isDevtoolsInstalled = true;\n" +
      "    }\n" +
      "    catch { }\n" +
      "    if (isDevtoolsInstalled) {\n" +
      "        await import('./devtools.js');\n" +
      "    }\n" +
      "}",
    put: "",
    why: "waits for React's developer tools, which are not installed, and a script cannot",
  },
  {
    package: "ink@8.0.0",
    file: "build/reconciler.js",
    cut: "if (process.env['DEV'] === 'true') {\n    try {\n        const loaded = await loadPackageJson();",
    put: "if (false) {\n    try {\n        const loaded = {};",
    why: "names itself for those tools",
  },
  {
    package: "string-width@8.3.0",
    file: "index.js",
    cut: "export default function stringWidth(",
    put:
      'import { leanStringWidth } from "ROOT/src/ui/lean-text.ts";' +
      "export default leanStringWidth(() => stringWidth); function stringWidth(",
    why: "compiles the list of all emoji at the first character that is not ASCII, such as a rule between panes",
  },
  {
    package: "string-width@8.3.0",
    file: "index.js",
    cut: "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;",
    put:
      'import { mayBeEmoji } from "ROOT/src/ui/lean-text.ts"; let rgiEmoji; const rgiEmojiRegex = ' +
      '{ test: (text) => mayBeEmoji(text) && (rgiEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };',
    why: "the same list as a literal is read at the start of every command, for 20 to 40 ms, and needed for emoji alone",
  },
  {
    package: "yoga-layout@3.2.1",
    file: "dist/binaries/yoga-wasm-base64-esm.js",
    cut: "var loadYoga = (() => {",
    put: "export var binary; var loadYoga = (() => {",
    why: "the WebAssembly is given to the cut below",
  },
  {
    package: "yoga-layout@3.2.1",
    file: "dist/binaries/yoga-wasm-base64-esm.js",
    cut: "var H;H=",
    put: "var H;H=binary=",
    why: "the WebAssembly is given to the cut below",
  },
  {
    package: "yoga-layout@3.2.1",
    file: "dist/src/index.js",
    cut: "const Yoga = wrapAssembly(await loadYoga());",
    put: `import { binary } from "../binaries/yoga-wasm-base64-esm.js";
const yoga = {
  instantiateWasm(imports, receive) {
    const bytes = Buffer.from(binary.slice(binary.indexOf(",") + 1), "base64");
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
    receive(instance);
    return instance.exports;
  },
};
loadYoga(yoga);
const Yoga = wrapAssembly(yoga);`,
    why: "reads its WebAssembly by fetch, which loads Node's HTTP client, and waits for it, which a script cannot",
  },
];

/** What our own modules get of undici: its fetch, caches and mocks are as much again. */
const UNDICI: Readonly<Record<string, string>> = {
  "src/client/exchange.ts":
    'export { default as Agent } from "undici/lib/dispatcher/agent.js";' +
    'export { default as buildConnector } from "undici/lib/core/connect.js";',
  // The package's own entry gives its dispatchers their methods.
  "src/client/proxy-agent.ts":
    'import Dispatcher from "undici/lib/dispatcher/dispatcher.js";' +
    'import connect from "undici/lib/api/api-connect.js";' +
    "Dispatcher.prototype.connect = connect;" +
    'export { default as Pool } from "undici/lib/dispatcher/pool.js";' +
    'export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";',
};

/** File of the build with what is used of @redis/client. */
export const STATE_CLIENT = "state-client.cjs";

/** Its clusters and pools are left out. */
export const STATE_CLIENT_ENTRY =
  'export { ErrorReply } from "@redis/client/dist/lib/errors.js";' +
  'export { RESP_TYPES } from "@redis/client/dist/lib/RESP/decoder.js";' +
  'import Client from "@redis/client/dist/lib/client/index.js";' +
  "export const createClient = Client.create;";

/** What our own modules get of @redis/client: the program reads and compiles that file when it is asked for. */
const STATE_CLIENT_LOADED =
  'import { createRequire } from "node:module";' +
  'import { compileFunction } from "node:vm";' +
  'import { programFile } from "#src/storage/program-files.ts";' +
  "const module = { exports: {} };" +
  `const code = programFile("${STATE_CLIENT}").toString("latin1");` +
  'compileFunction(code, ["module", "exports", "require"])(module, module.exports, createRequire(import.meta.url));' +
  "export const { createClient, ErrorReply, RESP_TYPES } = module.exports;";

/** For esbuild's `define`. */
export const CUT_DEFINES: Readonly<Record<string, string>> = {
  esbuildDetection: "true",
  "Intl.Segmenter": "LeanSegmenter",
};

/** @throws Error in one sentence when the text to cut does not stand in the file exactly once */
export function applyCut(text: string, { package: of, file, cut, put }: Cut, root: string): string {
  const [before, after, ...more] = text.split(cut);
  if (after === undefined || more.length > 0) {
    throw new Error(
      `${file} of ${of} does not hold ${JSON.stringify(cut)} exactly once: see src/build/cuts.ts.`,
    );
  }
  return before + put.replace("ROOT/", () => root) + after;
}

/** @throws Error in one sentence when another version is installed than the one that was read */
export function requireVersion({ package: of }: Cut, root: string): void {
  const at = of.lastIndexOf("@");
  const manifest = readFileSync(`${root}node_modules/${of.slice(0, at)}/package.json`, "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  if (version !== of.slice(at + 1)) {
    throw new Error(`src/build/cuts.ts knows ${of}, and ${version} is installed: compare the two.`);
  }
}

export function fileOf({ package: of, file }: Cut, root: string): string {
  return realpathSync(`${root}node_modules/${of.slice(0, of.lastIndexOf("@"))}/${file}`);
}

/** @param root folder of this repository, with a slash behind it */
export function cutPackages(root: string): Plugin {
  return {
    name: "cut-packages",
    setup(build) {
      for (const cut of CUTS) requireVersion(cut, root);
      const byFile = Map.groupBy(CUTS, (cut) => fileOf(cut, root));
      build.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, ({ path }) => {
        const cuts = byFile.get(path);
        if (cuts === undefined) return null;
        const text = readFileSync(path, "utf8");
        return { contents: cuts.reduce((cutText, cut) => applyCut(cutText, cut, root), text), loader: "js" };
      });
      build.onResolve({ filter: /^undici$/ }, ({ importer }) => {
        const path = importer.slice(root.length);
        return path in UNDICI ? { path, namespace: "undici" } : null;
      });
      build.onLoad({ filter: /.*/, namespace: "undici" }, ({ path }) => ({
        contents: UNDICI[path]!,
        resolveDir: root,
      }));
      build.onResolve({ filter: /^@redis\/client$/ }, () => ({ path: "client", namespace: "state-client" }));
      build.onLoad({ filter: /.*/, namespace: "state-client" }, () => ({
        contents: build.initialOptions.splitting === true ? STATE_CLIENT_ENTRY : STATE_CLIENT_LOADED,
        resolveDir: root,
      }));
    },
  };
}
