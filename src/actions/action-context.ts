// What a use case works with. The application builds it; the parts are opened when they are first asked for.

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
  /**
   * Time by which the service counts its 24 hours, in ms since the epoch: the virtual clock of a sandbox,
   * else the local clock corrected by what the service's answers told.
   */
  now(): Milliseconds;
  /** Takes the time that an answer carried, so that `now` follows it. */
  follow(told: Pick<CallResult, "virtualTimeMs" | "serverDateMs">): void;
  /** Service time minus local time, in ms; null while no answer has told it. */
  offsetMs(): Milliseconds | null;
  /** An offset remembered from an earlier run: holds until an answer tells better. */
  assumeOffset(offsetMs: Milliseconds): void;
  /** Integration keys that the service hands out itself: the embedded sandbox's panel. Empty elsewhere. */
  offeredKeys(): Promise<readonly IntegrationKey[]>;
  /** The stored explanation of a decision; null where the service does not explain itself. */
  explain(decisionId: string): Promise<Explanation | null>;
}

/** Addresses that the keys of a profile are bound to in the vault. For the embedded sandbox, a name that outlives its port. */
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
}
