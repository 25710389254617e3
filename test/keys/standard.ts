// The names of the standard keys, for tests of sentences.

import { BINDINGS } from "#screens/shell/bindings.ts";
import { keyNames } from "#src/keys/binding.ts";

export const keyName = keyNames(BINDINGS);
