// The documents and the examples that the build has packed into the program.

import { brotliDecompressSync } from "node:zlib";
import { programFile } from "#src/storage/program-files.ts";

export interface Page {
  /** The path in the folder of its kind, without `.md`: `first-check`, `commands/check`. */
  readonly name: string;
  /** `tutorials`, `how-to`, `reference` or `explanation` */
  readonly kind: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** In the order of the index. */
export function documentPages(): Page[] {
  return [...packedFiles()].flatMap(([path, text]) => {
    const [, kind, name] = /^docs\/([a-z-]+)\/(.*?)(?:\/README)?\.md$/.exec(path) ?? [];
    return kind === undefined ? [] : [{ name: name!, kind, title: /^# (.*)$/m.exec(text)![1]!, text }];
  });
}

/** Texts by path in the folder of examples. */
export function exampleFiles(): Map<string, string> {
  const files = [...packedFiles()].filter(([path]) => path.startsWith("examples/"));
  return new Map(files.map(([path, text]) => [path.replace("examples/", ""), text]));
}

function packedFiles(): Map<string, string> {
  const text = brotliDecompressSync(programFile("documents.json.br")).toString("utf8");
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}
