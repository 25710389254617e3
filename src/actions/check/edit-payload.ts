// Edits a saved payload as text: reads the text for the editor, and saves the edited one.

import type { ActionContext } from "#src/actions/action-context.ts";
import { badInput, Fault, noSuch } from "#src/contract/fault.ts";
import { readPayload } from "#src/contract/fields/payload.ts";

export interface PayloadText {
  readonly name: string;
  /** The raw text of the file, so that an invalid one can be corrected. */
  readonly text: string;
}

export interface SavedText {
  /** False when nothing was changed, and so nothing was written. */
  readonly changed: boolean;
  /** One sentence each. */
  readonly warnings: readonly string[];
}

/**
 * The text of a saved payload.
 * @throws Fault("usage") when there is none of that name, Fault("bad_input") for a bad name, Fault("storage") for no regular file
 */
export async function payloadText(
  context: Pick<ActionContext, "payloads">,
  name: string,
): Promise<PayloadText> {
  const bytes = await (await context.payloads()).readBytes(name);
  if (bytes === null) throw noSuchPayload(name);
  return { name, text: new TextDecoder().decode(bytes) };
}

/**
 * Saves an edited text of a payload.
 * @param before the text before editing
 * @throws Fault("bad_input") for a text that is no payload, or when another process has changed the payload;
 * Fault("storage") when it could not be written. The payload is as it was then.
 */
export async function savePayloadText(
  context: Pick<ActionContext, "payloads" | "now" | "profile">,
  before: PayloadText,
  text: string,
): Promise<SavedText> {
  const { name } = before;
  const bytes = new TextEncoder().encode(text);
  const read = readPayload(bytes, "The text", [], context.now(), context.profile.currencyNumbering);
  const { expect, tags, request, warnings } = read;
  if (text === before.text) return { changed: false, warnings };
  if (read.name !== null && read.name !== name) {
    throw badInput`The text contains the name "${read.name}", but the payload is "${name}"; keep "${name}", and save a copy with "verdict payload save".`;
  }
  if ((await payloadText(context, name)).text !== before.text) {
    throw badInput`Payload "${name}" was changed in another session and was not saved; save again to overwrite that change.`;
  }
  const payloads = await context.payloads();
  await payloads.save({ name, expect, tags, request }, true);
  return { changed: true, warnings };
}

/** The fault for an unknown name. */
export function noSuchPayload(name: string): Fault {
  return noSuch("payload", name, "verdict payload list");
}
