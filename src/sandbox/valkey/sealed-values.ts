// What workers keep on a server, sealed and bound to its place with AES-256-GCM: a value that was changed, or that stood
// somewhere else, does not open.

import { Fault, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { openSealed, seal, type Sealed } from "#src/storage/documents/sealing.ts";
import type { Reply } from "./replies.ts";

/** @param place its key, and its field in a hash; what is copied to another epoch keeps the name that it had */
export function sealValue(sealingKey: Buffer, value: unknown, place: string): Sealed {
  return seal(sealingKey, Buffer.from(JSON.stringify(value)), place);
}

/** @throws Fault `storage` where there is anything but what a worker has sealed for this place */
export function openValue(sealingKey: Buffer, reply: Reply | undefined, place: string): unknown {
  const bytes = openSealed(sealingKey, String(reply), place);
  if (bytes === null) throw damaged(place);
  return JSON.parse(bytes.toString("utf8"));
}

/** Something of a place that no worker has put there. */
export function damaged(place: string): Fault {
  const sentence = `The server has something at ${escapeText(place, 200)} that no worker has written there; restore its files.`;
  return new Fault("storage", whole(sentence));
}
