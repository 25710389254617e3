// Proof of possession: a sandbox proves that it holds the token of an endpoint file without sending the token.

import { createHmac } from "node:crypto";

/** Shared secret of a sandbox and the readers of its state directory. */
export interface ProofKey {
  /** Token of the administrative plane, created at each start. */
  readonly adminToken: string;
  /** Device and inode of the state directory: a copy of the directory is another one. */
  readonly folderId: string;
}

/** Format of a challenge: 256 random bits in base64url. */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * HMAC-SHA256 (RFC 2104) with the token over a domain-separation label, the state directory, the port and the challenge; 43
 * characters of base64url.
 *
 * The client requests it first on every TCP connection, so it holds for that connection only; the port may change hands
 * between two connections.
 * - Covered: a program on the port of a stopped sandbox, which knows the old ports and everything public.
 * - Covered: a relay of the challenge to a running sandbox, because that one signs the port it was reached on, where no
 *   other program can listen. A sandbox of another directory also has another token.
 * - Not covered: this account and root, who can read the token, and access below TCP on the loopback device (root again).
 * @param port on which the sandbox was reached
 */
export function sandboxProof({ adminToken, folderId }: ProofKey, port: number, challenge: string): string {
  return createHmac("sha256", adminToken)
    .update(`verdict sandbox proof\n${folderId}\n${port}\n${challenge}`)
    .digest("base64url");
}
