// What the embedded sandbox and those who use it agree on: the endpoint file and the administrative plane.

import type { Milliseconds } from "./clock.ts";
import type { RiskLevel } from "./wire.ts";

/** Name of the endpoint file in the sandbox's state directory. Mode 0600: it holds the administrative token. */
export const ENDPOINT_FILE = "endpoint.json";
export const LOCK_FILE = "sandbox.lock";

export interface SandboxEndpoint {
  readonly pid: number;
  /** Start time of the process in ms since the epoch. */
  readonly startedAt: Milliseconds;
  /** Version of verdict that runs it; another version is drained and replaced. */
  readonly version: string;
  readonly instance: string;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  /** Bearer token of the administrative plane. */
  readonly adminToken: string;
}

/** Paths of the administrative plane: loopback only, own port, bearer token. */
export const ADMIN = {
  /** GET: held open by each user of an embedded sandbox; the last one to go ends it after 10 s */
  lease: "/_sandbox/lease",
  /** GET -> SandboxStatus */
  status: "/_sandbox/status",
  /** GET -> SandboxPanel */
  panel: "/_sandbox/panel",
  /** GET -> ClockReading; POST ClockChange -> ClockReading */
  clock: "/_sandbox/clock",
  /** GET /:id -> Explanation */
  decisions: "/_sandbox/decisions",
  /** POST: drain and exit */
  stop: "/_sandbox/stop",
} as const;

export interface SandboxStatus {
  readonly version: string;
  readonly instance: string;
  readonly pid: number;
  readonly port: number;
  readonly startedAt: Milliseconds;
  readonly virtualTime: Milliseconds;
  readonly clockFrozen: boolean;
  readonly recipe: string;
  readonly projects: number;
  readonly decisions: number;
  readonly leases: number;
  readonly ephemeral: boolean;
  readonly ruleSetHash: string;
  readonly rules: number;
}

export interface ClockReading {
  readonly virtualTime: Milliseconds;
  readonly realTime: Milliseconds;
  readonly frozen: boolean;
}

export type ClockChange =
  | { readonly do: "freeze" }
  | { readonly do: "resume" }
  | { readonly do: "reset" }
  | { readonly do: "set"; readonly at: Milliseconds }
  | { readonly do: "advance"; readonly byMs: Milliseconds };

/** The "administrative panel" of the spec: integration keys, and credentials once the 24 hours are over. */
export interface SandboxPanel {
  readonly companies: readonly {
    readonly companyId: string;
    readonly integrationKeys: readonly {
      readonly keyId: string;
      readonly algorithm: string;
      readonly secret: string;
    }[];
    readonly projects: readonly {
      readonly merchantId: string;
      readonly riskLevel: RiskLevel;
      readonly name: string;
      readonly registeredAt: Milliseconds;
      readonly windowClosesAt: Milliseconds;
      /** Null while the credential is still to be fetched by the credential request. */
      readonly credential: {
        readonly keyId: string;
        readonly projectId: string;
        readonly algorithm: string;
        readonly secret: string;
      } | null;
    }[];
  }[];
}
