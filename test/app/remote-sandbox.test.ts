// The administrative plane of another machine: TLS proves it, a private file has its token, and a tenant is named by header.

import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { remoteAdmin } from "#src/app/remote-sandbox.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { inProcessHome } from "../cli/in-process.ts";
import { makeAuthority } from "../client/certificates.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
let folder: string;
let server: Server;
let address: string;
const seen: { url: string; authorization: string | undefined; tenant: unknown }[] = [];

const file = (name: string, text: string, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verdict-remote-"));
  const authority = await makeAuthority();
  const { certificate, key } = await authority.issue();
  file("ca.pem", authority.certificate, 0o644);
  file("token", `${TOKEN}\n`);
  server = createServer({ cert: certificate, key }, ({ url = "", headers }, response) => {
    seen.push({ url, authorization: headers.authorization, tenant: headers[HEADER.tenant] });
    response.writeHead(200, { "content-type": "application/json" }).end('{"faults":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => void (seen.length = 0));

const adminWith = (
  changed: { address?: string; token?: string; ca?: string },
  tenant?: string,
): SandboxAdmin =>
  remoteAdmin(
    {
      address: changed.address ?? address,
      tokenFile: changed.token ?? join(folder, "token"),
      caFile: changed.ca ?? join(folder, "ca.pem"),
    },
    tenant,
  );

it("gets the token and the tenant, below the path of its address", async () => {
  expect(await adminWith({}).faults()).toEqual([]);
  await adminWith({ address: `${address}/risk/` }, "team-a").faults();
  expect(seen).toEqual([
    { url: "/_sandbox/faults", authorization: `Bearer ${TOKEN}`, tenant: undefined },
    { url: "/risk/_sandbox/faults", authorization: `Bearer ${TOKEN}`, tenant: "team-a" },
  ]);
});

it("gets nothing where its certificate is for another name, or of an unknown authority", async () => {
  const other = file("other.pem", (await makeAuthority("Another")).certificate, 0o644);
  for (const admin of [
    adminWith({ ca: other }),
    adminWith({ address: address.replace("127.0.0.1", "localhost") }),
  ]) {
    const calling = admin.status();
    await expect(calling).rejects.toMatchObject({ code: "sandbox" });
    await expect(calling).rejects.toThrow(
      /The administrative plane at https:.* does not answer .*--ca names/,
    );
  }
  expect(seen).toEqual([]);
});

it.each(["http://127.0.0.1:1", "https://me:secret@host", "localhost:8788", "https://host/?a=1"])(
  "the address %s is refused",
  (wrong) => {
    expect(() => adminWith({ address: wrong })).toThrow(/--admin must/);
  },
);

it.each([
  ["short", "0123456789", 0o600, /must hold 32 to 512 visible characters/],
  ["two lines", `${TOKEN}\n${TOKEN}`, 0o600, /must hold/],
  ["for everyone", TOKEN, 0o604, /may be read by every account; make it private with chmod 600/],
  ["writable", TOKEN, 0o602, /can be written by other accounts/],
])("a token file that is %s is refused, without its content", (name, text, mode, why) => {
  const path = file(name, text, mode);
  expect(() => adminWith({ token: path })).toThrow(why);
  expect(() => adminWith({ token: path })).not.toThrow(text);
});

it("a token behind a link, readable by its group, is taken, and a folder or nothing is not", () => {
  symlinkSync(file("mounted", TOKEN, 0o440), join(folder, "link"));
  expect(() => adminWith({ token: join(folder, "link") })).not.toThrow();
  expect(() => adminWith({ token: folder })).toThrow("is not a regular file");
  expect(() => adminWith({ token: join(folder, "none") })).toThrow("is not there");
});

it("is administered by options or variables, and --state comes first", async () => {
  const words = `sandbox faults list --json --token-file ${join(folder, "token")}`;
  const home = inProcessHome({ VERDICT_ADMIN: address, VERDICT_ADMIN_CA: join(folder, "ca.pem") });
  expect(await home.run(words)).toMatchObject({ code: 0, stderr: "" });
  expect(await home.run(`${words} --tenant team-b`)).toMatchObject({ code: 0 });
  expect(await home.run(`${words} --state ${folder}`)).toMatchObject({ code: 4, stdout: "" });
  expect(await home.run("sandbox faults list")).toMatchObject({ code: 2 });
  home.remove();
  expect(seen.map(({ tenant }) => tenant)).toEqual([undefined, "team-b"]);
});
