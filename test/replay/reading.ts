// Sources in a folder of the test's own, and what a reading of them gives.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import { readSources, type SourcePlaces } from "#src/replay/sources/source.ts";

export const NOW = Date.UTC(2026, 10, 21);

export const PAYLOAD = { operation: "payment", order_id: "a-1", amount: 12000, currency: 980 };

export function payload(changes: object = {}): string {
  return JSON.stringify({ ...PAYLOAD, ...changes });
}

/** Writes files into a new folder, which is removed after the test. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "verdict-sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

export function places(changes: Partial<SourcePlaces> = {}): SourcePlaces {
  return {
    now: NOW,
    payloadPath: (name) => join(tmpdir(), "verdict-no-such-folder", `${name}.json`),
    history: () => {
      throw new Error("no history was asked for");
    },
    run: () => {
      throw new Error("no run was asked for");
    },
    stdin: null,
    ...changes,
  };
}

export interface Read {
  readonly items: readonly RunItem[];
  readonly rejected: readonly RejectedLine[];
}

export async function readAll(
  sources: string | readonly string[],
  options: { readonly strict?: boolean; readonly places?: Partial<SourcePlaces> } = {},
): Promise<Read> {
  const items: RunItem[] = [];
  const rejected: RejectedLine[] = [];
  const reading = readSources([sources].flat(), places(options.places), { strict: options.strict ?? false });
  for await (const line of reading.lines) {
    if ("item" in line) items.push(line.item);
    else rejected.push(line.rejected);
  }
  return { items, rejected };
}

/** Reads one file of a name and content. */
export async function readFile(
  name: string,
  content: string | Uint8Array,
  options: { readonly strict?: boolean } = {},
): Promise<Read> {
  return await readAll(join(folderOf({ [name]: content }), name), options);
}

/** Reads bytes from standard input, cut into chunks of a size. */
export async function readStdin(content: string | Uint8Array, chunkBytes: number = 1 << 16): Promise<Read> {
  return await readAll("-", { places: { stdin: inChunks(content, chunkBytes) } });
}

async function* inChunks(content: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** `origin: message` of every rejected line. */
export function complaints({ rejected }: Read): string[] {
  return rejected.map(({ origin, message }) => `${origin}: ${message}`);
}

export function orders({ items }: Read): (string | undefined)[] {
  return items.map((item) => item.request.order_id);
}
