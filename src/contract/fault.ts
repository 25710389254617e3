// Faults that a user can act on. Each has a stable code; the command line maps codes to exit codes.

export type FaultCode =
  /** a word of the command line, or a value typed by the user */
  | "usage"
  /** an input file or standard input that cannot be used */
  | "bad_input"
  /** no credential or integration key for what was asked */
  | "credential_missing"
  /** the vault cannot be opened now */
  | "vault_locked"
  /** nothing was sent: name, connection, TLS, or a local refusal to send */
  | "not_sent"
  /** the service refused */
  | "refused"
  /** a file could not be written or read back; nothing half-written is left */
  | "storage"
  /** a stored file is damaged: set aside, never silently replaced */
  | "corrupt"
  /** the embedded service did not start or answer */
  | "sandbox"
  /** the profile is read-only: nothing is sent through it */
  | "read_only"
  /** stopped by the user */
  | "interrupted";

/**
 * A fault with one sentence for the user: what is wrong, where, what to do.
 * `message` never holds a secret and is shown without a stack trace.
 */
export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Fault";
    this.code = code;
  }
}
