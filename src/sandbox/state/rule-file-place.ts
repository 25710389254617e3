// The rules of a tenant in a file, which is watched: one of its own, or one that was given as an option.

import { unwatchFile, watchFile, type StatsListener } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { storage, usage } from "#src/contract/fault.ts";
import { DOCUMENT_LIMIT_BYTES } from "#src/contract/text/document-limit.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import type { RulesPlace } from "./active-rules.ts";

const POLL_MS: Milliseconds = 500;

/** @param lastGood null for a file that was given as an option: it must be there and valid at the start */
export function ruleFilePlace(file: string, lastGood: RulesPlace["lastGood"] | null): RulesPlace {
  const named = lastGood === null;
  let wasThere = false;
  let changed = async (): Promise<void> => undefined;

  return {
    file,
    name: basename(file),
    isRequired: named,
    ...(lastGood && { lastGood }),
    async read() {
      const text = await readText(file, named);
      wasThere ||= text !== null;
      if (text !== null || !named) return text;
      if (wasThere) throw storage`${file} is gone; the rules that were in it go on.`;
      throw usage`There is no rule file ${file}; --rules takes one that is there.`;
    },
    async write({ text }) {
      await withStorageFaults(file, () => replaceDurably(file, Buffer.from(text), nodeFileSystem, null));
      await changed();
    },
    async remove() {
      if (named)
        throw usage`This sandbox was started with --rules ${file}; change that file, or start it without --rules.`;
      await withStorageFaults(file, () => rm(file, { force: true }));
      await changed();
    },
    watch(onChange) {
      changed = onChange;
      const look: StatsListener = (now, before) => {
        if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino)
          void onChange().catch(() => undefined);
      };
      // By polling, because editors replace files in ways that fs.watch does not follow on every system.
      watchFile(file, { interval: POLL_MS, persistent: false }, look);
      return () => unwatchFile(file, look);
    },
  };
}

/**
 * Null where there is no file.
 * @param named whether the user gave the path: only then symbolic links are followed
 * @throws Fault `storage`, also for anything but a regular file, as reading a FIFO would block
 */
async function readText(file: string, named: boolean): Promise<string | null> {
  try {
    if (!named) return (await readWhole(file, nodeFileSystem))?.toString("utf8") ?? null;
    const found = await stat(file);
    if (found.size > DOCUMENT_LIMIT_BYTES) {
      throw storage`${file} is larger than 5 MiB; name another one with --rules.`;
    }
    if (found.isFile()) return await readFile(file, "utf8");
  } catch (failure) {
    if (systemCode(failure) === "ENOENT") return null;
    throw storageFault(failure, file);
  }
  throw storage`${file} is not a regular file; give another file with --rules.`;
}
