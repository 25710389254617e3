// Writes a snapshot of a running state: its content is captured at one moment, then packed in small parts.

import { hash } from "node:crypto";
import { link, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Fault, usage } from "#src/contract/fault.ts";
import type { SnapshotFacts } from "#src/contract/wire/sandbox-wire.ts";
import { COUNTERS_FILE, countersFrames, type CountersMoment } from "#src/sandbox/decisions/counters-file.ts";
import {
  createPrivate,
  ensureFolder,
  NO_LINKS,
  removeOrphans,
  syncFolder,
  temporaryName,
  writeAll,
} from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem, type OpenFile } from "#src/storage/file-system.ts";
import { systemCode } from "#src/storage/write-fault.ts";
import {
  DECISIONS,
  FOLDER,
  FORMAT,
  isDocument,
  keyDigest,
  LOG_FILE,
  nameOf,
  SCHEMA,
  type Head,
  type SnapshotMoment,
} from "./snapshot-file.ts";

/** Unpacked bytes of a file in one line; small enough not to delay requests. */
const PART_BYTES = 2 * 1024 * 1024;

const compress = promisify(gzip);

/** The captured state of one moment, which can be written while the state is in use. */
export interface HeldState {
  readonly counters: CountersMoment;
  /** Open files and their lengths, so that later appends and deletions do not matter. */
  readonly files: readonly { readonly name: string; readonly file: FileHandle; readonly length: number }[];
}

/** Captures the state, which must not change during the call. */
export async function holdState(stateDir: string, counters: CountersMoment): Promise<HeldState> {
  const files: { name: string; file: FileHandle; length: number }[] = [];
  const logs = (await readdir(join(stateDir, DECISIONS))).filter((name) => LOG_FILE.test(name));
  const documents = (await readdir(stateDir)).filter((name) => isDocument(name));
  try {
    for (const name of [...documents, ...logs.toSorted().map((log) => `${DECISIONS}/${log}`)]) {
      const file = await open(join(stateDir, name), "r");
      files.push({ name, file, length: 0 });
      files[files.length - 1] = { name, file, length: (await file.stat()).size };
    }
  } catch (error) {
    await letGo({ files });
    throw error;
  }
  return { counters, files };
}

async function letGo({ files }: Pick<HeldState, "files">): Promise<void> {
  for (const { file } of files) await file.close().catch(() => undefined);
}

/**
 * Writes the captured state and releases it.
 * @throws Fault `usage` when the file exists
 */
export async function writeSnapshot(
  stateDir: string,
  path: string,
  moment: SnapshotMoment,
  held: HeldState,
): Promise<SnapshotFacts> {
  try {
    if (dirname(path) === join(stateDir, FOLDER)) await ensureFolder(dirname(path), nodeFileSystem);
    await removeOrphans(path, nodeFileSystem);
    const temporary = temporaryName(path);
    const file = await createPrivate(temporary, nodeFileSystem);
    try {
      try {
        await writeLines(file, stateDir, moment, held);
        await file.sync();
      } finally {
        await file.close();
      }
      await place(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(dirname(path), nodeFileSystem);
  } finally {
    await letGo(held);
  }
  return { name: nameOf(stateDir, path), path, ...moment, bytes: (await stat(path)).size };
}

/** @throws Fault `usage` when the file exists */
export async function requireNewFile(path: string): Promise<void> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  if (there) throw taken(path);
}

/** Gives the complete file its name, unless that exists. */
async function place(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw taken(path);
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await requireNewFile(path);
    await rename(temporary, path);
  }
}

function taken(path: string): Fault {
  return usage`There is a snapshot ${path} already; choose another name.`;
}

async function writeLines(
  out: OpenFile,
  stateDir: string,
  moment: SnapshotMoment,
  { counters, files }: HeldState,
): Promise<void> {
  const line = (record: object): Promise<void> =>
    writeAll(out, Buffer.from(`${JSON.stringify(record)}\n`), null);
  const head: Head = {
    format: FORMAT,
    schema: SCHEMA,
    sealed_with: await keyDigest(stateDir),
    at: moment.at,
    virtual_time: moment.virtualTime,
    projects: moment.projects,
    decisions: moment.decisions,
  };
  await line(head);
  let lines = 0;
  const write = async (name: string, parts: AsyncIterable<Uint8Array>): Promise<void> => {
    let part = 0;
    for await (const bytes of parts) {
      const content = (await compress(bytes)).toString("base64");
      await line({ file: name, part, sha256: hash("sha256", bytes, "hex"), gzip: content });
      part += 1;
      lines += 1;
    }
  };
  for (const { name, file, length } of files) await write(name, partsOf(file, length));
  await write(`${DECISIONS}/${COUNTERS_FILE}`, gathered(countersFrames(counters)));
  await line({ end: true, files: lines });
}

/** The first bytes of a file; at least one part, also of an empty one. */
async function* partsOf(file: FileHandle, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at === 0 || at < length; at += PART_BYTES) {
    const part = Buffer.alloc(Math.min(PART_BYTES, length - at));
    const { bytesRead } = await file.read(part, 0, part.length, at);
    yield part.subarray(0, bytesRead);
  }
}

async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
