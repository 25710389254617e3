// Fields of a log line, and no others: no header, body or secret can reach the log.

import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";

/** What the journal has of a request, where it is known. Untrusted text in a reason is escaped. */
type OfRequest = {
  readonly [K in Exclude<keyof JournalEntry, Unlogged>]?: NonNullable<JournalEntry[K]>;
};
type Unlogged = "number" | "at" | "call" | "method" | "path" | "body_bytes" | "project_id" | "string_to_sign";

export interface SandboxLogEntry extends OfRequest {
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
  readonly call?: JournalEntry["call"];
  /** Absent for the default one. */
  readonly tenant?: string;
  readonly port?: number;
  readonly leases?: number;
}

export type SandboxLog = (entry: SandboxLogEntry) => void;
