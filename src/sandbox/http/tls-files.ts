// The certificate and the private key that a server speaks TLS with.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { usage } from "#src/contract/fault.ts";
import { readGuarded } from "#src/contract/guarded-file.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { OLDEST_TLS } from "#src/contract/wire/wire.ts";

/** Paths of PEM files; the certificate is followed by its chain. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** As `setSecureContext` of a server takes it. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: typeof OLDEST_TLS;
}

/** @throws Fault("usage") for files that cannot be used, or that do not belong together */
export function readTls(files: TlsFiles): TlsPair {
  const pair: TlsPair = {
    cert: readGuarded(files.cert, "The certificate", false),
    key: readGuarded(files.key, "The private key", true),
    minVersion: OLDEST_TLS,
  };
  try {
    // An empty file is no error to createSecureContext.
    expiryOf(pair);
    createPrivateKey(pair.key);
    createSecureContext(pair);
  } catch (cause) {
    const why = (cause as Error).message.split(":").at(-1)!;
    throw usage`The certificate ${files.cert} and the private key ${files.key} cannot be used together (${why}); name two PEM files of one pair, the key without a passphrase.`.causedBy(
      cause,
    );
  }
  return pair;
}

/** Until when a certificate is valid, in ms since the epoch. */
export function expiryOf({ cert }: TlsPair): Milliseconds {
  return new X509Certificate(cert).validToDate.getTime();
}
