// The unfinished payment of each profile as JSON, for the next start of the console.

import { anyText, named } from "#src/contract/text/shape.ts";
import { openDocument, type Document, type DocumentOptions } from "./document.ts";

/** By the name of the profile. */
export type Drafts = Document<Readonly<Record<string, string>>>;

/** Opens the drafts; touches no file before the first call. */
export function openDrafts(options: Pick<DocumentOptions<unknown>, "path" | "onProblem">): Drafts {
  return openDocument({
    ...options,
    format: "verdict/drafts",
    schema: 1,
    initial: () => ({}),
    shape: named(anyText(), anyText()),
  });
}
