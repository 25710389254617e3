// What is learned about a request on its way, and the two lines that are left of it: one for the log, one for the journal.

import type { Recommendation } from "#src/contract/recommendation.ts";
import type { JournalEntry } from "#src/contract/sandbox-wire.ts";
import type { Call, ErrorSlug } from "#src/contract/wire.ts";
import type { SandboxLogEntry } from "./sandbox-log.ts";

export interface RequestTrace {
  readonly id: string;
  readonly startedAt: number;
  call: Call | null;
  method: string | null;
  path: string | null;
  bodyBytes: number | null;
  keyId?: string;
  projectId?: string;
  /** As it may be kept: see keptStringToSign. */
  stringToSign?: string | null;
  decision?: string;
  recommendation?: Recommendation;
  repeat?: boolean;
  magic?: string;
  faults?: readonly string[];
  error?: ErrorSlug;
  reason?: string;
}

export function newTrace(id: string, method: string | null, path: string | null): RequestTrace {
  return { id, startedAt: performance.now(), call: null, method, path, bodyBytes: null };
}

/** @param status null when no answer was sent */
export function logLine(trace: RequestTrace, status: number | null, at: string): SandboxLogEntry {
  const { id, call, keyId, decision, recommendation, repeat, magic, faults, error, reason } = trace;
  return {
    at,
    event: "request",
    request_id: id,
    call,
    ...(status === null ? {} : { status }),
    latency_ms: latencyOf(trace),
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { reason }),
    ...(keyId === undefined ? {} : { key_id: keyId }),
    ...(decision === undefined ? {} : { decision }),
    ...(recommendation === undefined ? {} : { recommendation }),
    ...(repeat ? { repeat } : {}),
    ...(magic === undefined ? {} : { magic }),
    ...(faults === undefined ? {} : { faults }),
  };
}

export function journalEntry(
  trace: RequestTrace,
  status: number | null,
  at: string,
  virtualTime: string,
): Omit<JournalEntry, "number"> {
  return {
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
    string_to_sign: trace.stringToSign ?? null,
    decision: trace.decision ?? null,
    recommendation: trace.recommendation ?? null,
    repeat: trace.repeat ?? false,
    magic: trace.magic ?? null,
    faults: trace.faults ?? [],
  };
}

function latencyOf({ startedAt }: RequestTrace): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
