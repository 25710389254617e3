// Reads the payload that a command names: a file, standard input, or a saved payload.

import { existsSync } from "node:fs";
import type { Invocation } from "#src/cli/command.ts";
import { isEmptyByChance, isPiped, readAll, readDocument } from "#src/app/read-input.ts";
import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { readPayload, type Payload } from "#src/contract/fields/payload.ts";
import { payloadNameProblem } from "#src/contract/records/saved-payload.ts";
import { safe } from "#src/display/safe.ts";

/** The name of piped standard input, `-`; undefined on a terminal. */
export function pipedName({ stdin }: Pick<Invocation, "stdin">): string | undefined {
  return isPiped(stdin) ? "-" : undefined;
}

/** Why a command waits, for somebody whose standard input is open and holds no payload. */
export const WAITING = "Waiting for a payload on standard input";
/** What to do where it holds none. */
const NONE = "add < /dev/null to the command if --set gives all fields";
const WAITING_MS = 1_000;

/**
 * Reads the payload of a command whose file is optional: the named one, else piped standard input, else what `changes`
 * say alone. Nothing on standard input is no payload, as under cron; an empty file there is refused.
 * @param name null where standard input holds something else
 * @param missing the refusal where there is no payload at all
 * @throws Fault as `readNamedPayload` does
 */
export async function readWantedPayload(
  invocation: Invocation,
  name: string | null | undefined,
  changes: readonly string[],
  missing: string,
): Promise<Payload> {
  if (typeof name === "string") return readNamedPayload(invocation, name, changes);
  const { stdin, signal, output } = invocation;
  if (name === null || !isPiped(stdin)) {
    if (changes.length === 0) throw new Fault("usage", whole(missing));
    return payloadIn(invocation, null, "The request", changes);
  }
  // Asked first: a file is closed once it is read.
  const mayBeEmpty = changes.length > 0 && isEmptyByChance(stdin);
  const waiting = setTimeout(
    () => output.note(`${WAITING}${changes.length === 0 ? "" : `; ${NONE}`}.`),
    WAITING_MS,
  );
  const bytes = await readAll(stdin, signal).finally(() => clearTimeout(waiting));
  if (changes.length === 0) return payloadIn(invocation, bytes, "Standard input", changes);
  if (bytes.length === 0 && mayBeEmpty) return payloadIn(invocation, null, "The request", changes);
  try {
    return await payloadIn(invocation, bytes, "Standard input", changes);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
    const sentence = error.message.replace(/\.$/, "");
    throw badInput`${whole(sentence)}; ${NONE}.`;
  }
}

/**
 * Reads a payload. A file has priority over a saved payload; the use of a saved one is reported.
 * @param changes `path=value` words
 * @throws Fault("bad_input") for an unreadable or forbidden payload, Fault("usage") for an invalid change
 */
export async function readNamedPayload(
  invocation: Invocation,
  name: string,
  changes: readonly string[],
): Promise<Payload> {
  const saved = await savedBytes(invocation, name);
  const bytes = saved ?? (await readDocument(name, () => invocation.stdin, invocation.signal));
  return payloadIn(invocation, bytes, name === "-" ? "Standard input" : safe(name), changes);
}

/** @param bytes null for an empty request that `changes` fill */
async function payloadIn(
  { context }: Invocation,
  bytes: Uint8Array | null,
  source: string,
  changes: readonly string[],
): Promise<Payload> {
  const { currencyNumbering } = (await context()).profile;
  return readPayload(bytes, source, changes, Date.now(), currencyNumbering);
}

/** The saved payload of a name; null for a file or standard input. */
async function savedBytes(invocation: Invocation, name: string): Promise<Uint8Array | null> {
  if (name === "-" || payloadNameProblem(name) !== null || existsSync(name)) return null;
  const payloads = await (await invocation.context()).payloads();
  const bytes = await payloads.readBytes(name);
  if (bytes === null) {
    throw badInput`${name} cannot be read: there is no such file, and no saved payload has that name; "verdict payload list" shows them.`;
  }
  invocation.output.note(`Using the saved payload ${safe(payloads.path(name), { max: 1_000 })}`);
  return bytes;
}
