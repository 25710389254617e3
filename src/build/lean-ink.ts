// What Ink's packages do at every start although most texts do not need it, done at the first text that does.

import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** Names for esbuild's `define`. */
export const LEAN_DEFINES: Readonly<Record<string, string>> = { "Intl.Segmenter": "LeanSegmenter" };

/**
 * - yoga-layout reads its own WebAssembly through `fetch`, which loads Node's HTTP client; without one it decodes it itself
 * - string-width compiles the list of all emoji at the first character that is not ASCII, such as a rule between panes
 * - terminal-size asks other programs where the window does not say its size; it falls back to 80x24 where it cannot
 */
export function leanInk(root: string): Plugin {
  return {
    name: "lean-ink",
    setup(build) {
      build.onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
        contents: `const fetch=undefined;${readFileSync(path, "utf8")}`,
        loader: "js",
      }));
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
