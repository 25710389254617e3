// Additional certificate authorities. Loaded only when a profile or a command names a file.

import { X509Certificate } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { othersMayWrite } from "#src/contract/others-may-write.ts";
import { OLDEST_TLS } from "#src/contract/wire/wire.ts";

/** Four times the size of all authorities of a system in one file. */
const FILE_LIMIT_BYTES = 1024 * 1024;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of a PEM file (RFC 7468).
 * @param path as it was given
 * @throws Fault("bad_input") for a file that is missing, no regular file, or holds anything but certificates
 */
export function readAuthorities(path: string): string[] {
  const text = readRegularFile(path);
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

function readRegularFile(path: string): string {
  let file: number;
  try {
    // O_NONBLOCK, because opening a FIFO without a writer would block for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(
      path,
      code === "ENOENT" ? "is not there" : `cannot be read (${code ?? "unknown reason"})`,
      "correct its path",
    );
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw unusable(path, "is no regular file", "name a PEM file");
    const self = process.geteuid?.();
    if (self !== undefined && ((stat.uid !== self && stat.uid !== 0) || othersMayWrite(stat))) {
      throw unusable(
        path,
        "may be written by other accounts",
        "make it yours, and take that away with chmod go-w",
      );
    }
    if (stat.size > FILE_LIMIT_BYTES) throw unusable(path, "is larger than 1 MiB", "name a smaller PEM file");
    return readFileSync(file, "latin1");
  } finally {
    closeSync(file);
  }
}

function unusable(path: string, what: string, advice: string): Fault {
  return badInput`The authority file ${path} ${whole(what)}: ${whole(advice)}.`;
}
