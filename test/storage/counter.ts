// A document that holds one number.

import { anyNumber, openMap } from "#src/contract/text/shape.ts";
import type { Document } from "#src/storage/documents/document.ts";
import { openDocument } from "#src/storage/documents/document.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";

export interface Counter {
  value: number;
}

/** A document that keeps what it was told of damage. */
export type OpenCounter = Document<Counter> & { readonly problems: readonly StoreProblem[] };

export function openCounter(path: string, fs: FileSystem = nodeFileSystem, schema = 1): OpenCounter {
  const problems: StoreProblem[] = [];
  const document = openDocument<Counter>({
    path,
    onProblem: (problem) => problems.push(problem),
    format: "test/counter",
    schema,
    initial: () => ({ value: 0 }),
    shape: openMap({ value: anyNumber() }),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    fs,
  });
  return { ...document, problems };
}
