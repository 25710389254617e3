// Fields of a log line, and no others: no header, body or secret can reach the log.

import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Call, ErrorSlug } from "#src/contract/wire/wire.ts";

export interface SandboxLogEntry {
  /** Real time, ISO 8601. */
  readonly at: string;
  readonly event:
    | "started"
    | "request"
    | "clock_changed"
    | "faults_changed"
    | "rules_read"
    | "snapshot"
    | "restored"
    | "reset"
    | "lease"
    | "tenant_created"
    | "tenant_expired"
    | "tenant_removed"
    | "tls_reloaded"
    | "leaving"
    | "stopping"
    | "stopped"
    | "fault";
  readonly request_id?: string;
  /** Null for anything that is not one of the three calls. */
  readonly call?: Call | null;
  readonly status?: number;
  readonly error?: ErrorSlug;
  /** Why a request was refused, e.g. the nearest miss of a signature; untrusted text in it is escaped. */
  readonly reason?: string;
  readonly latency_ms?: number;
  /** Absent for the default one. */
  readonly tenant?: string;
  /** Only of keys that exist. */
  readonly key_id?: string;
  readonly decision?: string;
  readonly recommendation?: Recommendation;
  readonly repeat?: boolean;
  /** Prefix of the order id that forced the answer. */
  readonly magic?: string;
  /** Ids of the injected faults. */
  readonly faults?: readonly string[];
  readonly port?: number;
  readonly leases?: number;
  readonly virtual_time?: string;
}

export type SandboxLog = (entry: SandboxLogEntry) => void;
