// Trace of a request while it is served, and its entries in the log and in the journal.

import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import type { Call, ErrorSlug } from "#src/contract/wire/wire.ts";
import type { NewJournalEntry } from "#src/sandbox/state/request-journal.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { SandboxLogEntry } from "#src/sandbox/state/sandbox-log.ts";

/** What a request needs of its tenant before and after it is served. */
export interface ServedTenant {
  readonly name: string;
  readonly clock: Pick<SandboxClock, "now" | "realNow">;
  /** Absent for a plane without a journal. */
  readonly journal?: { write(entry: NewJournalEntry): void };
}

export interface RequestTrace {
  readonly id: string;
  /** The default one until the key is known. */
  tenant: ServedTenant;
  readonly startedAt: number;
  call: Call | null;
  method: string | null;
  path: string | null;
  bodyBytes: number | null;
  keyId: string | undefined;
  projectId: string | undefined;
  /** As it may be kept: see keptStringToSign. */
  stringToSign: string | null;
  decision: string | undefined;
  recommendation: Recommendation | undefined;
  repeat: boolean;
  basis: DecisionBasis | null;
  /** Time by which the request asks to be decided. */
  virtualTime: Milliseconds | undefined;
  magic: string | undefined;
  faults: readonly string[] | undefined;
  error: ErrorSlug | undefined;
  reason: string | undefined;
}

export function newTrace(
  id: string,
  tenant: ServedTenant,
  method: string | null,
  path: string | null,
): RequestTrace {
  return {
    id,
    tenant,
    startedAt: performance.now(),
    call: null,
    method,
    path,
    bodyBytes: null,
    keyId: undefined,
    projectId: undefined,
    stringToSign: null,
    decision: undefined,
    recommendation: undefined,
    repeat: false,
    basis: null,
    virtualTime: undefined,
    magic: undefined,
    faults: undefined,
    error: undefined,
    reason: undefined,
  };
}

/**
 * Unknown fields are undefined, so that JSON leaves them out.
 * @param status null when no answer was sent
 */
export function logLine(trace: RequestTrace, status: number | null, at: string): SandboxLogEntry {
  return {
    at,
    event: "request",
    request_id: trace.id,
    call: trace.call,
    status: status ?? undefined,
    latency_ms: latencyOf(trace),
    error: trace.error,
    reason: trace.reason,
    tenant: trace.tenant.name === DEFAULT_TENANT ? undefined : trace.tenant.name,
    key_id: trace.keyId,
    decision: trace.decision,
    recommendation: trace.recommendation,
    repeat: trace.repeat || undefined,
    magic: trace.magic,
    faults: trace.faults,
  };
}

export function journalEntry(
  trace: RequestTrace,
  status: number | null,
  at: string,
  virtualTime: string,
): NewJournalEntry {
  return {
    number: 0,
    at,
    virtual_time: virtualTime,
    request_id: trace.id,
    call: trace.call,
    method: trace.method,
    path: trace.path,
    body_bytes: trace.bodyBytes,
    status,
    latency_ms: latencyOf(trace),
    error: trace.error ?? null,
    reason: trace.reason ?? null,
    key_id: trace.keyId ?? null,
    project_id: trace.projectId ?? null,
    string_to_sign: trace.stringToSign,
    decision: trace.decision ?? null,
    recommendation: trace.recommendation ?? null,
    repeat: trace.repeat,
    magic: trace.magic ?? null,
    faults: trace.faults ?? [],
  };
}

function latencyOf({ startedAt }: RequestTrace): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
