// What a sandbox answers to a challenge, and what those answer who would like to be one.

import { HEADER } from "#src/contract/wire/wire.ts";
import { type ProofKey, sandboxProof } from "#src/signing/sandbox-proof.ts";
import type { Behaviour } from "./hostile-service.ts";

export const PROOF_KEY: ProofKey = { adminToken: "t0ken".repeat(8), folderId: "1:2" };

/** Proves that it holds this key, on its own port or the one that it names. */
export function proof(key: ProofKey = PROOF_KEY, port?: number, behind = ""): Behaviour {
  return (socket, request) => {
    const text = sandboxProof(key, port ?? socket.localPort!, request.headers.get(HEADER.challenge) ?? "");
    socket.write(`HTTP/1.1 204 No Content\r\n${HEADER.proof}: ${text}\r\n\r\n${behind}`);
  };
}
