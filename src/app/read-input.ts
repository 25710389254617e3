// Reads a document that the user names: a file, a pipe or standard input.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { badInput, Fault, interrupted, whole } from "#src/contract/fault.ts";
import { DOCUMENT_LIMIT_BYTES, TOO_LARGE } from "#src/contract/text/document-limit.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { pipeChunks } from "#src/replay/sources/pipe.ts";

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a named file (links are followed) or pipe; standard input for `-`.
 * @param wanted kind of document, for error messages
 * @throws Fault("bad_input") for a missing or too large file, a folder or a device, Fault("interrupted") when the signal fires
 */
export async function readDocument(
  name: string,
  stdin: () => NodeJS.ReadStream,
  signal: AbortSignal,
  wanted: string = "a JSON file",
): Promise<Uint8Array> {
  if (name === "-") return readAll(stdin(), signal);
  const shown = escapeText(name, 200);
  const file = openNamed(name);
  if (!fstatSync(file).isFIFO()) return wholeFile(file, name, wanted);
  const bytes = await collect(pipeChunks(file, signal), shown);
  if (signal.aborted) throw interrupted`Stopped while reading ${shown}; nothing was done.`;
  if (bytes.length > 0) return bytes;
  throw badInput`${shown} is empty, and nothing writes to it; give ${whole(wanted)}.`;
}

/** A file or folder that is there. @throws Fault("bad_input") */
export function requireReadable(name: string): void {
  closeSync(openNamed(name));
}

/** @throws Fault("bad_input") for what cannot be opened */
function openNamed(name: string): number {
  try {
    // O_NONBLOCK, because opening a FIFO without a writer would block for ever.
    return openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw badInput`${name} cannot be read: ${openFault(error)}.`;
  }
}

/** Reads an open file and closes it. @throws Fault("bad_input") for a folder, a device, and a file that is too large */
function wholeFile(file: number, name: string, wanted: string): Uint8Array {
  const shown = escapeText(name, 200);
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw badInput`${shown} is a folder; give ${whole(wanted)}.`;
    if (!stat.isFile()) throw badInput`${shown} is neither a file nor a pipe; give ${whole(wanted)}.`;
    if (stat.size > DOCUMENT_LIMIT_BYTES) throw badInput`${shown} ${TOO_LARGE}`;
    return readBounded(file, shown);
  } finally {
    closeSync(file);
  }
}

/** Some files of the system have no size, or no end. @throws Fault("bad_input") */
function readBounded(file: number, shown: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes <= DOCUMENT_LIMIT_BYTES;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let read: number;
    try {
      read = readSync(file, chunk);
    } catch (error) {
      throw badInput`${shown} cannot be read: ${openFault(error)}.`.causedBy(error);
    }
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    bytes += read;
  }
  throw badInput`${shown} ${TOO_LARGE}`;
}

/**
 * The same as text.
 * @throws Fault("bad_input") also for text that is not UTF-8
 */
export async function readText(
  name: string,
  stdin: () => NodeJS.ReadStream,
  signal: AbortSignal,
  wanted: string,
): Promise<string> {
  return decoded(await readDocument(name, stdin, signal, wanted), name, wanted);
}

/** A file, at once. @throws Fault("bad_input") as `readText` does, also for a pipe */
export function readTextFile(name: string, wanted: string): string {
  return decoded(wholeFile(openNamed(name), name, wanted), name, wanted);
}

function decoded(bytes: Uint8Array, name: string, wanted: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const shown = name === "-" ? "Standard input" : escapeText(name, 200);
    throw badInput`${shown} is not UTF-8 text; give ${whole(wanted)} in UTF-8.`;
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

/** True where something other than a terminal is connected: a pipe, a file, a device. */
export function isPiped(stdin: NodeJS.ReadStream): boolean {
  return stdin.isTTY !== true && !isSwitchedOff(stdin);
}

/** True for a terminal that --no-input makes none: only a terminal has this property at all. */
export function isSwitchedOff({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === false;
}

/**
 * True for standard input that may be empty because nobody gave any: a pipe, a socket, /dev/null. An empty file or a
 * folder was named by somebody.
 */
export function isEmptyByChance(stdin: NodeJS.ReadStream): boolean {
  const { fd } = stdin as { readonly fd?: unknown };
  const stat = typeof fd === "number" ? fstatSync(fd) : null;
  return stat === null || !(stat.isFile() || stat.isDirectory());
}

/** Standard input as chunks; opened when the first one is requested. */
export async function* lazyStdin(invocation: {
  readonly stdin: NodeJS.ReadStream;
}): AsyncGenerator<Uint8Array> {
  for await (const chunk of invocation.stdin) yield chunk as Uint8Array;
}

/**
 * Reads standard input to its end.
 * @throws Fault("bad_input") beyond 5 MiB, Fault("interrupted") when the signal fires
 */
export async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  const stop = (): void => {
    stdin.destroy(interrupted`Stopped while reading standard input; nothing was done.`);
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await collect(stdin as AsyncIterable<Uint8Array>, "Standard input");
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw badInput`Standard input cannot be read: ${openFault(error)}.`.causedBy(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function collect(source: AsyncIterable<Uint8Array>, shown: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > DOCUMENT_LIMIT_BYTES) throw badInput`${shown} ${TOO_LARGE}`;
  }
  return Buffer.concat(chunks);
}
