// The context of a use case: stores, vault and service, which the application opens on first use.

import type { Client } from "#src/client/client.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CallResult } from "#src/contract/wire/outcome.ts";
import type { History } from "#src/storage/database/history.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import type { Payloads } from "#src/storage/documents/payloads.ts";
import type { Projects } from "#src/storage/documents/projects.ts";
import type { Vault } from "#src/vault/vault.ts";

/** The service of a profile, ready to be called. */
export interface Service {
  readonly client: Client;
  /** True where it decides a check by the time that the check carries: the embedded sandbox. */
  readonly takesTime: boolean;
  /**
   * Time by which the service counts its 24 hours, in ms since the epoch: the virtual clock of a sandbox,
   * else the local clock corrected by the times in the service's answers.
   */
  now(): Milliseconds;
  /** Corrects `now` by the time in an answer. */
  follow(told: Pick<CallResult, "virtualTimeMs" | "serverDateMs">): void;
  /** Service time minus local time, in ms; null before the first answer. */
  offsetMs(): Milliseconds | null;
  /** Sets an offset from an earlier session, which is used until the first answer. */
  assumeOffset(offsetMs: Milliseconds): void;
  /** Integration keys of the embedded sandbox's panel; empty for other services. */
  offeredKeys(): Promise<readonly IntegrationKey[]>;
  /** The stored explanation of a decision; null for a service without explanations. */
  explain(decisionId: string): Promise<Explanation | null>;
}

/** Addresses that a profile's keys are bound to in the vault; a fixed name for the embedded sandbox, whose port changes. */
export interface Addresses {
  readonly baseUrl: string;
  readonly projectsUrl: string;
}

export interface ActionContext {
  readonly profile: Profile;
  addresses(): Addresses;
  /** Local wall time in ms since the epoch. */
  now(): Milliseconds;
  /** A new sortable id. */
  newId(): string;
  /** Resolves after the given time, or rejects with Fault("interrupted") when the signal fires. */
  sleep(ms: Milliseconds, signal: AbortSignal): Promise<void>;
  service(): Promise<Service>;
  vault(): Promise<Vault>;
  projects(): Promise<Projects>;
  history(): Promise<History>;
  payloads(): Promise<Payloads>;
  runs(): Promise<Runs>;
  /** The rules of a sandbox of its own for one replay; undefined on the service of the user's profile. */
  readonly isolatedRules?: { readonly name: string; readonly hash: string };
}
