// How a sandbox ends: it drains, and everything that was opened is closed in reverse.

import { setTimeout as delay } from "node:timers/promises";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Leases } from "#src/sandbox/admin/leases.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { undoAll } from "#src/sandbox/state/undo.ts";

export class SandboxEnd {
  /** While true, /ready is refused and everything else is answered. */
  isLeaving = false;
  /** While true, every request is refused. */
  isDraining = false;
  /** Resolves when it has stopped. */
  readonly ended: Promise<void>;
  readonly #done = Promise.withResolvers<void>();
  readonly #note: Tenant["note"];
  readonly #undo: (() => Promise<unknown>)[];
  readonly #leases: Leases;
  #ending: Promise<void> | null = null;

  /** @param undo steps that close what is open, run in reverse */
  constructor(note: Tenant["note"], undo: (() => Promise<unknown>)[], leases: Leases) {
    this.#note = note;
    this.#undo = undo;
    this.#leases = leases;
    this.ended = this.#done.promise;
    this.ended.catch(() => undefined);
  }

  /** Later calls share the same promise. */
  stop(): Promise<void> {
    this.#ending ??= this.#stop();
    this.#ending.then(this.#done.resolve, this.#done.reject);
    return this.#ending;
  }

  /** Stops without being awaited; `ended` says how it went. */
  soon(): void {
    void this.stop().catch(() => undefined);
  }

  /** @param leaveMs how long it continues to serve, so that balancers see that it is about to stop */
  async leave(leaveMs: Milliseconds): Promise<void> {
    if (leaveMs > 0 && this.#ending === null) {
      this.isLeaving = true;
      this.#note("leaving");
      await Promise.race([delay(leaveMs, undefined, { ref: false }), this.ended.catch(() => undefined)]);
    }
    await this.stop();
  }

  async #stop(): Promise<void> {
    this.isDraining = true;
    this.#leases.stop();
    this.#note("stopping");
    await undoAll(this.#undo);
    this.#note("stopped");
  }
}
