// Certificates made for one test: authorities, and what they issue for 127.0.0.1.

import "reflect-metadata";
import { createPrivateKey } from "node:crypto";
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

interface Made {
  /** PEM */
  readonly certificate: string;
  /** PEM, PKCS #8 */
  readonly key: string;
}

export interface Authority extends Made {
  issue(options?: IssueOptions): Promise<Made>;
}

export interface IssueOptions {
  /** IP address or name that it is for; 127.0.0.1 unless told. */
  readonly host?: string;
  /** Days from now until it begins and ends to be valid. */
  readonly fromDays?: number;
  readonly toDays?: number;
}

let serial = 0;

async function make(
  subject: string,
  options: IssueOptions,
  issuer: { readonly certificate: X509Certificate; readonly key: CryptoKey } | null,
  isAuthority: boolean,
): Promise<Made & { parsed: X509Certificate; signingKey: CryptoKey }> {
  const { host = "127.0.0.1", fromDays = -1, toDays = 30 } = options;
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const now = Date.now();
  serial += 1;
  const parsed = await X509CertificateGenerator.create({
    serialNumber: serial.toString(16).padStart(4, "0"),
    subject: `CN=${subject}`,
    issuer: issuer === null ? `CN=${subject}` : issuer.certificate.subject,
    notBefore: new Date(now + fromDays * DAY_MS),
    notAfter: new Date(now + toDays * DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer?.key ?? keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      ...(isAuthority
        ? [new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true)]
        : [
            new SubjectAlternativeNameExtension([
              { type: /^[\d.]+$/.test(host) ? "ip" : "dns", value: host },
            ]),
          ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  return {
    certificate: `${PemConverter.encode(parsed.rawData, "CERTIFICATE").trim()}\n`,
    key: key.export({ format: "pem", type: "pkcs8" }),
    parsed,
    signingKey: keys.privateKey,
  };
}

export async function makeAuthority(name = "Test authority"): Promise<Authority> {
  const made = await make(name, {}, null, true);
  const issuer = { certificate: made.parsed, key: made.signingKey };
  return {
    certificate: made.certificate,
    key: made.key,
    issue: (options = {}) => make("service", options, issuer, false),
  };
}

/** A certificate that vouches for itself. */
export function selfSigned(options: IssueOptions = {}): Promise<Made> {
  return make("service", options, null, false);
}
