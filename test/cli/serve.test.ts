// verdict serve on its own, used as a stranger's service: a profile, keys from its file, the three calls.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { makeAuthority } from "../client/certificates.ts";
import { startServing, type Serving } from "./serving-process.ts";
import { PROGRAM, type TestHome, testHome, testHomeOfTests } from "./verdict-process.ts";

const serve = (home: TestHome, options = ""): Promise<Serving> =>
  startServing(home, `--credential-delay 0 --state served ${options}`.trim());

/** Adds the profile `mine`, and the first key of the file that the service wrote. */
async function addProfile(home: TestHome, said: string, ...options: readonly string[]): Promise<void> {
  const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(said)![0];
  const keysFile = /Integration keys: (\S+) /.exec(said)![1]!;
  const { companies } = JSON.parse(readFileSync(keysFile, "utf8")) as {
    companies: { company_id: string; integration_keys: { key_id: string; secret: string }[] }[];
  };
  const [key] = companies[0]!.integration_keys;
  const profile = ["profile", "add", "mine", "--base-url", url, "--credential-wait", "0", ...options];
  expect((await home.run(profile)).code).toBe(0);
  const words = "vault add --profile mine --secret-stdin".split(" ");
  const added = await home.run(
    [...words, "--key-id", key!.key_id, "--company-id", companies[0]!.company_id],
    { input: key!.secret },
  );
  expect(added).toMatchObject({ code: 0, stderr: "" });
}

describe("verdict serve", () => {
  let home: TestHome;
  let serving: Serving;

  beforeAll(async () => {
    home = testHome();
    serving = await serve(home);
  });
  afterAll(async () => {
    serving.child.kill("SIGKILL");
    await home.remove();
  });

  it("is used through a profile, with the keys it wrote at its first start", async () => {
    await addProfile(home, serving.said);
    const registered = await home.run(
      "register --profile mine --merchant-id shop --name Shop --currency 978 --risk-level high --wait",
    );
    expect(registered).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(?:Waiting [^\n]*\n)?$/) as string,
    });
    const checked = await home.run(
      "check --profile mine --set operation=payment --set order_id=s-1 --set amount=4999 --set currency=EUR --json",
    );
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      profile: "mine",
      project: "shop/high",
      recommendation: "pass",
    });
  });

  it("refuses a second instance on one state directory", async () => {
    const second = await home.run(["serve", "--port", "0", "--state", join(home.folder, "served")]);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain("Another sandbox serves");
  });
});

describe("the address of verdict serve", () => {
  it.each([
    ["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/, false],
    ["localhost", /^http:\/\/localhost:\d+$/, false],
    ["0.0.0.0", /^http:\/\/0\.0\.0\.0:\d+$/, true],
    ["::", /^http:\/\/\[::\]:\d+$/, true],
    ["::1", /^http:\/\/\[::1\]:\d+$/, false],
    ["::ffff:0.0.0.0", /^http:\/\/\[::ffff:0\.0\.0\.0\]:\d+$/, true],
  ])(
    "%s is printed as it can be used, with a warning where a network can listen in",
    async (host, form, warned) => {
      const home = testHome();
      onTestFinished(() => home.remove());
      const { url, log, end } = await startServing(home, `--host ${host} --ephemeral --state served`);
      expect(await end("SIGTERM")).toBe(0);
      expect(url).toMatch(form);
      expect(log().includes("It speaks plain HTTP: anyone on its network can read the secrets")).toBe(warned);
    },
  );
});

it("sandbox stop says what becomes of the projects", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  for (const [options, fate] of [
    ["", "stay on disk"],
    [" --ephemeral", "are gone"],
  ] as const) {
    const { child } = await serve(home, `--admin-port 0${options}`);
    const ended = once(child, "close");
    const stopped = await home.run(["sandbox", "stop", "--state", join(home.folder, "served")]);
    await ended;
    expect(stopped).toMatchObject({ code: 0 });
    expect(stopped.stdout).toContain(`its projects, keys and counters ${fate}.`);
    rmSync(join(home.folder, "served"), { recursive: true, force: true });
  }
});

describe("verdict serve by TLS, set by variables", () => {
  it("is called by a profile, administered from afar, reads its certificate again on SIGHUP, and ends on SIGTERM", async () => {
    const home = testHome();
    onTestFinished(() => home.remove());
    const authority = await makeAuthority();
    const file = (name: string, text: string): string => {
      const path = join(home.folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const renew = async (): Promise<void> => {
      const { certificate, key } = await authority.issue();
      file("cert.pem", certificate);
      file("key.pem", key);
    };
    await renew();
    const [ca, token] = [file("ca.pem", authority.certificate), file("token", "0123456789abcdef".repeat(2))];
    const server = spawn(process.execPath, [PROGRAM, "serve", "--json"], {
      env: {
        ...home.env,
        VERDICT_SERVE_PORT: "0",
        VERDICT_SERVE_STATE: join(home.folder, "served"),
        VERDICT_SERVE_TLS_CERT: join(home.folder, "cert.pem"),
        VERDICT_SERVE_TLS_KEY: join(home.folder, "key.pem"),
        VERDICT_SERVE_ADMIN_PORT: "0",
        VERDICT_SERVE_ADMIN_TOKEN_FILE: token,
        VERDICT_SERVE_CREDENTIAL_DELAY: "0",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    let log = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
    const [line] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string];
    const said = JSON.parse(line) as Record<string, string>;
    expect(said).toMatchObject({
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string,
      tls: true,
      admin_url: expect.stringMatching(/^https:/) as string,
      admin_token_file: token,
      state: join(home.folder, "served"),
      tenant: "default",
      pid: server.pid,
    });
    await addProfile(home, `${said["url"]} Integration keys: ${said["keys_file"]} `, "--ca", ca);
    const register =
      "register --profile mine --merchant-id shop --name Shop --currency 978 --risk-level high --wait";
    expect((await home.run(register)).code).toBe(0);
    const far = `--admin ${said["admin_url"]} --token-file ${token} --ca ${ca}`;
    expect(await home.json(`sandbox status --json ${far}`)).toMatchObject([{ tls: true, projects: 1 }]);
    expect(await home.json(`sandbox status --json --state ${said["state"]}`)).toMatchObject([
      { projects: 1 },
    ]);
    await renew();
    server.kill("SIGHUP");
    await vi.waitFor(() => expect(log).toContain('"tls_reloaded"'));
    expect((await home.run(`sandbox status ${far}`)).code).toBe(0);
    const closed = once(server, "close");
    server.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
  });
});

describe("verdict serve --currency-numbering iso-3166-1", () => {
  const home = testHomeOfTests();
  let serving: Serving;

  beforeAll(async () => {
    serving = await serve(home, "--currency-numbering iso-3166-1");
    await addProfile(home, serving.said, "--currency-numbering", "iso-3166-1");
  });
  afterAll(() => {
    serving.child.kill("SIGKILL");
  });

  const register = (merchant: string, currency: string, profile = "mine"): ReturnType<TestHome["run"]> =>
    home.run(
      `register --profile ${profile} --merchant-id ${merchant} --name Shop --currency ${currency} --risk-level low --wait`,
    );

  it("takes the country of a project and of a check, and judges by its currency", async () => {
    expect(await register("shop", "804")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(?:Waiting [^\n]*\n)?$/) as string,
    });
    expect((await home.run("projects --profile mine")).stdout).toMatch(/shop\/low .* UA /);
    const check = "check --profile mine --set operation=payment --set amount=12000";
    const checked = await home.run(`${check} --set order_id=c-1 --set currency=UA`);
    expect(checked.code).toBe(0);
    expect((await home.run("history --profile mine")).stdout).toContain("120.00 UAH");
    const foreign = await home.run(`${check} --set order_id=c-2 --set currency=980`);
    expect(foreign.code).toBe(5);
    expect(foreign.stdout).toContain("980 is the currency UAH; use for example 804 for Ukraine");
  });

  it("refuses a currency before anything is sent, and shows what the profile has", async () => {
    onTestFinished(async () => void (await home.run("profile add mine --currency-numbering iso-3166-1")));
    const refused = await register("other", "980");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("is no country number of ISO 3166-1; 980 is the currency UAH");
    expect((await home.run("profile show mine")).stdout).toMatch(/currency numbers +iso-3166-1/);
    expect(await home.json("profile show mine --json")).toMatchObject([{ currency_numbering: "iso-3166-1" }]);
    expect((await home.run("profile add mine --currency-numbering iso-4217")).code).toBe(0);
    const mixed = await register("third", "980");
    expect(mixed.code).toBe(5);
  });
});

describe("verdict serve --registration-currency-numbering iso-3166-1", () => {
  const home = testHomeOfTests();
  let serving: Serving;

  beforeAll(async () => {
    const numbering = ["--registration-currency-numbering", "iso-3166-1"];
    serving = await serve(home, numbering.join(" "));
    await addProfile(home, serving.said, ...numbering);
  });
  afterAll(() => {
    serving.child.kill("SIGKILL");
  });

  it.each([
    ["804", "980"],
    ["UA", "UAH"],
    ["UAH", "UAH"],
  ])("registers with %s and checks with %s on one profile", async (registered, checked) => {
    const merchant = `shop-${registered.toLowerCase()}`;
    const ran = await home.run(
      `register --profile mine --merchant-id ${merchant} --name Shop --currency ${registered} --risk-level low --wait`,
    );
    expect(ran).toMatchObject({ code: 0 });
    const check = `check --profile mine --project ${merchant}/low --set operation=payment --set amount=12000`;
    const passed = await home.run(`${check} --set order_id=c-${registered} --set currency=${checked}`);
    expect(passed).toMatchObject({ code: 0 });
    expect((await home.run("history --profile mine")).stdout).toContain("120.00 UAH");
  });

  it("says what each takes, and what the profile has", async () => {
    const refused = await home.run(
      "register --profile mine --merchant-id other --name Shop --currency EUR --risk-level low",
    );
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("letters of a country or its currency such as UA or UAH"),
    ]);
    expect((await home.run("profile show mine")).stdout).toMatch(
      /currency numbers +iso-4217\nat registration +iso-3166-1/,
    );
    expect(await home.json("profile show mine --json")).toMatchObject([
      { currency_numbering: "iso-4217", registration_currency_numbering: "iso-3166-1" },
    ]);
  });
});
