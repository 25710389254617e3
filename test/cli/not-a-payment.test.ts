// What must never leave, at every door of the command line: nothing reaches the service, and nothing of it is kept.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHostileService, type HostileService } from "../client/hostile-service.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

const GOOD = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

/** Under names of their own, with the words that the refusal names them by. */
const DOCUMENTS: readonly (readonly [name: string, named: string, text: string])[] = [
  ["har", "a HAR file", JSON.stringify({ log: { entries: [{ request: { cookies: ["SECRET"] } }] } })],
  [
    "large-har",
    "a HAR file",
    JSON.stringify({ log: { entries: [{ request: { cookies: ["SECRET".repeat(20_000)] } }] } }),
  ],
  [
    "postman",
    "a Postman collection",
    JSON.stringify({ info: { name: "SECRET", schema: "https://schema.getpostman.com/v2.1.0" }, item: [] }),
  ],
  [
    "package",
    "a package file of npm",
    JSON.stringify({ name: "a", version: "1.0.0", description: "SECRET" }),
  ],
  ["openapi", "an OpenAPI document", JSON.stringify({ openapi: "3.1.0", info: { title: "SECRET" } })],
  ["nothing", "no field of a check request", "{}"],
  ["cvc2", "cvc2", JSON.stringify({ ...GOOD, card: { bin_card: 411111, cvc2: "SECRET" } })],
  ["pin", "PIN_block", JSON.stringify({ ...GOOD, more: [{ PIN_block: "SECRET" }] })],
  ["dots", "full card number", JSON.stringify({ ...GOOD, description: "SECRET 4111.1111.1111.1111" })],
];

describe("what is no payment", () => {
  const home = homeOfTests();
  let service: HostileService;
  let folder: string;

  beforeAll(async () => {
    service = await startHostileService([]);
    await pointAt(home, service.url);
    folder = join(home.folder, "given");
    mkdirSync(folder);
    for (const [name, , text] of DOCUMENTS) {
      const one = join(folder, name);
      mkdirSync(one);
      writeFileSync(join(one, `${name}.json`), text);
      writeFileSync(join(one, `${name}.ndjson`), `${text}\n`);
      writeFileSync(join(one, `${name}.list.json`), `[${text}]`);
      writeFileSync(join(one, `${name}.curl`), `curl https://check.example/v1/check -d '${text}'\n`);
      writeFileSync(
        join(one, "deck.yaml"),
        `title: t\nsummary: s\nstart: 2026-01-15T10:00:00Z\nseed: 1\nproject: { merchant: m, currency: 978, risk_level: low }\nsteps:\n  - say: s\n    payload: ${text}\n`,
      );
    }
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  const file = (name: string, ending: string): string => join(folder, name, `${name}.${ending}`);
  const DOORS: readonly (readonly [string, (name: string) => string[]])[] = [
    ["check FILE", (name) => ["check", file(name, "json")]],
    ["check -", () => ["check", "-"]],
    ["check FILE --set", (name) => ["check", file(name, "json"), "--set", "terminal_id=t"]],
    ["replay FILE", (name) => ["replay", file(name, "json")]],
    ["replay FILE --dry-run", (name) => ["replay", file(name, "json"), "--dry-run"]],
    ["replay lines", (name) => ["replay", file(name, "ndjson")]],
    ["replay list", (name) => ["replay", file(name, "list.json")]],
    ["replay curl", (name) => ["replay", file(name, "curl")]],
    ["replay -", () => ["replay", "-"]],
    ["replay --strict", (name) => ["replay", file(name, "json"), "--strict"]],
    ["payload save", (name) => ["payload", "save", "kept", file(name, "json")]],
    [
      "sweep",
      (name) => ["sweep", file(name, "json"), "--field", "currency", "--list", "978", "--confirm", "test"],
    ],
    ["sign", (name) => ["sign", file(name, "json")]],
    [
      "rules backtest",
      (name) => ["rules", "backtest", "starter", "--against", "starter", "--over", file(name, "json")],
    ],
  ];

  /** They read what they are given by the same code as a file does: one document of each kind tells. */
  const ALIKE = new Set(["replay lines", "replay list", "replay curl", "replay -", "replay --strict"]);
  const ONE_OF_EACH = new Set(["large-har", "nothing", "cvc2", "dots"]);

  test.each(DOORS)("is refused at %s", async (door, args) => {
    for (const [name, named, text] of DOCUMENTS) {
      if (ALIKE.has(door) && !ONE_OF_EACH.has(name)) continue;
      if (door.endsWith("--set") && name === "nothing") continue;
      const ran = await home.run(args(name), text);
      const printed = ran.stdout + ran.stderr;
      expect(ran.code, `${name}: ${printed}`).toBe(2);
      expect(printed, name).toContain(named);
      expect(printed, name).not.toContain("SECRET");
    }
    expect(service.bytes()).toBe(0);
    expect(keptFiles(join(home.folder, "data"))).not.toMatch(/SECRET/);
  });

  test("is refused in a deck", async () => {
    for (const [name] of DOCUMENTS) {
      const ran = await home.run(["demo", join(folder, name, "deck.yaml")]);
      expect(ran.code, name).toBe(2);
      expect(ran.stdout + ran.stderr, name).toMatch(/deck\.yaml:8:/);
      expect(ran.stdout + ran.stderr, name).not.toContain("SECRET");
    }
  });

  test("is refused as columns of a table", async () => {
    for (const column of ["card.cvc2", "security_code", "Card Number", "PIN"]) {
      const ran = await home.run(["replay", "-"], `order_id,amount,${column}\no-1,100,SECRET\n`);
      expect(ran.code, column).toBe(2);
      expect(ran.stdout + ran.stderr, column).toContain("card verification data");
    }
    expect(service.bytes()).toBe(0);
  });

  test("is reported in a folder of payments, and the others go on", async () => {
    const mixed = join(folder, "mixed");
    mkdirSync(mixed);
    for (const [name, , text] of DOCUMENTS) writeFileSync(join(mixed, `${name}.json`), text);
    writeFileSync(join(mixed, "good.json"), JSON.stringify(GOOD));
    const ran = await home.run(["replay", mixed, "--dry-run"]);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain("1 check would be sent");
    for (const [, named] of DOCUMENTS) expect(ran.stdout + ran.stderr).toContain(named);
  });
});

function keptFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
