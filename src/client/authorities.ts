// Additional certificate authorities. Loaded only when a profile or a command names a file.

import { X509Certificate } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { badInput, whole, type Fault } from "#src/contract/fault.ts";
import { readGuarded } from "#src/contract/guarded-file.ts";
import { OLDEST_TLS } from "#src/contract/wire/wire.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of a PEM file (RFC 7468).
 * @param path as it was given
 * @throws Fault("bad_input") for a file that `readGuarded` refuses, and for one that holds anything but certificates
 */
export function readAuthorities(path: string): string[] {
  const text = readGuarded(path, "The authority file", false, undefined, badInput);
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw unusable(path, "holds a private key", "name a file with the authority's certificates alone");
  }
  const blocks = text.match(CERTIFICATE) ?? [];
  const begun = text.match(/-----BEGIN /g)?.length ?? 0;
  if (blocks.length === 0) throw unusable(path, "holds no certificate", "name a PEM file");
  if (begun !== blocks.length) {
    throw unusable(path, "holds more than whole certificates", "name a PEM file of certificates alone");
  }
  for (const [index, block] of blocks.entries()) {
    if (!isReadable(block)) {
      const which = blocks.length === 1 ? "its certificate" : `certificate ${index + 1} of ${blocks.length}`;
      throw unusable(path, `cannot be used, because ${which} cannot be read`, "export it again as PEM");
    }
  }
  return blocks;
}

/** The default authorities (with NODE_EXTRA_CA_CERTS) and those of the file. @throws Fault as `readAuthorities` */
export function allAuthorities(path: string): string[] {
  return [...getCACertificates("default"), ...readAuthorities(path)];
}

/** TLS context that trusts the file's authorities as well. @throws Fault as `readAuthorities` */
export function trustAlso(path: string): SecureContext {
  return createSecureContext({ ca: allAuthorities(path), minVersion: OLDEST_TLS });
}

function isReadable(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

function unusable(path: string, what: string, advice: string): Fault {
  return badInput`The authority file ${path} ${whole(what)}; ${whole(advice)}.`;
}
