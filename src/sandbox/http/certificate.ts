// The certificate that a sandbox's servers show with its private key, and their exchange while the servers run.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext, Server } from "node:tls";
import { Fault, usage } from "#src/contract/fault.ts";
import { readGuarded } from "#src/contract/guarded-file.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { OLDEST_TLS } from "#src/contract/wire/wire.ts";

/** Paths of PEM files; the certificate is followed by its chain. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** As `setSecureContext` of a server takes it. */
export interface TlsPair extends TlsFiles {
  readonly minVersion: typeof OLDEST_TLS;
}

/** @throws Fault `usage` for files that cannot be used */
export function openCertificate(
  files: TlsFiles,
  realNow: () => Milliseconds,
  onProblem: (sentence: string) => void,
) {
  function read(): TlsPair {
    const found = readPair(files);
    if (expiryOf(found) <= realNow()) {
      const cert = escapeText(files.cert, 200);
      onProblem(`The certificate ${cert} has expired; put a new one there.`);
    }
    return found;
  }

  let pair = read();
  return {
    get pair(): TlsPair {
      return pair;
    },
    /** In ms since the epoch. */
    get expiry(): Milliseconds {
      return expiryOf(pair);
    },
    /** Reads the files again, for new connections. @returns false where they cannot be used, which changes nothing */
    reload(servers: readonly object[]): boolean {
      try {
        pair = read();
        for (const server of servers) if (server instanceof Server) server.setSecureContext(pair);
        return true;
      } catch (error) {
        const why = error instanceof Fault ? error.message : "The certificate cannot be read.";
        onProblem(`${why} The one before stays in use.`);
        return false;
      }
    },
  };
}

/** @throws Fault("usage") for files that cannot be used, or that do not belong together */
function readPair(files: TlsFiles): TlsPair {
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
function expiryOf({ cert }: TlsPair): Milliseconds {
  return new X509Certificate(cert).validToDate.getTime();
}
