// Saves a request as a payload that can be checked and replayed.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";

export interface SavePayloadInput extends SavedPayload {
  /** True to overwrite a payload of that name. */
  readonly replace: boolean;
}

export interface SavedAs {
  /** False when a payload of that name exists and was kept; ask the user, then save with `replace`. */
  readonly saved: boolean;
  readonly path: string;
}

/**
 * Saves a payload under its name.
 * @throws Fault("bad_input") for a name, tag or request that cannot be saved; Fault("storage") when it could not be written
 */
export async function savePayload(
  context: Pick<ActionContext, "payloads">,
  { replace, ...payload }: SavePayloadInput,
): Promise<SavedAs> {
  const payloads = await context.payloads();
  return { saved: await payloads.save(payload, replace), path: payloads.path(payload.name) };
}
