// The protocol between the sandbox and its clients: the endpoint file and the administrative plane.

import { usage } from "#src/contract/fault.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "./clock.ts";
import type { Explanation, RuleMode } from "./explanation.ts";
import type { Recommendation } from "./recommendation.ts";
import type { FaultReading } from "./sandbox-fault.ts";
import type { Call, ErrorSlug, RiskLevel } from "./wire.ts";

/** Name of the endpoint file in the sandbox's state directory. Mode 0600: it holds the administrative token. */
export const ENDPOINT_FILE = "endpoint.json";
export const LOCK_FILE = "sandbox.lock";

export interface SandboxEndpoint {
  readonly pid: number;
  /** Start time of the process in ms since the epoch. */
  readonly startedAt: Milliseconds;
  /** Version of verdict that runs it; a sandbox of another version is drained and replaced. */
  readonly version: string;
  readonly instance: string;
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  /** Bearer token of the administrative plane. */
  readonly adminToken: string;
}

/** Paths of the administrative plane: own port, bearer token. */
export const ADMIN = {
  /** GET with a challenge -> 204 with its proof; on the service's port as well, and without the token */
  proof: "/_sandbox/proof",
  /** GET: held open by each user of an embedded sandbox, which ends 10 s after the last one closes */
  lease: "/_sandbox/lease",
  /** GET -> SandboxStatus */
  status: "/_sandbox/status",
  /** GET -> SandboxPanel */
  panel: "/_sandbox/panel",
  /** GET -> ClockReading; POST ClockChange -> ClockReading */
  clock: "/_sandbox/clock",
  /** GET /:id -> Explanation */
  decisions: "/_sandbox/decisions",
  /** POST a check request ?project=ID[&flips=1] -> WhatIf: a decision without effects */
  whatIf: "/_sandbox/what-if",
  /** GET -> MagicListing */
  magic: "/_sandbox/magic",
  /** GET -> FaultReading[] as `faults`; POST FaultOrder -> FaultReading; DELETE ends all of them, DELETE /:id one */
  faults: "/_sandbox/faults",
  /** GET ?limit=N&after=NUMBER -> JournalPage */
  journal: "/_sandbox/journal",
  /** GET -> RulesReading */
  rules: "/_sandbox/rules",
  /** GET -> RuleSetFacts of the active rules, also while their file is invalid */
  ruleFacts: "/_sandbox/rules/facts",
  /** POST: reads the rule file again -> RulesReading */
  reloadRules: "/_sandbox/rules/reload",
  /** GET -> RulesText; POST RulesText.text: saves a valid rule file -> RulesReading; DELETE: back to the starter rules -> RulesReading */
  rulesText: "/_sandbox/rules/text",
  /** GET -> SnapshotFacts[] as `snapshots`; POST SnapshotOrder -> SnapshotFacts */
  snapshots: "/_sandbox/snapshots",
  /** POST SnapshotOrder -> SnapshotFacts */
  restore: "/_sandbox/restore",
  /** POST ResetOrder */
  reset: "/_sandbox/reset",
  /** POST CompanyOrder -> SandboxPanel: another company, or another key of one */
  companies: "/_sandbox/companies",
  /** GET -> TenantListing; POST TenantRequest -> TenantCreated; GET /:name -> TenantFacts; DELETE /:name */
  tenants: "/_sandbox/tenants",
  /** GET -> metrics in the text format of Prometheus, or of OpenMetrics where `Accept` asks for it */
  metrics: "/metrics",
  /** POST: drain and exit */
  stop: "/_sandbox/stop",
} as const;

/** The tenant that every sandbox has, and that calls without a known key belong to. */
export const DEFAULT_TENANT = "default";

/** Names of tenants. */
export const TENANT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** @throws Fault("usage") */
export function requireTenantName(name: string): void {
  if (TENANT_NAME.test(name)) return;
  throw usage`"${name}" is no name of a tenant; use lower-case letters, digits and dashes, at most 63.`;
}

/** What a tenant may hold; beyond it the call is refused with 429. */
export interface TenantQuota {
  readonly projects: number;
  /** Decisions since it was created or reset. */
  readonly decisions: number;
}

export const TENANT_QUOTA: TenantQuota = { projects: 1_000, decisions: 1_000_000 };
export const MOST_QUOTA: TenantQuota = { projects: 1e9, decisions: 1e12 };

export const TENANT_TTL_MS = { min: 1_000, max: 366 * 86_400_000 } as const;

export interface TenantOrder {
  readonly name: string;
  /** Real time until it is removed with everything in it, in ms; null for ever. */
  readonly ttlMs: Milliseconds | null;
  /** The same seed and name give the same ids and secrets; null for random ones. */
  readonly seed: number | null;
  /** Text of a rule file; null for the starter rules. */
  readonly rules: string | null;
  readonly companies: number;
  /** Virtual time of its start; null for the real time. */
  readonly startAt: Milliseconds | null;
  /** Whether order ids that begin with force- force answers. */
  readonly magic: boolean;
  readonly quota: TenantQuota;
}

type Asked<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** An order; what is left out has its default. */
export type TenantRequest = Omit<Asked<TenantOrder>, "quota"> & { readonly quota: Asked<TenantQuota> };

export interface TenantFacts {
  readonly name: string;
  /** Real time; null for the default tenant, which is as old as the sandbox. */
  readonly createdAt: Milliseconds | null;
  /** Null for never. */
  readonly expiresAt: Milliseconds | null;
  /** Null for the default tenant. */
  readonly quota: TenantQuota | null;
  readonly virtualTime: Milliseconds;
  readonly clockFrozen: boolean;
  /** These three are null while its state cannot be read. */
  readonly companies: number | null;
  readonly projects: number | null;
  readonly decisions: number | null;
  /** Requests since the start of the process. */
  readonly requests: number;
  readonly faults: number;
  readonly ruleSetHash: string;
  /** False for the starter rules. */
  readonly ownRules: boolean;
  readonly seeded: boolean;
}

export interface TenantListing {
  readonly tenants: readonly TenantFacts[];
  /** Those that cannot be served, with a sentence that says why. */
  readonly damaged: readonly { readonly name: string; readonly problem: string }[];
}

/** A new tenant, with its secrets: this is the only answer that holds its token. */
export interface TenantCreated {
  readonly tenant: TenantFacts;
  /** Bearer token of the administrative plane for this tenant alone. */
  readonly adminToken: string;
  readonly companies: SandboxPanel["companies"];
}

/** Of an existing company: another integration key for it. */
export interface CompanyOrder {
  readonly companyId?: string;
}

export interface SandboxStatus {
  readonly version: string;
  /** The tenant that this is about. */
  readonly tenant: string;
  /** Tenants beside it. */
  readonly otherTenants: number;
  readonly instance: string;
  readonly pid: number;
  readonly port: number;
  /** Whether the service speaks TLS. */
  readonly tls: boolean;
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
  /** Null for the starter rules. */
  readonly ruleFile: string | null;
  /** Why the rule file is not active; null when it is. */
  readonly ruleError: string | null;
  readonly switches: SandboxSwitches;
  readonly faults: readonly FaultReading[];
  /** False after a failed write: it answers 503 until it is restarted. */
  readonly writable: boolean;
  readonly signatures: { readonly remembered: number; readonly capacity: number };
  readonly connections: { readonly open: number; readonly limit: number };
  /** Requests since the start of the process. */
  readonly requests: number;
  /** The workers that share its state, this one among them; none where the state is its own. */
  readonly members: readonly SandboxMember[];
}

/** One of several processes that share a sandbox. */
export interface SandboxMember {
  readonly instance: string;
  /** Name of its machine. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Of its service. */
  readonly address: string;
  readonly startedAt: Milliseconds;
  /** When it last said that it lives, by the clock of the server. */
  readonly seenAt: Milliseconds;
  /** Digest of what it knows of the tenant, equal in all that agree; null where it has not served it. */
  readonly world: string | null;
  readonly ruleSetHash: string | null;
}

/** Settings of this instance for points that the spec leaves open. */
export interface SandboxSwitches {
  /** Dotted paths of the fields that a check must have. */
  readonly require: readonly string[];
  /** Numbering of `currency` in checks, and in registrations. */
  readonly currencyNumbering: CurrencyNumbering;
  readonly registrationCurrencyNumbering: CurrencyNumbering;
  /** Unit of amounts in checks. */
  readonly amountUnit: AmountUnit;
  /** From a registration until its credential is ready, in virtual seconds. */
  readonly credentialDelayS: number;
  /** A credential request with an empty `Authorization` is accepted. */
  readonly credentialUnsigned: boolean;
  /** Order ids that force an answer count. */
  readonly magic: boolean;
  /** Ids, secrets and latencies are derived from a seed. */
  readonly seeded: boolean;
}

export interface MagicListing {
  readonly enabled: boolean;
  readonly values: readonly MagicValue[];
}

/** A prefix of order ids that forces the sandbox's answer. */
export interface MagicValue {
  readonly prefix: string;
  readonly what: string;
}

/** The answer that a check would get now, without injected faults. */
export interface WhatIf {
  /** The stored decision for a repeat; null where the order id forces an answer without a decision. */
  readonly decision: Omit<Explanation, "id"> | null;
  /** The magic prefix of the order id; null for none. */
  readonly magic: MagicValue | null;
}

/** One request on the service's port. It holds no secret, and only the length of the body. */
export interface JournalEntry {
  /** Ascending; a restart leaves a gap. */
  readonly number: number;
  /** Real time, ISO 8601. */
  readonly at: string;
  readonly virtual_time: string;
  readonly request_id: string;
  /** Null for anything that is not one of the three calls. */
  readonly call: Call | null;
  /** Null when the request was not valid HTTP. */
  readonly method: string | null;
  /** Without its query. */
  readonly path: string | null;
  readonly body_bytes: number | null;
  /** Null when no answer was sent. */
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error: ErrorSlug | null;
  /** Why it was refused: for a 401 the closest matching key or signature input. */
  readonly reason: string | null;
  readonly key_id: string | null;
  readonly project_id: string | null;
  /** String to sign as the sandbox computed it; a body in it is replaced by its length and digest. */
  readonly string_to_sign: string | null;
  /** Id of the decision, by which its rule trace is found. */
  readonly decision: string | null;
  readonly recommendation: Recommendation | null;
  readonly repeat: boolean;
  /** Prefix of the order id that forced the answer. */
  readonly magic: string | null;
  /** Ids of the injected faults. */
  readonly faults: readonly string[];
}

export interface JournalPage {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Number of the newest entry, which may be missing in `entries`; 0 before the first. */
  readonly last: number;
}

/** Hits of a rule since `countedSince`. */
export interface RuleActivity {
  readonly code: string;
  readonly mode: RuleMode;
  /** Live hits, which counted. */
  readonly hits: number;
  /** Hits in shadow mode, which did not. */
  readonly shadowHits: number;
  readonly notEvaluated: number;
  /** Real time of the last hit, live or in shadow mode; null before the first. */
  readonly lastHitAt: Milliseconds | null;
}

export interface RulesReading {
  readonly name: string;
  /** SHA-256 of the rule file in hexadecimal. */
  readonly hash: string;
  /** The file that is watched, whether or not it is there. */
  readonly file: string;
  /** False while the starter rules decide. */
  readonly fromFile: boolean;
  readonly loadedAt: Milliseconds;
  /** Start of the sandbox in real time: hits are counted in memory. */
  readonly countedSince: Milliseconds;
  /** The error of the current file, while the previous rules stay active. */
  readonly error: { readonly message: string; readonly at: Milliseconds } | null;
  readonly rules: readonly RuleActivity[];
}

/** The active rules as source text. */
export interface RulesText {
  readonly text: string;
  /** False for the starter rules. */
  readonly fromFile: boolean;
}

/** With a name it is stored in the sandbox's state directory; a path is absolute. */
export type SnapshotOrder = { readonly name: string } | { readonly path: string };

export interface SnapshotFacts {
  /** Null outside the state directory. */
  readonly name: string | null;
  readonly path: string;
  /** Real time at which it was taken. */
  readonly at: Milliseconds;
  readonly virtualTime: Milliseconds;
  readonly projects: number;
  readonly decisions: number;
  readonly bytes: number;
}

/** Names of snapshots. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface ResetOrder {
  /** Keeps projects and credentials; counters and decisions are deleted, and the clock returns to real time. */
  readonly keepProjects: boolean;
}

export interface ClockReading {
  readonly virtualTime: Milliseconds;
  readonly realTime: Milliseconds;
  readonly frozen: boolean;
  /** Effect of a change on the counters, in a sentence; absent for none. */
  readonly note?: string;
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
      /** Null until the window has closed. */
      readonly credential: {
        readonly keyId: string;
        readonly projectId: string;
        readonly algorithm: string;
        readonly secret: string;
      } | null;
    }[];
  }[];
}
