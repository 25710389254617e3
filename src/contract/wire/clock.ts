// The unit of time on the wire, and the credential window.

/** Milliseconds since the Unix epoch. */
export type Milliseconds = number;

/** How long after the registration a credential can be fetched; the end is exclusive (spec section 8). */
export const CREDENTIAL_WINDOW_MS: Milliseconds = 24 * 60 * 60 * 1000;
