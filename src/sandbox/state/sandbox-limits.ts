// Limits of the sandbox: sizes, counts and times that a caller must keep to.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";

export interface SandboxLimits {
  /** From the first byte of a connection or request to the end of its headers. */
  readonly headersMs: Milliseconds;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: Milliseconds;
  readonly connections: number;
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  /** How long a stop waits for requests that are being answered. */
  readonly drainMs: Milliseconds;
  /** Signatures remembered at once. */
  readonly replayCapacity: number;
  /** How long an identical repeat of a check gets the same answer, in virtual time. */
  readonly repeatMs: Milliseconds;
}

export const SANDBOX_LIMITS: SandboxLimits = {
  headersMs: 10_000,
  requestMs: 15_000,
  connections: 256,
  bodyBytes: BODY_LIMIT_BYTES,
  headerBytes: 8 * 1024,
  headerCount: 50,
  drainMs: 5_000,
  /** 10,000 checks a second over 300 s each way. */
  replayCapacity: 6_000_000,
  repeatMs: 60_000,
};
