// One record of a request while it is served; its headers, journal entry and log line are views of it.

import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
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
  /** For the journal and the log, as far as it is known. */
  readonly entry: NewJournalEntry;
  /** The default one until the key is known. */
  tenant: ServedTenant;
  basis: DecisionBasis | null = null;
  /** Time by which the request asks to be decided. */
  virtualTime: Milliseconds | undefined;
  readonly #startedAt = performance.now();

  constructor(id: string, tenant: ServedTenant, method: string | null, path: string | null) {
    this.tenant = tenant;
    this.entry = {
      number: 0,
      at: "",
      virtual_time: "",
      request_id: id,
      call: null,
      method,
      path,
      body_bytes: null,
      status: null,
      latency_ms: 0,
      error: null,
      reason: null,
      key_id: null,
      project_id: null,
      string_to_sign: null,
      decision: null,
      recommendation: null,
      repeat: false,
      magic: null,
      faults: [],
    };
  }

  /** Headers that every answer has, and those of a decision. */
  headers(status: number): Record<string, string> {
    const { tenant, basis } = this;
    const { decision, repeat } = this.entry;
    const isDecided = status === 200 && decision !== null;
    return {
      [HEADER.sandbox]: "1",
      [HEADER.virtualTime]: this.#virtualTime(),
      ...(tenant.name === DEFAULT_TENANT ? {} : { [HEADER.tenant]: tenant.name }),
      ...(isDecided ? { [HEADER.decision]: decision } : {}),
      ...(isDecided && repeat ? { [HEADER.repeat]: "1" } : {}),
      ...(isDecided && basis !== null ? { [HEADER.score]: String(basis.score) } : {}),
      ...(isDecided && basis !== null && basis.rules.length > 0
        ? { [HEADER.rules]: basis.rules.slice(0, MOST_RULES).join(" ") }
        : {}),
    };
  }

  /** A copy, as a caller may leave before the end of the work for it. @param status null when no answer was sent */
  end(status: number | null): NewJournalEntry {
    const latency = Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    const at = new Date(this.tenant.clock.realNow()).toISOString();
    return { ...this.entry, at, virtual_time: this.#virtualTime(), status, latency_ms: latency };
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
