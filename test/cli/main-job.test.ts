// The main job as its user does it: register, wait, check, read the exit code, find it again.

import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FULL, REGISTER } from "./main-job-payment.ts";
import { testHomeOfTests, type Ran } from "./verdict-process.ts";

describe("the main job", () => {
  const home = testHomeOfTests();
  const payload = (name: string, body: unknown): string => {
    const path = join(home.folder, name);
    writeFileSync(path, typeof body === "string" ? body : JSON.stringify(body));
    return path;
  };
  let passed: Ran;
  let blocked: Ran;

  beforeAll(async () => {
    const registered = await home.run(`${REGISTER} --wait`);
    expect(registered).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Waiting .+ before the credential is asked for;[^\n]*\n$/) as string,
    });
    expect(registered.stdout).toContain("Registered demo-shop/medium");
    expect(registered.stdout).toMatch(/key id hmac-sha256-\S+ · project id \S+ · hmac-sha256 · secret \*+/);
    passed = await home.run(["check", payload("full.json", FULL), "--json"]);
    const expired = {
      ...FULL,
      order_id: "o-expired",
      card: { ...FULL.card, expiration_year: 20 },
    };
    blocked = await home.run(["check", payload("expired.json", expired)]);
  });

  it("exits 0 on pass and prints the promised JSON", () => {
    expect(passed.code).toBe(0);
    const printed = JSON.parse(passed.stdout) as Record<string, unknown>;
    expect(Object.keys(printed)).toEqual([
      "schema",
      "id",
      "at",
      "profile",
      "project",
      "order_id",
      "amount",
      "currency",
      "outcome",
      "recommendation",
      "message",
      "reason",
      "explanation",
      "reaction",
      "final_action",
      "http_status",
      "latency_ms",
      "attempts",
      "warnings",
      "environment",
    ]);
    expect(printed).toMatchObject({
      schema: 1,
      profile: "sandbox",
      project: "demo-shop/medium",
      order_id: "o-full",
      outcome: "answered",
      recommendation: "pass",
      reaction: "Continue processing the transaction.",
      final_action: "continue",
      http_status: 200,
      attempts: 1,
      warnings: [],
    });
  });

  it("exits 10 on block: an expired card", () => {
    expect(blocked.code).toBe(10);
    expect(blocked.stdout).toContain("✖ BLOCK  Block further processing of the transaction.");
  });

  it("exits 11 on 3ds_or_block, and 10 where 3-D Secure cannot be forced", async () => {
    const body = { ...FULL, order_id: "o-3ds", payer: { ...FULL.payer, email: "x@mailinator.com" } };
    const open = await home.run(["check", payload("3ds.json", body)]);
    expect(open.code).toBe(11);
    expect(open.stdout).toContain("◆ 3DS");
    const forced = await home.json(["check", payload("3ds.json", body), "--can-force-3ds", "yes", "--json"]);
    expect(forced[0]).toMatchObject({ recommendation: "3ds_or_block", final_action: "3ds" });
    const blocked = await home.run(["check", payload("3ds.json", body), "--can-force-3ds", "no", "--json"]);
    expect(blocked.code).toBe(10);
    expect(JSON.parse(blocked.stdout)).toMatchObject({
      recommendation: "3ds_or_block",
      final_action: "block",
    });
  });

  it("types and shows 0042, and sends 42", async () => {
    const path = payload("full.json", FULL);
    const { stdout } = await home.run(["check", path, "--set", "card.cin_card=0042", "--dry-run", "--json"]);
    expect((JSON.parse(stdout) as { request: typeof FULL }).request.card.cin_card).toBe(42);
  });

  it("reads standard input and changes fields", async () => {
    const { code, stdout } = await home.run(["check", "-", "--set", "order_id=o-stdin", "--json"], {
      input: JSON.stringify(FULL),
    });
    expect([0, 11, 10]).toContain(code);
    expect(JSON.parse(stdout)).toMatchObject({ order_id: "o-stdin" });
  });

  it("finds them again by verdict, money and text", async () => {
    const blocks = await home.json(["history", "--where", "verdict:block", "--json"]);
    expect(blocks.map((row) => row["order_id"])).toContain("o-expired");
    expect(blocks.every((row) => row["recommendation"] === "block")).toBe(true);
    const { stdout } = await home.run(["history", "--where", "order:o-full"]);
    expect(stdout).toContain("120.00 UAH");
    const [row] = await home.json(["history", "--where", "order:o-full", "--limit", "1", "--json"]);
    const shown = await home.run(["history", "show", row!["id"] as string]);
    expect(shown.stdout).toContain("✔ PASS  Continue processing the transaction.");
    expect(shown.stdout).toContain('"order_id": "o-full"');
    expect(shown.stdout).toMatch(/score +\d+; 3-D Secure from 35, block from 75/);
  });

  it("keeps folders at 0700 and files at 0600", () => {
    const top = join(home.folder, "verdict");
    const seen = readdirSync(top, { recursive: true, encoding: "utf8" });
    expect(seen.length).toBeGreaterThan(8);
    for (const name of seen) {
      const stat = statSync(join(top, name));
      expect(`${name} ${(stat.mode & 0o777).toString(8)}`).toBe(
        `${name} ${stat.isDirectory() ? "700" : "600"}`,
      );
    }
  });

  it("never writes the secret in clear", async () => {
    // The sandbox's panel shows an integration key's secret to a pipe: the canary that nothing else may hold.
    const panel = await home.json(["sandbox", "panel", "--json"]);
    const companies = panel[0]!["companies"] as { integration_keys: { key_id: string }[] }[];
    const key = companies[0]!.integration_keys[0]!;
    expect(JSON.stringify(panel)).not.toMatch(/[0-9a-f]{64}|secret/);
    const secret = (await home.run(`sandbox panel --secret ${key.key_id}`)).stdout.trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const forms = [
      secret,
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
      Buffer.from(secret, "hex").toString("base64"),
    ];
    const top = join(home.folder, "verdict");
    for (const name of readdirSync(top, { recursive: true, encoding: "utf8" })) {
      const path = join(top, name);
      if (!statSync(path).isFile()) continue;
      const text = readFileSync(path, "latin1");
      for (const form of forms) expect(text.includes(form), name).toBe(false);
    }
  });
});
