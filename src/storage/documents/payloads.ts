// Saved payloads: one private JSON file each, in the envelope that `verdict check FILE` and a replay read. Other files in
// the folder (.git, README) are left alone.

import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { othersMayWrite } from "#src/contract/others-may-write.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";

import { refuseCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { readPayload, type Payload } from "#src/contract/fields/payload.ts";
import {
  payloadNameProblem,
  payloadTagsProblem,
  type PayloadRow,
  type SavedPayload,
} from "#src/contract/records/saved-payload.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { BODY_LIMIT_BYTES, type CheckRequest } from "#src/contract/wire/wire.ts";
import {
  createDurably,
  ensureFolder,
  namesIn,
  openRegular,
  readChecked,
  removeOldOrphans,
  replaceDurably,
  syncFolder,
  untrusted,
} from "./durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { watchFolder } from "#src/storage/file-watch.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

export type Payloads = ReturnType<typeof openPayloads>;

const SUFFIX = ".json";

/**
 * Opens the saved payloads; touches no file before the first call.
 * @param options.dir their folder
 * @param options.numbering of their currencies; ISO 4217 by default
 */
export function openPayloads(options: {
  readonly dir: string;
  readonly fs?: FileSystem;
  readonly numbering?: CurrencyNumbering | undefined;
}) {
  const { dir, fs = nodeFileSystem, numbering } = options;

  /** Path of a payload. @throws Fault("bad_input") for an invalid name */
  const path = (name: string): string => {
    const problem = payloadNameProblem(name);
    if (problem !== null) throw new Fault("bad_input", whole(problem));
    return join(dir, `${name}${SUFFIX}`);
  };

  const open = async (name: string): Promise<Found | null> => {
    const file = path(name);
    return withStorageFaults(file, () => readFile(file, fs));
  };

  return {
    /** Their folder, which may not exist yet. */
    dir,
    path,
    /**
     * All of them by name; unreadable ones with their problem.
     * @throws Fault("storage") when their folder cannot be read
     */
    list: async (): Promise<PayloadRow[]> => {
      const rows: PayloadRow[] = [];
      // Sequentially, so that a large folder does not exhaust file descriptors.
      for (const file of await namesIn(dir, SUFFIX, fs))
        rows.push(await rowOf(join(dir, file), fs, numbering));
      return rows;
    },
    /**
     * Reads a payload strictly; null when no payload has that name.
     * @throws Fault("bad_input") for an invalid name or content, Fault("storage") for a link, a FIFO or a failing disk
     */
    read: async (name: string): Promise<Payload | null> => {
      const found = await open(name);
      return found === null ? null : contentOf(found.bytes, name, numbering);
    },
    /**
     * The raw file, e.g. to correct an invalid one; null when there is none.
     * @throws Fault("bad_input") for an invalid name or more than 64 KiB, Fault("storage") as `read` does
     */
    readBytes: async (name: string): Promise<Uint8Array | null> => (await open(name))?.bytes ?? null,
    /**
     * Saves a payload durably, 0600.
     * @param replace false keeps an existing payload of that name
     * @returns false when one exists and was kept
     * @throws Fault("bad_input") for an invalid name, tag or request, card data, or more than 64 KiB; Fault("storage") when it
     * could not be written
     */
    save: async (payload: SavedPayload, replace: boolean): Promise<boolean> => {
      const file = path(payload.name);
      const bytes = render(payload, numbering);
      return withStorageFaults(file, async () => {
        await ensureFolder(dir, fs);
        await removeOldOrphans(dir, fs);
        if (replace && (await isThere(file, fs))) {
          await replaceDurably(file, bytes, fs, null);
          return true;
        }
        try {
          await createDurably(file, bytes, fs);
          return true;
        } catch (error) {
          // Another process was faster, or the file system ignores the case of names.
          if (systemCode(error) === "EEXIST") return false;
          throw error;
        }
      });
    },
    /**
     * Removes a payload durably.
     * @returns false when there is none of that name
     * @throws Fault("bad_input") for an invalid name; Fault("storage") when it could not be removed or is no regular file
     */
    remove: async (name: string): Promise<boolean> => {
      const file = path(name);
      return withStorageFaults(file, async () => {
        if (!(await isThere(file, fs))) return false;
        await fs.unlink(file);
        await syncFolder(dirname(file), fs);
        return true;
      });
    },
    /** Calls back within a second of a change of their folder by any process. @returns ends the watch */
    watch: (onChange: () => void): (() => void) => watchFolder(dir, onChange),
  };
}

async function rowOf(
  path: string,
  fs: FileSystem,
  numbering: CurrencyNumbering | undefined,
): Promise<PayloadRow> {
  const name = basename(path, SUFFIX);
  const unread: PayloadRow = {
    name,
    expect: null,
    tags: [],
    orderId: null,
    amount: null,
    currency: null,
    modifiedAt: null,
    problem: payloadNameProblem(name),
  };
  if (unread.problem !== null) return unread;
  try {
    const found = await readFile(path, fs);
    // Removed since the folder was read.
    if (found === null) return { ...unread, problem: `${escapeText(name)} does not exist any more.` };
    const row = { ...unread, modifiedAt: found.modifiedAt };
    try {
      const { expect, tags, request } = contentOf(found.bytes, name, numbering);
      const { order_id: orderId = null, amount = null, currency = null } = request;
      return { ...row, expect, tags, orderId, amount, currency };
    } catch (error) {
      return { ...row, problem: problemOf(error, path) };
    }
  } catch (error) {
    return { ...unread, problem: problemOf(error, path) };
  }
}

/** The message of a storage fault. @throws any other error */
function problemOf(error: unknown, path: string): string {
  const fault = storageFault(error, path);
  if (fault instanceof Fault) return fault.message;
  throw fault;
}

interface Found {
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
}

/** Reads a payload file of at most 64 KiB; null when there is none. */
async function readFile(path: string, fs: FileSystem): Promise<Found | null> {
  const read = await readChecked(path, fs, (stats) => {
    // An editor leaves the private group of an account its right.
    if (process.platform !== "win32" && othersMayWrite(stats)) throw untrusted(path, "chmod 600");
    if (stats.size <= BODY_LIMIT_BYTES) return;
    throw badInput`${basename(path)} is larger than 64 KiB; shorten it.`;
  });
  return read === null ? null : { bytes: read.bytes, modifiedAt: read.stats.mtimeMs };
}

/** The file name is the payload's name: a copy under another name is another payload. */
function contentOf(bytes: Uint8Array, name: string, numbering: CurrencyNumbering | undefined): Payload {
  const { warnings, ...content } = readPayload(bytes, `${name}${SUFFIX}`, [], Date.now(), numbering);
  const other =
    content.name === null || content.name === name
      ? []
      : [`The file contains the name "${escapeText(content.name, 64)}"; verdict uses the name of the file.`];
  return { ...content, name, warnings: [...other, ...warnings] };
}

/**
 * The envelope as text, with keys in the order of the field table, so that saving the same payload twice gives the same
 * file for version control.
 */
function render(
  { name, expect, tags, request }: SavedPayload,
  numbering: CurrencyNumbering | undefined,
): Buffer {
  const envelope = { name, expect, tags, request: inOrder(request) };
  refuseCardData(envelope);
  const problem = payloadTagsProblem(tags);
  if (problem !== null) throw new Fault("bad_input", whole(problem));
  const bytes = Buffer.from(`${JSON.stringify(envelope, null, 2)}\n`);
  if (bytes.length > BODY_LIMIT_BYTES) {
    throw badInput`The payload is larger than 64 KiB and cannot be read back; shorten it.`;
  }
  // A payload that cannot be read back must not be saved.
  readPayload(bytes, "The payload", [], Date.now(), numbering);
  return bytes;
}

const PATHS = CHECK_FIELDS.map(({ path }) => path);
/** Keys of the request in the order of the field table. */
const OUTER = PATHS.map((path) => path.split(".")[0]!);
/** Keys of the objects in it, which have no key in common. */
const INNER = PATHS.map((path) => path.split(".").at(-1)!);

function inOrder(request: CheckRequest): Record<string, unknown> {
  const sorted = sortedBy(OUTER, request as Record<string, unknown>);
  return Object.fromEntries(
    Object.entries(sorted).map(([key, value]) => [
      key,
      OUTER.includes(key) && isJsonObject(value) ? sortedBy(INNER, value) : value,
    ]),
  );
}

/** Known keys first, in their order; then unknown ones by name. */
function sortedBy(
  order: readonly string[],
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const rank = (key: string): number => {
    const at = order.indexOf(key);
    return at < 0 ? order.length : at;
  };
  return Object.fromEntries(
    Object.entries(value).sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1)),
  );
}

/** @throws Fault("storage") for a link, a folder, or a file of another account */
async function isThere(path: string, fs: FileSystem): Promise<boolean> {
  try {
    await (await openRegular(path, constants.O_RDONLY, fs)).close();
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
