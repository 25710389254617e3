// The unfinished payment of each profile as JSON, for the next start of the console.

import { asObject, asText } from "#src/storage/record-shape.ts";
import { openDocument, type Document, type DocumentOptions } from "./document.ts";

/** By the name of the profile. */
export type Drafts = Document<Record<string, string>>;

/** Opens the drafts; touches no file before the first call. */
export function openDrafts(options: Pick<DocumentOptions<unknown>, "path" | "onProblem">): Drafts {
  return openDocument<Record<string, string>>({
    ...options,
    format: "verdict/drafts",
    schema: 1,
    initial: () => ({}),
    parse: (value) =>
      Object.fromEntries(Object.entries(asObject(value)).map(([name, text]) => [name, asText(text)])),
  });
}
