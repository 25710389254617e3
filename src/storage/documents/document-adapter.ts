// The lowdb adapter of a document: reads verified generations, and writes durably or not at all.

import type { Adapter } from "lowdb";

import { corrupt, Fault, storage, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import type { Shape } from "#src/contract/text/shape.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { readTrusted, removeOrphans, replaceDurably } from "./durable-file.ts";
import type { Generation } from "./generation.ts";
import { parseGeneration, renderGeneration } from "./generation.ts";

export interface DocumentShape<T> {
  /** Name of the format in the file, e.g. `verdict/projects`. */
  readonly format: string;
  /** Version of the data's shape, from 1. A file with a higher one is opened read-only. */
  readonly schema: number;
  /** The data of a document that was never written. */
  readonly initial: () => NoInfer<T>;
  /** Of the data on disk. */
  readonly shape: Shape<T>;
  /** Marks data that were restored from the previous generation, until a change removes the mark. */
  readonly rolledBack?: (data: T) => T;
}

/** The file is not a valid generation; thrown by `read`, repaired by `recover`. */
export class DamagedDocument extends Error {}

export class DocumentAdapter<T> implements Adapter<T> {
  readonly #path: string;
  readonly #shape: DocumentShape<T>;
  readonly #fs: FileSystem;
  /** The generation that the last `read` returned; null when there was no file. */
  #seen: Generation | null = null;

  constructor(path: string, shape: DocumentShape<T>, fs: FileSystem) {
    this.#path = path;
    this.#shape = shape;
    this.#fs = fs;
  }

  /** @throws DamagedDocument when the file is missing or damaged, but a previous generation exists */
  async read(): Promise<T> {
    const bytes = await readTrusted(this.#path, this.#fs);
    if (bytes === null) {
      // A document with a previous generation was written before.
      if ((await readTrusted(`${this.#path}.bak`, this.#fs)) !== null) throw new DamagedDocument();
      this.#seen = null;
      return this.#shape.initial();
    }
    const good = this.#check(bytes);
    if (good === null) throw new DamagedDocument();
    this.#seen = good.generation;
    return good.data;
  }

  /**
   * Replaces the generation that was read. Call it under the lock.
   * @throws Fault("storage") when another generation is on disk, or a newer version of the program wrote it
   */
  async write(data: T): Promise<void> {
    if (this.#seen !== null && this.#seen.schema > this.#shape.schema) throw this.#newerFault();
    const old = await readTrusted(this.#path, this.#fs);
    const current = old === null ? null : parseGeneration(this.#shape.format, old);
    if ((old === null) !== (this.#seen === null) || current?.sha256 !== this.#seen?.sha256) {
      throw storage`${this.#path} was changed by another process and was not saved; try again.`;
    }
    const rev = (this.#seen?.rev ?? 0) + 1;
    const bytes = renderGeneration(this.#shape.format, this.#shape.schema, rev, data);
    const written = this.#check(bytes);
    if (written === null) throw new TypeError(`the new data of ${this.#shape.format} is invalid`);
    await replaceDurably(
      this.#path,
      bytes,
      this.#fs,
      old === null ? null : { as: `${this.#path}.bak`, bytes: old },
    );
    this.#seen = written.generation;
  }

  /**
   * Restores the previous generation and sets the damaged file aside. Call it under the lock.
   * @returns what was done; null when another process has already done it
   * @throws Fault("corrupt") when there is no valid generation; nothing is changed
   */
  async recover(nowMs: number): Promise<StoreProblem | null> {
    const bytes = await readTrusted(this.#path, this.#fs);
    if (bytes !== null && this.#check(bytes) !== null) return null;
    const backup = await readTrusted(`${this.#path}.bak`, this.#fs);
    if (bytes === null && backup === null) return null;
    const previous = backup === null ? null : this.#check(backup);
    if (backup === null || previous === null) {
      const rest = backup === null ? "there is no previous version" : "its previous version is damaged too";
      throw corrupt`${this.#path} is ${bytes === null ? "missing" : "damaged"} and ${whole(rest)}; restore it from a backup, or move it and its .bak away to start with a new one.`;
    }
    const restored = this.#restored(backup, previous);
    if (bytes === null) {
      await replaceDurably(this.#path, restored, this.#fs, null);
      return this.#problem("was missing; verdict uses its previous version, without the last change");
    }
    const aside = `${this.#path}.corrupt-${new Date(nowMs).toISOString().replace(/[-:.]/g, "")}`;
    await replaceDurably(this.#path, restored, this.#fs, { as: aside, bytes });
    return this.#problem(
      `was damaged; verdict moved it to ${escapeText(aside)} and uses its previous version, without the last change`,
    );
  }

  async removeOrphans(): Promise<void> {
    await removeOrphans(this.#path, this.#fs);
  }

  /** @throws Fault("storage") when data of a newer program would need a mark */
  #restored(backup: Buffer, { generation, data }: { generation: Generation; data: T }): Buffer {
    const { format, schema, rolledBack } = this.#shape;
    if (rolledBack === undefined) return backup;
    if (generation.schema > schema) throw this.#newerFault();
    return renderGeneration(format, schema, generation.rev + 1, rolledBack(data));
  }

  /** @throws Fault("storage") for data of a newer program that this one cannot read */
  #check(bytes: Buffer): { generation: Generation; data: T } | null {
    const generation = parseGeneration(this.#shape.format, bytes);
    if (generation === null) return null;
    try {
      const data = readShape(this.#shape.shape, jsonPlace(generation.data), this.#shape.format);
      return { generation, data };
    } catch {
      if (generation.schema > this.#shape.schema) throw this.#newerFault();
      return null;
    }
  }

  #newerFault(): Fault {
    return storage`${this.#path} was written by a newer version of verdict and is not changed by this one; use that version.`;
  }

  #problem(what: string): StoreProblem {
    return { path: this.#path, message: `${escapeText(this.#path)} ${what}.`, isNew: true };
  }
}
