// Limits of the sandbox: sizes, counts and times (in ms) that a caller must keep to.

import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";

export type SandboxLimits = Readonly<Record<keyof typeof SANDBOX_LIMITS, number>>;

export const SANDBOX_LIMITS = {
  /** From the first byte of a connection or request to the end of its headers. */
  headersMs: 10_000,
  /** From the first byte of a request to the end of its body. */
  requestMs: 15_000,
  connections: 256,
  bodyBytes: BODY_LIMIT_BYTES,
  headerBytes: 8 * 1024,
  headerCount: 50,
  /** How long a stop waits for requests that are being answered. */
  drainMs: 5_000,
  /** Signatures remembered at once: 10,000 checks a second over 300 s each way. */
  replayCapacity: 6_000_000,
  /** How long an identical repeat of a check gets the same answer, in virtual time. */
  repeatMs: 60_000,
};
