// A request as tests write it, with its header lines as pairs, and verifying it.

import type { Call } from "#src/contract/wire/wire.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import type { KeyRecord } from "#src/signing/usable-key.ts";
import * as verifying from "#src/signing/verify.ts";

export interface Sent extends Omit<verifying.Received, "headers"> {
  /** every header line, duplicates included */
  readonly headers: readonly (readonly [string, string])[];
}

export function arrived(sent: Sent): verifying.Received {
  return { ...sent, headers: new HeaderTable(sent.headers.flat()) };
}

export function verify(
  recipe: Recipe,
  sent: Sent,
  key: KeyRecord | null,
  nowMs: number,
  call: Call,
): verifying.Verification {
  return verifying.verify(recipe, arrived(sent), key, nowMs, call);
}
