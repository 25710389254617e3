// The main job with other payments, with an expectation, and when the 24 hours are over.

import { beforeAll, describe, expect, it } from "vitest";
import { FULL, REGISTER } from "./main-job-payment.ts";
import { testHomeOfTests } from "./verdict-process.ts";

describe("a payment", () => {
  const home = testHomeOfTests();
  beforeAll(async () => {
    expect((await home.run(`${REGISTER} --wait`)).code).toBe(0);
  });

  it.each([
    ["last four with leading zeros", { card: { ...FULL.card, cin_card: 42 } }],
    ["IPv6", { payer: { ...FULL.payer, payer_ip: "2a02:2378::1" } }],
    ["no card", { card: undefined }],
    ["euro", { amount: 4_999, currency: 978 }],
    ["yen, which have no decimals", { amount: 5_000, currency: 392 }],
    ["Kuwaiti dinar, which have three", { amount: 12_345, currency: 414 }],
  ])("takes %s", async (name, change) => {
    const input = JSON.stringify({ ...FULL, order_id: `o-${name.length}-${name.slice(0, 3)}`, ...change });
    const { code, stderr } = await home.run("check -", { input });
    expect(stderr).toBe("Profile: sandbox (SANDBOX).\n");
    expect([0, 10, 11]).toContain(code);
  });
});

describe("a payload with an expectation", () => {
  const home = testHomeOfTests();
  beforeAll(async () => {
    expect((await home.run(`${REGISTER} --wait`)).code).toBe(0);
  });

  it("exits 8 on a pass that was not expected, and by its verdict otherwise", async () => {
    const envelope = (expect: string, order_id: string): string =>
      JSON.stringify({ name: "case", expect, tags: [], request: { ...FULL, order_id } });
    const unexpected = await home.run("check -", { input: envelope("block", "o-e1") });
    expect(unexpected.code).toBe(8);
    expect(unexpected.stderr).toContain("Expected block; the verdict is pass.");
    expect((await home.run("check -", { input: envelope("pass", "o-e2") })).code).toBe(0);
  });

  it("sends without recording when told so", async () => {
    const before = (await home.json("history --json --limit 100")).length;
    expect(
      (await home.run("check - --set order_id=o-off --no-history", { input: JSON.stringify(FULL) })).code,
    ).toBe(0);
    expect(await home.json("history --json --limit 100")).toHaveLength(before);
  });
});

describe("the 24 hours", () => {
  const home = testHomeOfTests();

  it("says that the window is closed, and the manual path works", async () => {
    expect((await home.run(REGISTER)).code).toBe(0);
    await home.run(["sandbox", "clock", "advance", "24h"]);
    const closed = await home.run(["credential", "--merchant-id", "demo-shop", "--risk-level", "medium"]);
    expect(closed.code).toBe(5);
    expect(closed.stderr).toContain("The 24 hours in which the credential can be fetched are over");
    expect(closed.stderr).toContain("verdict sandbox panel");
    const listed = await home.run("projects");
    expect(listed.stdout).toMatch(
      /demo-shop\/medium +closed .*window closed; take it from the administrative panel/,
    );
    // A second registration of the same project does not open the window anew.
    expect((await home.run(REGISTER)).code).toBe(5);
    expect((await home.run("projects")).stdout).toContain("window closed");

    const early = await home.run("check - --project demo-shop/medium", { input: JSON.stringify(FULL) });
    expect(early.code).toBe(3);
    expect(early.stderr).toContain("has no credential, and its 24 hours are over");

    const panel = (await home.json(["sandbox", "panel", "--json"]))[0]!["companies"] as {
      projects: { credential: { key_id: string; project_id: string } }[];
    }[];
    const { key_id: keyId, project_id: projectId } = panel[0]!.projects[0]!.credential;
    const secret = (await home.run(`sandbox panel --secret ${keyId}`)).stdout;
    const added = await home.run(
      `vault add --merchant-id demo-shop --risk-level medium --key-id ${keyId} --project-id ${projectId} --secret-stdin`,
      { input: secret },
    );
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const checked = await home.run(["check", "-"], { input: JSON.stringify(FULL) });
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain("✔ PASS");
    // What is in the vault already is not asked to be entered again.
    const late = "credential --merchant-id demo-shop --risk-level medium";
    expect((await home.run(late)).stderr).toContain("the vault has it already");
    expect((await home.json(`${late} --json`))[0]).toMatchObject({ state: "closed", in_vault: true });
  });
});
