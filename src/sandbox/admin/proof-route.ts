// Route by which either plane proves to a client that it serves the state directory the client has read.

import type { FastifyInstance } from "fastify";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { wrongRequest } from "./admin-body.ts";
import { CHALLENGE, type ProofKey, sandboxProof } from "#src/signing/sandbox-proof.ts";

export function addProofRoute(app: FastifyInstance, key: ProofKey): void {
  app.get(ADMIN.proof, (request, reply) => {
    const challenge = request.headers[HEADER.challenge];
    const port = request.socket.localPort;
    if (typeof challenge !== "string" || !CHALLENGE.test(challenge) || port === undefined) {
      throw wrongRequest(`The header ${HEADER.challenge} must hold 32 bytes in base64url.`);
    }
    return reply
      .code(204)
      .header(HEADER.proof, sandboxProof(key, port, challenge))
      .send();
  });
}
