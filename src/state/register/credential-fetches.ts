// Credential requests under way, at most one per project, each cancellable.

import type { ActionContext } from "#src/actions/action-context.ts";
import { fetchCredential, type CredentialOutcome } from "#src/actions/register/fetch-credential.ts";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";

/**
 * - `asking`: a request is on its way
 * - `waiting`: the next request leaves at `until`, service time; `why` is what came of the last one, null before the first
 * - `locked`: it goes on by itself once the vault is unlocked
 * - `stopped`: nothing is under way; `retryAt` is when it goes on by itself, null for never
 */
export type FetchProgress =
  | { readonly kind: "asking"; readonly attempt: number }
  | { readonly kind: "waiting"; readonly until: Milliseconds; readonly why: string | null }
  | { readonly kind: "locked" }
  | { readonly kind: "stopped"; readonly why: string; readonly retryAt: Milliseconds | null };

/** What came of a request that did not bring the credential. Untrusted text in it is escaped. */
export function whyNotReady({ httpStatus, explanation }: CredentialResult): string {
  // The one answer that is as expected.
  return httpStatus === 404 ? "Not ready yet." : explanation;
}

export interface FetchListener {
  progress(key: string, progress: FetchProgress): void;
  /** The end of a request, or of a row of them. */
  done(key: string, outcome: CredentialOutcome, waited: boolean): void;
  /** The credential came and is nowhere but in memory. */
  unsaved(key: string, unsaved: UnsavedCredential): void;
  /** Nothing could be asked, or what is known of the project could not be kept. */
  failed(key: string, fault: Fault): void;
}

export function createCredentialFetches(context: ActionContext, listener: FetchListener) {
  const running = new Map<string, AbortController>();
  const ends = new Set<Promise<void>>();

  async function run(project: Project, wait: boolean, before: AbortController | undefined): Promise<void> {
    const controller = new AbortController();
    running.set(project.key, controller);
    before?.abort();
    const { signal } = controller;
    let why: string | null = null;
    try {
      const request = { merchant_id: project.merchantId, risk_level: project.riskLevel };
      const outcome = await fetchCredential(context, { request, wait }, signal, (event) => {
        if (signal.aborted) return;
        if (event.type === "asking")
          listener.progress(project.key, { kind: "asking", attempt: event.attempt });
        if (event.type === "answered") why = whyNotReady(event.result);
        if (event.type === "waiting")
          listener.progress(project.key, { kind: "waiting", until: event.until, why });
      });
      // A credential that came is there, even when this request was cancelled.
      if (signal.aborted && outcome.result.state !== "ready") return;
      forget(project.key, controller);
      if (outcome.notSaved === null) listener.done(project.key, outcome, wait);
      else listener.unsaved(project.key, outcome.notSaved);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Fault)) throw error;
      forget(project.key, controller);
      listener.failed(project.key, error);
    } finally {
      forget(project.key, controller);
    }
  }

  function forget(key: string, controller: AbortController): void {
    if (running.get(key) === controller) running.delete(key);
  }

  return {
    /** Starts a fetch, and ends an earlier one of this project. With `wait`, the fetch repeats until it has a result. */
    start(project: Project, wait: boolean) {
      const end = run(project, wait, running.get(project.key));
      ends.add(end);
      void end.finally(() => ends.delete(end));
    },
    isRunning: (key: string) => running.has(key),
    /** Stops what is under way for a project. An answer that comes all the same is kept. */
    stop(key: string) {
      running.get(key)?.abort();
      running.delete(key);
    },
    /** Stops everything; resolves when nothing is under way any more. */
    async close() {
      for (const controller of running.values()) controller.abort();
      await Promise.allSettled(ends);
    },
  };
}
