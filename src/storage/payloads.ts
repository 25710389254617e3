// Saved payloads: one private JSON file each, an envelope that `verdict check FILE` and a replay read as it is.

import { constants } from "node:fs";
import { join } from "node:path";

import { findCardData } from "#src/contract/card-data.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import { BODY_LIMIT_BYTES, type CheckRequest } from "#src/contract/wire.ts";
import { createDurably, ensureFolder, openRegular, replaceDurably } from "./durable-file.ts";
import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./file-system.ts";
import { systemCode, withStorageFaults } from "./write-fault.ts";

export interface SavedPayload {
  /** Base name of its file; letters, digits, `.`, `_` and `-`, starting with a letter or digit. */
  readonly name: string;
  /** Verdict that its author expects; null for none in particular. */
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly request: CheckRequest;
}

export interface Payloads {
  /** Where a payload of this name is kept. @throws Fault("bad_input") for a bad name */
  path(name: string): string;
  /**
   * Saves a payload durably, 0600.
   * @param replace false leaves a payload of that name as it is
   * @returns false when one is there already and was left alone
   * @throws Fault("bad_input") for a bad name, card data, or more than 64 KiB; Fault("storage") when it could not be written
   */
  save(payload: SavedPayload, replace: boolean): Promise<boolean>;
}

/** Letters, digits and three signs, so that a name is the same on every file system and in every shell. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST_NAME = 64;
/** Devices on Windows, whatever follows the first point. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** What is wrong with the name of a payload, as one sentence; null when it can be used. */
function nameProblem(name: string): string | null {
  if (name === "") return "A payload needs a name; write for example repeat-buyer.";
  if (!NAME.test(name)) {
    return `"${escapeText(name, 40)}" cannot name a payload; start with a letter or digit and use letters, digits, ".", "_" and "-" only.`;
  }
  if (name.length > LONGEST_NAME) return `The name of a payload has at most ${LONGEST_NAME} characters.`;
  if (DEVICE.test(name))
    return `"${escapeText(name, 40)}" names a device on some systems; choose another name.`;
  return null;
}

/**
 * Opens the saved payloads; touches no file before the first call.
 * @param options.dir their folder
 */
export function openPayloads(options: { readonly dir: string; readonly fs?: FileSystem }): Payloads {
  const { dir, fs = nodeFileSystem } = options;

  const path = (name: string): string => {
    const problem = nameProblem(name);
    if (problem !== null) throw new Fault("bad_input", problem);
    return join(dir, `${name}.json`);
  };

  return {
    path,
    save: async (payload, replace) => {
      const file = path(payload.name);
      const bytes = render(payload);
      return await withStorageFaults(file, async () => {
        await ensureFolder(dir, fs);
        if (replace && (await isThere(file, fs))) {
          await replaceDurably(file, bytes, fs, null);
          return true;
        }
        try {
          await createDurably(file, bytes, fs);
          return true;
        } catch (error) {
          // Another process was quicker, or the file system takes names in any case for the same.
          if (systemCode(error) === "EEXIST") return false;
          throw error;
        }
      });
    },
  };
}

function render({ name, expect, tags, request }: SavedPayload): Buffer {
  const envelope = { name, expect, tags, request };
  const card = findCardData(envelope);
  if (card !== null) {
    const what = card.kind === "card_number" ? "holds a full card number" : "is card verification data";
    throw new Fault(
      "bad_input",
      `${escapeText(card.path, 80)} ${what}, which is never saved; remove it and try again.`,
    );
  }
  const bytes = Buffer.from(`${JSON.stringify(envelope, null, 2)}\n`);
  if (bytes.length > BODY_LIMIT_BYTES) {
    throw new Fault("bad_input", "The payload is larger than 64 KiB and cannot be read back; shorten it.");
  }
  return bytes;
}

/** @throws Fault("storage") for a link, a folder, or a file of another account: none of them is overwritten */
async function isThere(path: string, fs: FileSystem): Promise<boolean> {
  try {
    await (await openRegular(path, constants.O_RDONLY, fs)).close();
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
