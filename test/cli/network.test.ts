// The way out as its user sets it up: an authority in the profile, a proxy in the environment, the built program.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAuthority } from "../client/certificates.ts";
import { answerConnect, startProxy, startTlsService } from "../client/tls-service.ts";
import { pointAt } from "./in-process.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const CHECK = ["check", "--set", "order_id=A-1", "--set", "amount=12000", "--set", "currency=980"];

const CREDENTIAL =
  "vault add --merchant-id shop --risk-level low --key-id k-2 --project-id p-1 --secret-stdin".split(" ");

const home = testHomeOfTests();

test("a service behind a proxy, with a certificate of the company's own authority", async () => {
  const authority = await makeAuthority();
  writeFileSync(join(home.folder, "company.pem"), authority.certificate);
  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  const run = async (args: readonly string[], input = "") => {
    const { code, stdout, stderr } = await home.run(args, { input });
    return { code: code ?? -1, stdout, stderr };
  };
  // Named from the folder that the user stands in, kept as what it is everywhere.
  await pointAt({ run }, "https://service.example", ["--ca", "company.pem"]);
  const path = join(home.folder, "company.pem");
  expect((await home.run("profile show test")).stdout).toContain(`system certificates and ${path}`);
  expect((await home.json("profile show test --json"))[0]).toMatchObject({ ca: path });

  await using proxy = await startProxy(service.port);
  const env = { HTTPS_PROXY: `http://user:s3cret@127.0.0.1:${proxy.port}` };
  const passed = await home.run(CHECK, { env, cwd: "/" });
  expect(passed).toMatchObject({ code: 0, stderr: "Profile: test (TEST).\n" });
  expect(proxy.asked.map(({ target }) => target)).toEqual(["CONNECT service.example:443"]);
  expect(service.requests).toEqual(["/v1/check"]);

  await using closed = await startProxy(service.port, answerConnect(407));
  const refused = await home.run(CHECK, {
    env: { https_proxy: `http://user:s3cret@127.0.0.1:${closed.port}` },
  });
  expect(refused.code).toBe(4);
  expect(refused.stdout).toContain(`the proxy 127.0.0.1:${closed.port} refuses the user name and password`);
  expect(refused.stdout + refused.stderr).not.toContain("s3cret");
  expect(service.requests).toHaveLength(1);
});

test("a service of TLS 1.1 is refused, whatever NODE_OPTIONS says", async () => {
  const authority = await makeAuthority();
  writeFileSync(join(home.folder, "old.pem"), authority.certificate);
  const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  await using named = await startTlsService(await authority.issue({ host: "service.example" }), old);
  await using here = await startTlsService(await authority.issue(), old);
  const NODE_OPTIONS = "--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0";
  await using proxy = await startProxy(named.port);
  const ways = [
    ["https://service.example", "old.pem", { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }],
    [`https://127.0.0.1:${here.port}`, "old.pem", {}],
    [`https://127.0.0.1:${here.port}`, "", { NODE_EXTRA_CA_CERTS: join(home.folder, "old.pem") }],
  ] as const;
  for (const [url, ca, more] of ways) {
    const profile = ["profile", "add", "old", "--base-url", url, "--ca", ca].slice(0, ca === "" ? 5 : 7);
    await home.run(["profile", "remove", "old", "--yes"]);
    expect(await home.run(profile)).toMatchObject({ code: 0 });
    const secret = { input: "9f".repeat(32) };
    await home.run([...CREDENTIAL, "--profile", "old"], secret);
    const refused = await home.run([...CHECK, "--profile", "old"], { env: { NODE_OPTIONS, ...more } });
    expect(refused.stdout + refused.stderr).toContain("it supports no TLS version that verdict accepts");
    expect(refused.code).toBe(4);
  }
  expect([...named.requests, ...here.requests]).toEqual([]);
});
