// What Ink's packages do at every start although most texts do not need it, done at the first text that does.

import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** Names for esbuild's `define`. */
export const LEAN_DEFINES: Readonly<Record<string, string>> = { "Intl.Segmenter": "LeanSegmenter" };

/** Emscripten's own hook for a module that is compiled elsewhere: what it needs is there when it returns. */
const INSTANTIATED = `
import { binary } from "../binaries/yoga-wasm-base64-esm.js";
function instantiated(load) {
  const yoga = {
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(binary, "base64")), imports);
      receive(instance);
      return instance.exports;
    },
  };
  load(yoga);
  return yoga;
}`;

/**
 * - yoga-layout waits for its own WebAssembly, which it reads through `fetch`, which loads Node's HTTP client; it is at hand,
 *   and a script cannot wait while it is loaded
 * - Ink waits for React's developer tools, which are not installed, when it is asked to
 * - string-width compiles the list of all emoji at the first character that is not ASCII, such as a rule between panes
 * - terminal-size asks other programs where the window does not say its size; it falls back to 80x24 where it cannot
 */
export function leanInk(root: string): Plugin {
  return {
    name: "lean-ink",
    setup(build) {
      build.onLoad({ filter: /[\\/]ink[\\/]build[\\/]reconciler\.js$/ }, ({ path }) => {
        const asked = "process.env['DEV'] === 'true'";
        const source = readFileSync(path, "utf8");
        if (!source.includes(asked)) throw changed("ink");
        return { contents: source.replaceAll(asked, "false"), loader: "js" };
      });
      build.onLoad({ filter: /[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/ }, ({ path }) => {
        const index = readFileSync(path, "utf8");
        const contents = index.replace("await loadYoga()", "instantiated(loadYoga)");
        if (contents === index) throw changed("yoga-layout");
        return { contents: `${contents}\n${INSTANTIATED}`, loader: "js" };
      });
      build.onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
        const [before, binary, after, ...more] = readFileSync(path, "utf8").split(
          /"data:application\/octet-stream;base64,([^"]+)"/,
        );
        if (binary === undefined || more.length > 0) throw changed("yoga-layout");
        return { contents: `${before}""${after}\nexport const binary="${binary}";`, loader: "js" };
      });
      build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        importer.includes("terminal-size") ? { path: "no-processes", namespace: "lean-ink" } : null,
      );
      build.onLoad({ filter: /^no-processes$/, namespace: "lean-ink" }, () => ({
        contents: "export const execFileSync = undefined;",
      }));
      build.onResolve({ filter: /^string-width$/ }, ({ namespace }) =>
        namespace === "lean-ink" ? null : { path: "string-width", namespace: "lean-ink" },
      );
      build.onLoad({ filter: /^string-width$/, namespace: "lean-ink" }, () => ({
        contents: [
          `import { leanStringWidth } from "#src/ui/lean-text.ts";`,
          `export default leanStringWidth(() => require("string-width").default);`,
        ].join("\n"),
        resolveDir: `${root}src`,
      }));
    },
  };
}

function changed(name: string): Error {
  return new Error(`${name} is not written as it was: see src/build/lean-ink.ts.`);
}
