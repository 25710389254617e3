// Documents that the user names: a file, or standard input.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";

/** Largest document that is read from a file or a pipe, in bytes. */
const DOCUMENT_LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * Reads a named file, or standard input for `-`.
 * @param wanted what to give instead of what cannot be read
 * @throws Fault("bad_input") for what is missing, too large, or no regular file
 */
export async function readDocument(
  name: string,
  stdin: () => NodeJS.ReadStream,
  signal: AbortSignal,
  wanted: string = "a JSON file",
): Promise<Uint8Array> {
  if (name === "-") return readAll(stdin(), signal);
  let file: number;
  try {
    // Not blocking: opening a FIFO that nobody writes to would wait for ever.
    file = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Fault("bad_input", `${escapeText(name, 200)} cannot be read: ${openFault(error)}.`);
  }
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory())
      throw new Fault("bad_input", `${escapeText(name, 200)} is a folder; give ${wanted}.`);
    if (!stat.isFile())
      throw new Fault("bad_input", `${escapeText(name, 200)} is no regular file; give ${wanted}.`);
    if (stat.size > DOCUMENT_LIMIT_BYTES)
      throw new Fault("bad_input", `${escapeText(name, 200)} is larger than 5 MiB.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function openFault(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
      return "permission denied";
    default:
      return (error as NodeJS.ErrnoException).code ?? "unknown reason";
  }
}

/**
 * Reads a pipe to its end.
 * @throws Fault("bad_input") beyond 5 MiB, Fault("interrupted") when the signal fires
 */
export async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => {
    stdin.destroy(new Fault("interrupted", "Stopped while reading standard input; nothing was done."));
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > DOCUMENT_LIMIT_BYTES) {
        throw new Fault("bad_input", "Standard input is larger than 5 MiB.");
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks);
}
