// Time on the wire: its unit, and the one period that the service's description gives.

/** Milliseconds since the Unix epoch. */
export type Milliseconds = number;

/** Credentials can be fetched for this long after the registration; closed at exactly this age (spec section 8). */
export const CREDENTIAL_WINDOW_MS: Milliseconds = 24 * 60 * 60 * 1000;
