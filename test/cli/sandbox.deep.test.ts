// verdict sandbox, as a process: what it says and what it changes.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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

  const one = async (args: string): Promise<Record<string, unknown>> => (await home.json(args))[0]!;

  it("takes magic order ids, which work through the client as failures that it does not trust", async () => {
    const codes: [string, number][] = [
      ["force-pass-1", 0],
      ["force-block-1", 10],
      ["force-3ds-1", 11],
      ["force-500-1", 6],
      ["force-garbage-1", 7],
      ["force-truncated-1", 6],
    ];
    for (const [order, code] of codes) {
      expect([order, (await home.run(`${CHECK}${order}`)).code]).toEqual([order, code]);
    }
  });

  it("makes faults by one grammar, shows them, and ends them", async () => {
    const added = await home.run("sandbox faults add check 429 --rate 1 --count 1 --retry-after 30");
    expect(added).toMatchObject({
      code: 0,
      stdout: "Fault f-1 on check: status 429, Retry-After 30 s, every request, 1 of 1 left.\n",
    });
    await home.run("sandbox faults add all latency 1ms..2ms");
    expect((await home.run("sandbox faults list")).stdout).toMatch(/f-2 +all +\d+ +latency 1 ms to 2 ms/);
    expect((await home.run("sandbox status")).stdout).toContain("f-1 on check: status 429");
    expect((await home.run(`${CHECK}a`)).code).toBe(5);
    expect((await home.run(`${CHECK}b`)).code).toBe(0);
    expect((await one("sandbox faults list --json"))["faults"]).toMatchObject([
      { id: "f-1", what: "status", made: 1 },
      { id: "f-2", what: "latency", made: 2 },
    ]);
    expect((await home.run("sandbox faults clear f-1")).stdout).toBe("1 faults are left.\n");
    expect((await home.run("sandbox faults clear f-9")).code).toBe(2);
    expect((await home.run("sandbox faults clear")).stdout).toBe("No faults are left.\n");
    const wrong = await home.run("sandbox faults add check slow");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("status from 400 to 599");
  });

  it("shows the journal, with the decision, and follows it", async () => {
    await home.run(`${CHECK}journal-1`);
    const shown = await home.run("sandbox journal --limit 2 --signed");
    expect(shown.stdout).toMatch(/200 {2}check .* pass \(dec-/);
    expect(shown.stdout).toContain("(request-target): post /v1/check");
    const entries = await home.json("sandbox journal --limit 1 --json");
    expect(entries).toMatchObject([{ call: "check", status: 200, recommendation: "pass" }]);

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

  it("replaces the rules while it runs, and refuses wrong ones", async () => {
    const { stdout: text } = await home.run("rules print");
    expect(text).toContain("CARD_EXPIRED");
    const file = join(home.folder, "mine.yaml");
    writeFileSync(file, text);
    expect((await home.run(["rules", "use", file])).stdout).toMatch(/^\d+ rules of .*rules\.yaml decide/);
    expect(await one("rules list --hits --json")).toMatchObject({ from_file: true, error: null });
    const { stdout: listed } = await home.run("rules list --hits");
    expect(listed).toMatch(/RULE .*MODE .*HITS/);
    expect(listed).toMatch(/counted since the sandbox started, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    writeFileSync(file, "rules: 5\n");
    const wrong = await home.run(["rules", "use", file]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect((await home.run("rules edit")).stderr).toContain("no terminal");
    const { code, stderr } = await home.run("rules use starter");
    expect(code).toBe(2);
    expect(stderr).toContain("--yes");
    expect(await one("rules list --hits --json")).toMatchObject({ from_file: true });
    expect((await home.run("rules use starter --yes")).stdout).toMatch(/rules of the starter set decide/);
    expect((await home.run("rules use current")).code).toBe(0);
  });

  it("keeps a state under a name and in a file, goes back to it, and resets", async () => {
    const before = await one("sandbox status --json");
    expect((await home.run("sandbox snapshot before")).stdout).toMatch(
      /^Snapshot of 1 project and \d+ decisions?: /,
    );
    const file = join(home.folder, "state.snapshot");
    expect((await home.run(["sandbox", "snapshot", file])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    expect((await home.run("sandbox snapshot before")).code).toBe(2);
    expect((await home.run("sandbox snapshot")).stdout).toMatch(/SNAPSHOT[^]*before/);
    await home.run("sandbox clock advance 3d");
    await home.run(`${CHECK}after-snapshot`);
    expect((await home.run("sandbox restore before")).code).toBe(2);
    expect((await home.run("sandbox restore before --yes")).code).toBe(0);
    const restored = await one("sandbox status --json");
    expect(restored).toMatchObject({ projects: 1, decisions: before["decisions"] });
    expect((await home.run(["sandbox", "restore", file, "--yes"])).code).toBe(0);

    expect((await home.run("sandbox reset")).code).toBe(2);
    expect((await home.run("sandbox reset --keep-projects --yes")).code).toBe(0);
    expect(await one("sandbox status --json")).toMatchObject({ projects: 1, decisions: 0 });
    expect((await home.run(`${CHECK}still-signed`)).code).toBe(0);
    expect((await home.run("sandbox reset --yes")).code).toBe(0);
    expect(await one("sandbox status --json")).toMatchObject({ projects: 0, decisions: 0 });
    expect((await home.run(`${CHECK}gone`)).code).toBe(5);
  });

  it("tells in its status how it decides where the spec is silent", async () => {
    const status = await one("sandbox status --json");
    expect(status).toMatchObject({
      running: true,
      writable: true,
      faults: [],
      rule_file: null,
      switches: {
        require: ["operation", "order_id", "amount", "currency"],
        credential_delay_s: 5,
        credential_unsigned: false,
        magic: true,
        seeded: false,
      },
    });
    const { stdout } = await home.run("sandbox status");
    for (const word of ["virtual time", "signatures", "credential", "required", "magic", "faults", "rules"]) {
      expect(stdout).toContain(word);
    }
    const log = readFileSync(join(home.folder, "verdict", "state", "sandbox", "sandbox.log"), "utf8");
    expect(log).toContain(`"event":"started"`);
  });
});

describe("verdict serve, administered", () => {
  it("takes its switches, is administered by its state folder, and drains on SIGTERM", async () => {
    const home = testHome();
    const state = join(home.folder, "served");
    const args =
      "serve --port 0 --admin-port 0 --no-magic --require payer.email --credential-unsigned --seed 5";
    const server = spawn(process.execPath, [PROGRAM, ...args.split(" "), "--state", state], {
      env: home.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    server.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    let logged = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => (logged += text));
    try {
      await vi.waitFor(() => expect(said).toContain("Ctrl-C ends it."), { timeout: 60_000 });
      const [status] = await home.json(["sandbox", "status", "--json", "--state", state]);
      expect(status).toMatchObject({
        switches: { require: ["payer.email"], credential_unsigned: true, magic: false, seeded: true },
      });
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      expect(await gone).toEqual([0, null]);
      const events = logged
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { event: string }).event);
      expect(events.slice(-2)).toEqual(["stopping", "stopped"]);
      const nobody = await home.run(["sandbox", "faults", "list", "--state", state]);
      expect(nobody.code).toBe(4);
      expect(nobody.stderr).toContain("No sandbox runs on");
    } finally {
      server.kill("SIGKILL");
      await home.remove();
    }
  });
});
