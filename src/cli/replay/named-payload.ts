// Reads the payload that a command names: a file, standard input, or a saved payload.

import { existsSync } from "node:fs";
import type { Invocation } from "#src/cli/command.ts";
import { readDocument } from "#src/app/read-input.ts";
import { Fault } from "#src/contract/fault.ts";
import { readPayload, type Payload } from "#src/contract/fields/payload.ts";
import { payloadNameProblem } from "#src/contract/records/saved-payload.ts";
import { safe } from "#src/display/safe.ts";

/** The name of piped standard input, `-`; undefined on a terminal. */
export function pipedName({ stdin }: Pick<Invocation, "stdin">): string | undefined {
  return stdin.isTTY === true ? undefined : "-";
}

/**
 * Reads a payload. A file has priority over a saved payload; the use of a saved one is reported.
 * @param name undefined for an empty request that `changes` fill
 * @param changes `path=value` words
 * @throws Fault("bad_input") for an unreadable or forbidden payload, Fault("usage") for an invalid change
 */
export async function readNamedPayload(
  invocation: Invocation,
  name: string | undefined,
  changes: readonly string[],
): Promise<Payload> {
  const { currencyNumbering } = (await invocation.context()).profile;
  if (name === undefined) return readPayload(null, "The request", changes, Date.now(), currencyNumbering);
  const saved = await savedBytes(invocation, name);
  const bytes = saved ?? (await readDocument(name, () => invocation.stdin, invocation.signal));
  const source = name === "-" ? "Standard input" : safe(name);
  return readPayload(bytes, source, changes, Date.now(), currencyNumbering);
}

/** The saved payload of a name; null for a file or standard input. */
async function savedBytes(invocation: Invocation, name: string): Promise<Uint8Array | null> {
  if (name === "-" || payloadNameProblem(name) !== null || existsSync(name)) return null;
  const payloads = await (await invocation.context()).payloads();
  const bytes = await payloads.readBytes(name);
  if (bytes === null) {
    throw new Fault(
      "bad_input",
      `${name} cannot be read: there is no such file, and no saved payload has that name.`,
    );
  }
  invocation.output.note(`Using the saved payload ${safe(payloads.path(name), { max: 1_000 })}`);
  return bytes;
}
