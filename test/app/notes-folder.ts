// Where the notes of a deck go to a second terminal, for a home.

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function notesFolder({ state }: { readonly state: string }): string {
  const name = createHash("sha256").update(state).digest("hex").slice(0, 16);
  return join(tmpdir(), `verdict-notes-${name}`);
}
