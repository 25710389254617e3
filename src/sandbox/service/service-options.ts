// What the service is made of, and its settings.

import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import type { HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

export interface ServiceOptions
  extends Omit<HttpServerOptions, "admit" | "tenant">, Omit<SandboxSwitches, "magic" | "seeded"> {
  readonly tenants: Tenants;
  readonly recipe: Recipe;
  /** While true, /ready is refused and everything else is answered. */
  readonly isLeaving: () => boolean;
  /** The state is a server's: it is not waited for longer than callers wait, and is back without a restart. */
  readonly onServer: boolean;
}
