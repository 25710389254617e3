// Tells cheaply whether anything was written to the history, by any process: the folder's time, and the sizes of what may grow.

import { join } from "node:path";

import type { FileSystem } from "#src/storage/file-system.ts";
import { listSegments } from "./segment-name.ts";

/** A folder that changed so recently may change again under the same time. */
const SETTLED_MS = 100;

export class HistoryPulse {
  readonly #dir: string;
  readonly #fs: FileSystem;
  #folder = "";
  #growing: readonly string[] = [];
  #last: string | null = null;

  constructor(dir: string, fs: FileSystem) {
    this.#dir = dir;
    this.#fs = fs;
  }

  /** True when something has changed since it was asked last; false the first time. */
  async beat(): Promise<boolean> {
    const now = await this.#look();
    const isChanged = this.#last !== null && this.#last !== now;
    this.#last = now;
    return isChanged;
  }

  async #look(): Promise<string> {
    const folderTime = await this.#of(this.#dir, "mtimeMs");
    const folder = String(folderTime);
    if (folder !== this.#folder) {
      this.#growing = (await listSegments(this.#dir, this.#fs))
        .filter(({ lastTime }) => lastTime === null)
        .map(({ file }) => join(this.#dir, file));
      this.#folder = Math.abs(Date.now() - folderTime) < SETTLED_MS ? "" : folder;
    }
    const sizes: number[] = [];
    for (const path of this.#growing) sizes.push(await this.#of(path, "size"));
    return `${folder}:${sizes.join(":")}`;
  }

  async #of(path: string, what: "mtimeMs" | "size"): Promise<number> {
    try {
      return (await this.#fs.stat(path))[what];
    } catch {
      return -1;
    }
  }
}
