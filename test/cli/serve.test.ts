// verdict serve on its own, used as a stranger's service: a profile, keys from its file, the three calls.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

describe("verdict serve", () => {
  let home: TestHome;
  let server: ChildProcess;
  let said = "";

  beforeAll(async () => {
    home = testHome();
    const args = ["serve", "--port", "0", "--credential-delay", "0", "--state", join(home.folder, "served")];
    server = spawn(process.execPath, [PROGRAM, ...args], {
      env: home.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      server.on("exit", (code) => reject(new Error(`serve ended with ${code}`)));
      server.stdout!.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("Ctrl-C ends it.")) resolve();
      });
    });
  });
  afterAll(async () => {
    server.kill("SIGKILL");
    await home.remove();
  });

  it("is used through a profile, with the keys it wrote at its first start", async () => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0];
    const keysFile = /Integration keys: (\S+) /.exec(said)![1]!;
    const { companies } = JSON.parse(readFileSync(keysFile, "utf8")) as {
      companies: { company_id: string; integration_keys: { key_id: string; secret: string }[] }[];
    };
    const [key] = companies[0]!.integration_keys;

    expect(
      (await home.run(["profile", "add", "mine", "--base-url", url, "--credential-wait", "0"])).code,
    ).toBe(0);
    const added = await home.run(
      [
        "vault",
        "add",
        "integration-key",
        "--profile",
        "mine",
        "--key-id",
        key!.key_id,
        "--company-id",
        companies[0]!.company_id,
        "--secret-stdin",
      ],
      { input: key!.secret },
    );
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const registered = await home.run(
      "register --profile mine --merchant-id shop --name Shop --currency 978 --risk-level high --wait",
    );
    expect(registered).toMatchObject({ code: 0, stderr: "" });
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

  it("refuses a second instance on one state directory, and ends cleanly on SIGTERM", async () => {
    const second = await home.run(["serve", "--port", "0", "--state", join(home.folder, "served")]);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain("Another sandbox serves");
    const code = await new Promise<number | null>((resolve) => {
      server.removeAllListeners("exit").on("exit", resolve);
      server.kill("SIGTERM");
    });
    expect(code).toBe(0);
  });
});

describe("the address of verdict serve", () => {
  it.each([
    ["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/, false],
    ["localhost", /^http:\/\/localhost:\d+$/, false],
    ["0.0.0.0", /^http:\/\/0\.0\.0\.0:\d+$/, true],
    ["::", /^http:\/\/\[::\]:\d+$/, true],
    ["::1", /^http:\/\/\[::1\]:\d+$/, false],
  ])(
    "%s is printed as it can be used, with a warning where a network can listen in",
    async (host, form, warned) => {
      const home = testHome();
      onTestFinished(() => home.remove());
      const args = ["serve", "--host", host, "--port", "0", "--ephemeral"];
      const server = spawn(process.execPath, [PROGRAM, ...args, "--state", join(home.folder, "served")], {
        env: home.env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const text = { out: "", err: "" };
      server.stdout.setEncoding("utf8").on("data", (piece: string) => {
        text.out += piece;
        if (text.out.includes("Ctrl-C ends it.")) server.kill("SIGTERM");
      });
      server.stderr.setEncoding("utf8").on("data", (piece: string) => (text.err += piece));
      await once(server, "close");
      expect(/listens on (\S+)/.exec(text.out)?.[1]).toMatch(form);
      expect(text.err.includes("It speaks plain HTTP: whoever is on its network can read the secrets")).toBe(
        warned,
      );
    },
  );
});
