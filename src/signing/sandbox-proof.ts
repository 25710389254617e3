// The proof by which a sandbox shows that it holds the token of an endpoint file, without the token on the wire.

import { createHmac } from "node:crypto";

/** What a sandbox and the readers of its state directory know, and nobody else. */
export interface ProofKey {
  /** Token of the administrative plane, made at each start. */
  readonly adminToken: string;
  /** Device and inode of the state directory: a copy of the directory is another one. */
  readonly folderId: string;
}

/** What a challenge looks like: 256 random bits in base64url. */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * HMAC-SHA256 (RFC 2104) with the token, over a purpose of its own, the state directory, the port and the challenge;
 * 43 characters of base64url.
 *
 * The client asks for it on every TCP connection, before anything else is written there, so it speaks of that connection
 * and of no other: whether the port changes hands between two connections does not matter.
 * - Covered: a program on the port of a sandbox that has ended, which knows the old ports and whatever was public.
 * - Covered: a relay of the challenge to a sandbox that lives, because that one signs the port it was reached on, and
 *   nobody else can listen there while it lives. A relay to a sandbox of another directory has another token as well.
 * - Not covered: this account and root, who read the token, and who sits below TCP on the loopback device (root again).
 * @param port on which the sandbox was reached
 */
export function sandboxProof({ adminToken, folderId }: ProofKey, port: number, challenge: string): string {
  return createHmac("sha256", adminToken)
    .update(`verdict sandbox proof\n${folderId}\n${port}\n${challenge}`)
    .digest("base64url");
}
