// verdict sandbox, as a process: a journal that is followed, and a service that is administered.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startServing } from "./serving-process.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

const CHECK = "check --set operation=payment --set amount=4999 --set currency=UAH --json --set order_id=";

describe("verdict sandbox", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = testHome();
    const registered = await home.run(
      "register --merchant-id shop --name Shop --currency UAH --risk-level medium --wait",
    );
    expect(registered).toMatchObject({ code: 0 });
  });
  afterAll(() => home.remove());

  it("follows its journal", async () => {
    const child = spawn(
      process.execPath,
      [PROGRAM, "sandbox", "journal", "--follow", "--limit", "0", "--json"],
      {
        env: home.env,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let followed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (followed += text));
    await vi.waitFor(
      async () => {
        await home.run(`${CHECK}follow-${Date.now()}`);
        expect(followed).toContain(`"call":"check"`);
      },
      { timeout: 60_000 },
    );
    const gone = once(child, "exit");
    child.kill("SIGINT");
    expect((await gone)[0]).toBe(0);
  });
});

describe("verdict serve, administered", () => {
  it("takes its switches, is administered by its state folder, and drains on SIGTERM", async () => {
    const home = testHome();
    const state = join(home.folder, "served");
    const args = "--admin-port 0 --no-magic --require payer.email --credential-unsigned --seed 5";
    const serving = await startServing(home, `${args} --state ${state}`);
    try {
      const [status] = await home.json(["sandbox", "status", "--json", "--state", state]);
      expect(status).toMatchObject({
        switches: { require: ["payer.email"], credential_unsigned: true, magic: false, seeded: true },
      });
      expect(await serving.end("SIGTERM")).toBe(0);
      const events = serving
        .log()
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { event: string }).event);
      expect(events.slice(-2)).toEqual(["stopping", "stopped"]);
      const nobody = await home.run(["sandbox", "faults", "list", "--state", state]);
      expect(nobody.code).toBe(4);
      expect(nobody.stderr).toContain("No sandbox runs on");
    } finally {
      serving.child.kill("SIGKILL");
      await home.remove();
    }
  });
});
