// The commands of the screen for a credential that could not be saved.

import { commands, key } from "#src/keys/command.ts";
import type { UnsavedCredentials } from "#src/state/register/unsaved-credentials.ts";

interface Scene {
  readonly unsavedCredentials: UnsavedCredentials;
  readonly isSaving: boolean;
  /** Why the secret cannot be hidden again on this terminal; null where it can. */
  readonly scrolls: string | null;
}

const not = ({ isSaving }: Scene): string | null =>
  isSaving ? "The credential is being saved; please wait." : null;

export const RESCUE = commands<Scene>("rescue", "Credential not saved", 2, {
  retry: key("r", "save again", 1, (s) => s.unsavedCredentials.retry(), { not }),
  file: key("f", "save as a file", 2, (s) => s.unsavedCredentials.toFile(), { not }),
  reveal: key("v", "reveal for 10 s", 3, (s) => s.unsavedCredentials.reveal(), {
    exposes: true,
    not: ({ scrolls }) => scrolls,
  }),
  giveUp: key("esc", "discard", 4, (s) => s.unsavedCredentials.giveUp(), { not }),
});
