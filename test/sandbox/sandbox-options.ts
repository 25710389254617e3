// The options that every sandbox under test starts from.

import { join } from "node:path";
import type { SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";

export function sandboxOptions(folder: string): SandboxOptions {
  return {
    host: "127.0.0.1",
    port: 0,
    adminPort: 0,
    stateDir: join(folder, "state"),
    embedded: false,
    ephemeral: false,
    seed: null,
    recipe: recipeById("http-signatures"),
    credentialDelayS: 5,
    require: [],
    credentialUnsigned: false,
    version: "0.0.0-test",
    log: () => undefined,
  };
}
