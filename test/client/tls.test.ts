// Whom the client trusts: the usual authorities, those of a profile besides them, and nobody else; and what it says then.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allAuthorities, readAuthorities } from "#src/client/authorities.ts";
import type { NetworkSettings } from "#src/client/routes.ts";
import { CHECK, clientFor, CREDENTIAL } from "./calling.ts";
import { type Authority, makeAuthority, selfSigned } from "./certificates.ts";
import { startHostileService } from "./hostile-service.ts";
import { startTlsService } from "./tls-service.ts";

let authority: Authority;
let folder: string;
beforeAll(async () => {
  authority = await makeAuthority();
  folder = mkdtempSync(join(tmpdir(), "verdict-tls-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function trusting(path: string): { network: NetworkSettings } {
  return { network: { proxy: null, authorityFile: path, tlsCheckOff: false } };
}

async function call(port: number, options: Parameters<typeof clientFor>[1] = {}) {
  await using called = clientFor(`https://127.0.0.1:${port}`, options);
  return await called.client.check(CHECK, CREDENTIAL);
}

test("an authority of the profile is trusted, and only with it the service is", async () => {
  await using service = await startTlsService(await authority.issue());
  const other = await makeAuthority("Another authority");
  const path = file("both.pem", `Our authorities:\n${other.certificate}\n${authority.certificate}\n`);
  expect(await call(service.port, trusting(path))).toMatchObject({
    outcome: "answered",
    recommendation: "pass",
  });
  expect(service.requests).toEqual(["/v1/check"]);

  const stranger = await call(service.port, trusting(file("other.pem", other.certificate)));
  expect(stranger).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1 });
  expect(await call(service.port)).toMatchObject({ outcome: "not_sent", reason: "tls_failed" });
  expect(service.requests).toHaveLength(1);
});

test("a certificate that vouches for itself can be named as it is", async () => {
  const made = await selfSigned();
  await using service = await startTlsService(made);
  expect(await call(service.port, trusting(file("self.pem", made.certificate)))).toMatchObject({
    outcome: "answered",
  });
});

test("the usual authorities stay trusted beside those of the profile", () => {
  const all = allAuthorities(file("extra.pem", authority.certificate));
  expect(all.slice(0, -1)).toEqual(getCACertificates("default"));
  expect(all.length).toBeGreaterThan(50);
  expect(all.at(-1)!.trim()).toBe(authority.certificate.trim());
});

test.each<[string, () => Promise<{ certificate: string; key: string }>, RegExp]>([
  [
    "an unknown issuer",
    () => authority.issue(),
    /the issuer of its certificate is unknown \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): .*--ca\.$/,
  ],
  [
    "a certificate that vouches for itself",
    () => selfSigned(),
    /its certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\): .*--ca\.$/,
  ],
])("%s is explained", async (_, make, says) => {
  await using service = await startTlsService(await make());
  const result = await call(service.port);
  expect(result).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1, latencyMs: null });
  expect(result.explanation).toMatch(says);
  expect(service.requests).toEqual([]);
});

test("a chain that ends in an unknown root is explained", async () => {
  const made = await authority.issue();
  await using service = await startTlsService({
    ...made,
    certificate: made.certificate + authority.certificate,
  });
  const { explanation } = await call(service.port);
  expect(explanation).toMatch(
    /from an authority that this machine does not trust \(SELF_SIGNED_CERT_IN_CHAIN\): .*--ca\.$/,
  );
});

test.each<[string, object, RegExp]>([
  [
    "expired",
    { fromDays: -9, toDays: -1 },
    /its certificate has expired \(CERT_HAS_EXPIRED\): check the local clock/,
  ],
  [
    "not valid yet",
    { fromDays: 2, toDays: 9 },
    /its certificate is not valid yet \(CERT_NOT_YET_VALID\): check the local clock/,
  ],
  [
    "for another host",
    { host: "other.example" },
    /its certificate is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\): check the address/,
  ],
])("a certificate of a trusted authority that is %s is refused", async (_, issue, says) => {
  await using service = await startTlsService(await authority.issue(issue));
  const result = await call(service.port, trusting(file("authority.pem", authority.certificate)));
  expect(result).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1 });
  expect(result.explanation).toMatch(says);
  expect(service.requests).toEqual([]);
});

test("an old TLS version and a port without TLS are named", async () => {
  const path = file("authority.pem", authority.certificate);
  // OpenSSL has no TLS 1.1 at its usual security level.
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  await using service = await startTlsService(await authority.issue(), old);
  expect((await call(service.port, trusting(path))).explanation).toMatch(
    /supports no TLS version that verdict accepts \(ERR_SSL_\w+\): ask the service for TLS 1\.2 or newer\.$/,
  );
  await using plain = await startHostileService(
    [],
    (socket) => void socket.write("HTTP/1.1 400 Bad\r\n\r\n"),
  );
  expect((await call(Number(new URL(plain.url).port))).explanation).toMatch(
    /does not use TLS on this port \(ERR_SSL_\w+\): check the port/,
  );
});

test("a file that authorities cannot be read from keeps everything from being sent, and is asked for again", async () => {
  await using service = await startTlsService(await authority.issue());
  const path = join(folder, "later.pem");
  await using called = clientFor(`https://127.0.0.1:${service.port}`, trusting(path));
  const result = await called.client.check(CHECK, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "not_sent", reason: "bad_authority_file", attempts: 0 });
  expect(result.explanation).toBe(
    `Nothing was sent, because the authority file ${path} is not there; correct its path.`,
  );
  writeFileSync(path, authority.certificate);
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered" });
});

test("a file must be a regular one that holds whole certificates and nothing else", () => {
  const { certificate, key } = authority;
  const wrong = (name: string, text: string): string => file(name, text);
  const fifo = join(folder, "fifo");
  execFileSync("mkfifo", [fifo]);
  mkdirSync(join(folder, "directory"));
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, "none.pem"), /is not there; correct its path/],
    [join(folder, "directory"), /is not a regular file/],
    [fifo, /is not a regular file/],
    ["/dev/null", /is not a regular file/],
    [wrong("empty.pem", ""), /holds no certificate/],
    [wrong("text.pem", "hello"), /holds no certificate/],
    [wrong("key.pem", certificate + key), /holds a private key/],
    [wrong("half.pem", certificate.slice(0, 200)), /holds no certificate/],
    [wrong("half-second.pem", certificate + certificate.slice(0, 200)), /more than whole certificates/],
    [
      wrong("broken.pem", certificate.replace(/[A-Za-z]{20}/, "AAAAAAAAAAAAAAAAAAAA")),
      /its certificate cannot be read/,
    ],
    [
      wrong("second.pem", `${certificate}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      /certificate 2 of 2 cannot be read/,
    ],
    [wrong("large.pem", certificate + " ".repeat(1024 * 1024)), /not a regular file of at most 1 MiB/],
  ];
  for (const [path, says] of cases) {
    expect(() => readAuthorities(path), path).toThrow(says);
    expect(() => readAuthorities(path), path).toThrow(/^The authority file [^\p{Cc}]*\.$/u);
  }
  const link = join(folder, "link.pem");
  symlinkSync(wrong("good.pem", certificate.replaceAll("\n", "\r\n")), link);
  expect(readAuthorities(link)).toHaveLength(1);
});
