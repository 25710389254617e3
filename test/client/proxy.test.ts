// Proxies: which calls take one, that nothing but a tunnel goes through it, and what is said when it stands in the way.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readNetwork } from "#src/app/network.ts";
import { proxyFor, type ProxySettings } from "#src/client/proxy.ts";
import { CHECK, clientFor, CREDENTIAL, KEY, REGISTRATION } from "./calling.ts";
import { type Authority, makeAuthority } from "./certificates.ts";
import { startHostileService, rawThenClose } from "./hostile-service.ts";
import { answerConnect, OPEN_WAY, type ProxyBehaviour, startProxy, startTlsService } from "./tls-service.ts";

const SERVICE = "https://service.example";

let authority: Authority;
let folder: string;
let ca: string;
beforeAll(async () => {
  authority = await makeAuthority();
  folder = mkdtempSync(join(tmpdir(), "verdict-proxy-"));
  ca = join(folder, "authority.pem");
  writeFileSync(ca, authority.certificate);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A client of a service that only the proxy can find. */
function throughProxy(proxy: string, options: Parameters<typeof clientFor>[1] = {}) {
  return clientFor(SERVICE, { network: readNetwork({ HTTPS_PROXY: proxy }, { ca }), ...options });
}

test("calls take the tunnel, and the service is checked at its end", async () => {
  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  await using proxy = await startProxy(service.port);
  await using called = throughProxy(`http://127.0.0.1:${proxy.port}`);
  const onFirstByte = vi.fn();
  for (let round = 0; round < 3; round++) {
    const result = await called.client.check(CHECK, CREDENTIAL, { onFirstByte });
    expect(result).toMatchObject({ outcome: "answered", recommendation: "pass", attempts: 1 });
  }
  expect(await called.client.register(REGISTRATION, KEY)).toMatchObject({ registered: true });
  expect(onFirstByte).toHaveBeenCalledTimes(3);
  expect(service.requests).toEqual(["/v1/check", "/v1/check", "/v1/check", "/projects"]);
  // Tunnels are kept from call to call, and none is asked for anything else.
  expect(proxy.asked.length).toBeLessThanOrEqual(2);
  for (const asked of proxy.asked) {
    expect(asked).toEqual({ target: "CONNECT service.example:443", credentials: undefined });
  }
});

test("the answer at the end of a tunnel is read past a 100, on the first connection and on a kept one", async () => {
  const made = await authority.issue({ host: "service.example" });
  await using service = await startTlsService(made, { continues: true });
  await using proxy = await startProxy(service.port);
  await using called = throughProxy(`http://127.0.0.1:${proxy.port}`);
  for (let round = 0; round < 3; round++) {
    expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ recommendation: "pass" });
  }
  expect(proxy.asked.length).toBeLessThanOrEqual(2);
});

test("with fresh connections each call takes a tunnel of its own", async () => {
  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  await using proxy = await startProxy(service.port);
  const network = readNetwork({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, { ca });
  await using called = clientFor(SERVICE, { network: { ...network, freshConnections: true } });
  for (let round = 0; round < 3; round++) {
    expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ recommendation: "pass" });
  }
  expect(proxy.asked).toHaveLength(3);
});

test("a proxy may want a user name, take TLS itself, and be written without its scheme", async () => {
  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  await using proxy = await startProxy(service.port, OPEN_WAY, await authority.issue());
  await using named = throughProxy(`https://us%40er:s3cr%3At@127.0.0.1:${proxy.port}`);
  expect(await named.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered" });
  const sent = Buffer.from("us@er:s3cr:t").toString("base64");
  expect(proxy.asked).toEqual([{ target: "CONNECT service.example:443", credentials: `Basic ${sent}` }]);

  await using plain = await startProxy(service.port);
  await using bare = throughProxy(`127.0.0.1:${plain.port}`);
  expect(await bare.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered" });
  expect(plain.asked).toHaveLength(1);
});

test("the proxy itself is not believed to be the service", async () => {
  for (const host of ["other.example", "127.0.0.1"]) {
    await using service = await startTlsService(await authority.issue({ host }));
    await using proxy = await startProxy(service.port);
    await using called = throughProxy(`http://127.0.0.1:${proxy.port}`);
    const result = await called.client.check(CHECK, CREDENTIAL);
    expect(result).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1 });
    expect(result.explanation).toContain(
      "not sent to service.example, because its certificate is for another name",
    );
    expect(service.requests).toEqual([]);
  }
});

const slam: ProxyBehaviour = (socket) => void socket.destroy();
const mute: ProxyBehaviour = () => undefined;
const babble: ProxyBehaviour = (socket) => void socket.end("220 smtp ready\r\n");

test.each<[string, ProxyBehaviour, string, number, RegExp]>([
  [
    "asks for a user",
    answerConnect(407),
    "proxy_refused",
    1,
    /asks for a user name and password: put them into HTTPS_PROXY\.$/,
  ],
  [
    "forbids",
    answerConnect(403),
    "proxy_refused",
    1,
    /refused the connection to the service \(HTTP 403\): .*NO_PROXY\.$/,
  ],
  ["redirects", answerConnect(302), "proxy_refused", 1, /refused the connection to the service \(HTTP 302\)/],
  ["cannot reach it", answerConnect(502), "proxy_failed", 3, /could not reach the service \(HTTP 502\)/],
  ["closes", slam, "proxy_failed", 3, /closed the connection/],
  ["is silent", mute, "proxy_failed", 3, /does not answer/],
  ["is no proxy", babble, "proxy_failed", 1, /cannot be used \(HTTPParserError\)/],
])("a proxy that %s: nothing was sent, and the proxy is named", async (_, does, reason, attempts, says) => {
  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  await using proxy = await startProxy(service.port, does);
  await using called = throughProxy(`http://127.0.0.1:${proxy.port}`, {
    connectTimeoutMs: does === mute ? 300 : 60_000,
  });
  const onFirstByte = vi.fn();
  const result = await called.client.check(CHECK, CREDENTIAL, { onFirstByte });
  expect(result).toMatchObject({ outcome: "not_sent", reason, attempts, latencyMs: null });
  expect(result.explanation).toMatch(says);
  expect(result.explanation).toMatch(
    new RegExp(
      `^The check was not sent to service\\.example, because the proxy 127\\.0\\.0\\.1:${proxy.port} `,
    ),
  );
  expect(proxy.asked).toHaveLength(attempts);
  expect(service.requests).toEqual([]);
  expect(onFirstByte).not.toHaveBeenCalled();
});

test("a proxy that is not there, or not trusted, is named; its password never is", async () => {
  await using gone = await startHostileService([]);
  await gone[Symbol.asyncDispose]();
  const address = new URL(gone.url).host;
  await using called = throughProxy(`http://user:s3cret@${address}`);
  const refused = await called.client.check(CHECK, CREDENTIAL);
  expect(refused).toMatchObject({ outcome: "not_sent", reason: "proxy_unreachable", attempts: 3 });
  expect(refused.explanation).toContain(
    `because the proxy ${address} cannot be reached (the connection was refused): check HTTPS_PROXY`,
  );

  await using unknown = throughProxy("http://user:s3cret@proxy.invalid:3128");
  const lost = await unknown.client.check(CHECK, CREDENTIAL);
  expect(lost).toMatchObject({ outcome: "not_sent", reason: "proxy_unreachable" });
  expect(lost.explanation).toContain("proxy.invalid:3128");

  await using service = await startTlsService(await authority.issue({ host: "service.example" }));
  const stranger = await makeAuthority("Another authority");
  await using proxy = await startProxy(service.port, OPEN_WAY, await stranger.issue());
  await using wary = throughProxy(`https://user:s3cret@127.0.0.1:${proxy.port}`);
  const untrusted = await wary.client.check(CHECK, CREDENTIAL);
  expect(untrusted).toMatchObject({ outcome: "not_sent", reason: "proxy_failed", attempts: 1 });
  expect(untrusted.explanation).toMatch(
    /proxy 127\.0\.0\.1:\d+ cannot be used \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
  );
  expect(proxy.asked).toEqual([]);

  await using guarded = await startProxy(service.port, answerConnect(407));
  await using wrong = throughProxy(`http://user:s3cret@127.0.0.1:${guarded.port}`);
  const denied = await wrong.client.check(CHECK, CREDENTIAL);
  expect(denied.explanation).toMatch(/refuses the user name and password: correct them in HTTPS_PROXY\.$/);
  const encoded = Buffer.from("user:s3cret").toString("base64");
  for (const result of [refused, lost, untrusted, denied]) {
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`s3cret|user:|${encoded}`));
  }
});

test("a tunnel that is cut after bytes were written leaves the outcome unknown, sent once", async () => {
  const made = await authority.issue({ host: "service.example" });
  await using service = await startTlsService(made, { cuts: true });
  await using proxy = await startProxy(service.port);
  await using called = throughProxy(`http://127.0.0.1:${proxy.port}`);
  expect(await called.client.register(REGISTRATION, KEY)).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(service.requests).toEqual(["/projects"]);
  expect(proxy.asked).toHaveLength(1);
});

test("this machine is never reached through a proxy, and plain http has none", async () => {
  await using service = await startHostileService([rawThenClose("")]);
  const network = readNetwork(
    {
      HTTPS_PROXY: "http://proxy.invalid:1",
      HTTP_PROXY: "http://proxy.invalid:1",
      http_proxy: "http://proxy.invalid:1",
    },
    {},
  );
  await using called = clientFor(service.url, { network });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "unknown" });
  expect(service.requests).toHaveLength(1);
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]"]) {
    expect(proxyFor(new URL(`https://${host}/`), network.proxy), host).toBeNull();
  }
});

test.each([
  ["socks5://proxy.example:1080", /a proxy of the kind socks5:\/\//],
  ["ftp://proxy.example", /kind ftp:/],
  ["http://", /no proxy that can be read/],
  ["http://user:%zz@proxy.example", /a % that is not an escape/],
  ["http://proxy.example:99999", /no proxy that can be read/],
])("the proxy %s keeps everything from being sent", async (https, says) => {
  await using called = throughProxy(https);
  const result = await called.client.check(CHECK, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "not_sent", reason: "bad_proxy", attempts: 0 });
  expect(result.explanation).toMatch(says);
  expect(result.explanation).toMatch(/^Nothing was sent, because HTTPS_PROXY .*: .*\.$/);
  expect(result.explanation).not.toContain("%zz");
});

test("the environment is read as curl reads it", () => {
  const read = (env: NodeJS.ProcessEnv): ProxySettings | null => readNetwork(env, {}).proxy;
  expect(read({})).toBeNull();
  expect(read({ HTTP_PROXY: "http://a", http_proxy: "http://a", ALL_PROXY: "http://a" })).toBeNull();
  expect(read({ HTTPS_PROXY: "" })).toBeNull();
  expect(read({ HTTPS_PROXY: "http://upper", https_proxy: "http://lower" })).toEqual({
    https: "http://lower",
    none: "",
  });
  expect(read({ HTTPS_PROXY: "http://upper", NO_PROXY: "a", no_proxy: "b" })).toEqual({
    https: "http://upper",
    none: "b",
  });
});

test.each<[string, string, boolean]>([
  ["https://risk.example", "", true],
  ["https://risk.example", "*", false],
  ["https://risk.example", "risk.example", false],
  ["https://risk.example", "RISK.Example.", false],
  ["https://api.risk.example", "risk.example", false],
  ["https://api.risk.example", ".risk.example", false],
  ["https://risk.example", ".risk.example", false],
  ["https://risk.example", "*.risk.example", true],
  ["https://api.risk.example", "*.risk.example", false],
  ["https://notrisk.example", "risk.example", true],
  ["https://risk.example", "risk.example:443", false],
  ["https://risk.example", "risk.example:8443", true],
  ["https://risk.example:8443", "a, risk.example:8443 b", false],
  ["https://[2001:db8::1]", "2001:db8::1", false],
  ["https://[2001:db8::1]:444", "[2001:db8::1]:444", false],
  ["https://[2001:db8::1]:444", "[2001:db8::1]:445", true],
  ["https://192.0.2.1", "192.0.2.1", false],
])("%s with NO_PROXY=%s goes through the proxy: %s", (url, none, goes) => {
  const proxy = proxyFor(new URL(url), { https: "http://user:pw@proxy.example:3128", none });
  expect(proxy === null).toBe(!goes);
  if (goes) expect(proxy).toMatchObject({ host: "proxy.example:3128" });
});

/** What undici's own agent for the environment does, without a network. */
function undiciGoes(url: URL, none: string): boolean {
  let direct = false;
  const connect = (): never => {
    throw new Error("never reached");
  };
  const agent = new EnvHttpProxyAgent({
    httpProxy: "",
    httpsProxy: "http://proxy.example:3128",
    noProxy: none,
    connect,
    factory: (_: unknown, options: { readonly connect?: unknown }) => {
      direct = options.connect === connect;
      const dispatcher = {
        on: () => dispatcher,
        dispatch: () => true,
        destroyed: true,
        close: () => undefined,
      };
      return dispatcher as unknown as Dispatcher;
    },
  });
  agent.dispatch({ origin: url.origin, path: "/", method: "GET" }, {});
  return !direct;
}

test("undici reads NO_PROXY in the same way", () => {
  const label = fc.constantFrom("a", "b", "risk", "example", "xn--bcher-kva");
  const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
  const host = fc.oneof(name, fc.constantFrom("192.0.2.1", "[2001:db8::1]", "[fe80::2]"));
  const port = fc.constantFrom("", ":443", ":8443");
  const entry = fc
    .oneof(
      fc.tuple(fc.constantFrom("", "", ".", "*.", "*"), name, fc.constantFrom("", "", "."), port),
      fc.tuple(host, port),
    )
    .map((parts) => parts.join(""));
  const list = fc
    .array(fc.oneof(entry, fc.constantFrom("*", "", "2001:db8::1", "*:443", "*:80")), { maxLength: 3 })
    .chain((entries) => fc.constantFrom(",", " ", ", ").map((between) => entries.join(between)));
  fc.assert(
    fc.property(host, port, list, (hostname, suffix, none) => {
      const url = new URL(`https://${hostname}${suffix}/`);
      const goes = proxyFor(url, { https: "http://proxy.example:3128", none }) !== null;
      expect(goes).toBe(undiciGoes(url, none));
    }),
    { numRuns: 2_000 },
  );
});
