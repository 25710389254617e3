// Identifiers and secrets that the sandbox issues: random, or derived from a seed so that the same seed gives the same ones.

import { createHmac, randomBytes } from "node:crypto";

export interface Issuer {
  /**
   * Hexadecimal digits for one purpose.
   * @param label what they are for; unique within a sandbox, because with a seed equal labels give equal digits
   */
  hex(label: string, digits: number): string;
}

export const ISSUED_ALGORITHM = "hmac-sha256";

/** @param seed null: everything is random. A seeded sandbox's secrets can be guessed by design: it is a test double. */
export function createIssuer(seed: number | string | null): Issuer {
  if (seed === null) return { hex: pooledRandom() };
  const key = `verdict sandbox seed ${seed}`;
  return {
    hex: (label, digits) => createHmac("sha256", key).update(label).digest("hex").slice(0, digits),
  };
}

/** Random digits from a pool: a call for four random bytes takes as long as one for four thousand. */
function pooledRandom(): Issuer["hex"] {
  let pool = "";
  let at = 0;
  return (_label, digits) => {
    if (at + digits > pool.length) {
      pool = randomBytes(4096).toString("hex");
      at = 0;
    }
    at += digits;
    return pool.slice(at - digits, at);
  };
}

/** A key pair as the service issues it (spec 2.8, 5.1): `hmac-sha256-<identifier>` and 64 hexadecimal digits. */
export function issueKey(issuer: Issuer, label: string): { keyId: string; secret: string } {
  return {
    keyId: `${ISSUED_ALGORITHM}-${issuer.hex(`${label} key id`, 16)}`,
    secret: issuer.hex(`${label} secret`, 64),
  };
}
