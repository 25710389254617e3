// One record of a request while it is served; its headers, journal entry and log line are views of it.

import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER, type Call, type ErrorSlug } from "#src/contract/wire/wire.ts";
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

/** Codes of rules in a header, which keeps it below 4 KiB. */
const MOST_RULES = 64;

export class RequestTrace {
  readonly id: string;
  /** The default one until the key is known. */
  tenant: ServedTenant;
  readonly method: string | null;
  readonly path: string | null;
  readonly #startedAt = performance.now();
  call: Call | null = null;
  bodyBytes: number | null = null;
  keyId: string | null = null;
  projectId: string | null = null;
  /** As it may be kept: see keptStringToSign. */
  stringToSign: string | null = null;
  decision: string | null = null;
  recommendation: Recommendation | null = null;
  repeat = false;
  basis: DecisionBasis | null = null;
  /** Time by which the request asks to be decided. */
  virtualTime: Milliseconds | undefined;
  magic: string | null = null;
  faults: readonly string[] = [];
  error: ErrorSlug | null = null;
  reason: string | null = null;

  constructor(id: string, tenant: ServedTenant, method: string | null, path: string | null) {
    this.id = id;
    this.tenant = tenant;
    this.method = method;
    this.path = path;
  }

  /** Headers that every answer has, and those of a decision. */
  headers(status: number): Record<string, string> {
    const { tenant, decision, basis } = this;
    const isDecided = status === 200 && decision !== null;
    return {
      [HEADER.sandbox]: "1",
      [HEADER.virtualTime]: this.#virtualTime(),
      ...(tenant.name === DEFAULT_TENANT ? {} : { [HEADER.tenant]: tenant.name }),
      ...(isDecided ? { [HEADER.decision]: decision } : {}),
      ...(isDecided && this.repeat ? { [HEADER.repeat]: "1" } : {}),
      ...(isDecided && basis !== null ? { [HEADER.score]: String(basis.score) } : {}),
      ...(isDecided && basis !== null && basis.rules.length > 0
        ? { [HEADER.rules]: basis.rules.slice(0, MOST_RULES).join(" ") }
        : {}),
    };
  }

  /** @param status null when no answer was sent */
  entry(status: number | null): NewJournalEntry {
    return {
      number: 0,
      at: new Date(this.tenant.clock.realNow()).toISOString(),
      virtual_time: this.#virtualTime(),
      request_id: this.id,
      call: this.call,
      method: this.method,
      path: this.path,
      body_bytes: this.bodyBytes,
      status,
      latency_ms: Math.round((performance.now() - this.#startedAt) * 1000) / 1000,
      error: this.error,
      reason: this.reason,
      key_id: this.keyId,
      project_id: this.projectId,
      string_to_sign: this.stringToSign,
      decision: this.decision,
      recommendation: this.recommendation,
      repeat: this.repeat,
      magic: this.magic,
      faults: this.faults,
    };
  }

  #virtualTime(): string {
    return new Date(this.virtualTime ?? this.tenant.clock.now()).toISOString();
  }
}

/** The line of the log: what the journal has, but for what is signed and where it went, and without what is unknown. */
export function logLine(entry: NewJournalEntry, tenant: ServedTenant): SandboxLogEntry {
  return {
    at: entry.at,
    event: "request",
    request_id: entry.request_id,
    call: entry.call,
    status: entry.status ?? undefined,
    latency_ms: entry.latency_ms,
    error: entry.error ?? undefined,
    reason: entry.reason ?? undefined,
    tenant: tenant.name === DEFAULT_TENANT ? undefined : tenant.name,
    key_id: entry.key_id ?? undefined,
    decision: entry.decision ?? undefined,
    recommendation: entry.recommendation ?? undefined,
    repeat: entry.repeat || undefined,
    magic: entry.magic ?? undefined,
    faults: entry.faults.length === 0 ? undefined : entry.faults,
  };
}
