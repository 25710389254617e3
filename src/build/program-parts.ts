// Cuts the program into parts, of which a command loads those that it needs: what is loaded is read and compiled.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { build, transform, type BuildOptions, type BuildResult } from "esbuild";
import { HEAD_BYTES, START } from "#src/app/compiled-code.ts";

/** A chunk of more bytes is a part of its own. The first part holds the small chunks and what every command needs. */
const OWN_PART = 2_000;

/** What it asks for by `require` is another part or a module of Node: src/app/compiled-code.ts answers. */
const SCRIPT = {
  format: "cjs",
  target: "es2024",
  platform: "node",
  minifySyntax: true,
  minifyWhitespace: true,
  supported: { "dynamic-import": false },
} as const satisfies BuildOptions;

/**
 * The content of main.cjs: a head that says where the parts stand, and the parts, each a function around a script.
 * @param built the program as modules, split where one is loaded on demand
 */
export async function programOf(built: BuildResult): Promise<string> {
  const parts = await partsOf(built);
  const texts = [...parts.values()].map(ascii);
  let at = HEAD_BYTES;
  const places = [...parts.keys()].map((name, index) => {
    const start = at;
    at += texts[index]!.length;
    return [name, [start, texts[index]!.length]];
  });
  const hash = createHash("sha256").update(texts.join("")).digest("hex").slice(0, 16);
  const head = JSON.stringify({ build: hash, parts: Object.fromEntries(places) });
  const room = HEAD_BYTES - "/**/\n".length;
  if (head.length > room)
    throw new Error(`${places.length} parts are more than the head of main.cjs can name.`);
  return `/*${head.padEnd(room)}*/\n${texts.join("")}`;
}

/** The parts by the name of their chunk. */
async function partsOf({ outputFiles = [], metafile }: BuildResult): Promise<Map<string, string>> {
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const imports = new Map(
    Object.entries(metafile!.outputs).map(([path, output]) => [
      nameOf(path),
      output.imports.flatMap((each) =>
        each.external === true ? [] : [{ name: nameOf(each.path), kind: each.kind }],
      ),
    ]),
  );
  const first = new Set<string>();
  const add = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const each of imports.get(name)!) if (each.kind === "import-statement") add(each.name);
  };
  add(START);
  for (const [name, { length }] of texts) if (length <= OWN_PART) first.add(name);

  const others = [...texts].filter(([name]) => !first.has(name));
  const wanted = new Set(others.flatMap(([name]) => imports.get(name)!.map((each) => each.name)));
  const asked = [...first].filter((name) => wanted.has(name));
  const parts = new Map([[START, await firstPart(texts, first, asked)]]);
  for (const [name, text] of others) parts.set(name, await lean((await transform(text, SCRIPT)).code));
  return parts;
}

/** @param asked the chunks in it that other parts ask for */
async function firstPart(
  texts: ReadonlyMap<string, string>,
  first: ReadonlySet<string>,
  asked: readonly string[],
): Promise<string> {
  const chunks = asked.map((name) => `${JSON.stringify(name)}:()=>require(${JSON.stringify(name)})`);
  const { outputFiles } = await build({
    ...SCRIPT,
    bundle: true,
    write: false,
    logLevel: "warning",
    stdin: { contents: `import "${START}"; export const chunks = {${chunks.join()}};`, resolveDir: "/" },
    plugins: [
      {
        name: "chunks",
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^\.\// }, ({ path }) =>
            first.has(path) ? { path, namespace: "chunk" } : { path, external: true },
          );
          onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => ({ contents: texts.get(path)! }));
        },
      },
    ],
  });
  return lean(outputFiles[0]!.text);
}

/** How esbuild copies the exports of a module for another script: each use of one would go through two functions. */
const COPIED = '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod)';

/** A function around a script that gives others its exports themselves, with short names. */
async function lean(code: string): Promise<string> {
  const shared = code.replace(COPIED, '__toCommonJS=mod=>__defProp(mod,"__esModule",{value:!0})');
  if (shared === code && code.includes("__toCommonJS")) throw new Error("esbuild copies exports otherwise.");
  // Inside of a function names are free.
  const wrapped = `(function(exports,require,module,verdictUrl){${shared}});`;
  const { code: short } = await transform(wrapped, {
    target: SCRIPT.target,
    minifyIdentifiers: true,
    minifyWhitespace: true,
  });
  return short;
}

function nameOf(path: string): string {
  return `./${basename(path)}`;
}

/** esbuild keeps other characters in regular expressions, and one of them doubles the memory of the text. */
export function ascii(code: string): string {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
