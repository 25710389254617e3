// Missing and unknown fields: a replay warns of them as a check does, added up in words and one by one in JSON.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const GOOD = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const LINES = [
  GOOD,
  { ...GOOD, order_id: undefined, foo: 1 },
  { ...GOOD, order_id: "o-3", foo: 1 },
  ...Array.from({ length: 8 }, (_, at) => ({ ...GOOD, order_id: `u-${at}`, [`unknown_${at}`]: 1 })),
];
const MISSING = "order_id is missing.";
const UNKNOWN = "foo is no field of this request.";

let home: InProcessHome;
let server: Server;
let file: string;

beforeAll(async () => {
  home = inProcessHome();
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"status":"success","code":"pass","message":"fine"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  file = join(home.folder, "warn.ndjson");
  writeFileSync(file, LINES.map((line) => JSON.stringify(line)).join("\n"));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  home.remove();
});

test.each([[["--dry-run"]], [[]]])("a replay in words adds them up: %o", async (options) => {
  const { code, stdout } = await home.run(["replay", file, ...options]);
  expect(code).toBe(0);
  expect(stdout).toContain("10 payments have warnings:");
  expect(stdout).toContain(`  2 x ${UNKNOWN}`);
  expect(stdout).toContain(`  1 x ${MISSING}`);
  expect(stdout).toContain("5 more");
});

test("each item has its own in JSON, and they are what a check says", async () => {
  const printed = await home.json(["replay", file, "--json"]);
  // They are printed as the answers come.
  const items = printed
    .filter(({ type }) => type === "result")
    .toSorted((a, b) => Number(a["seq"]) - Number(b["seq"]));
  expect(items.map(({ seq, warnings }) => [seq, warnings]).slice(0, 3)).toEqual([
    [1, []],
    [2, [MISSING, UNKNOWN]],
    [3, [UNKNOWN]],
  ]);
  expect(printed.at(-1)).toMatchObject({ type: "summary", warned: 10 });
  const checked = await home.run(["check", "-", "--json"], JSON.stringify(LINES[1]));
  expect(JSON.parse(checked.stdout)).toMatchObject({ warnings: items[1]!["warnings"] });
});

test("a dry run in JSON adds them up", async () => {
  const [preflight] = await home.json(["replay", file, "--dry-run", "--json"]);
  expect(preflight).toMatchObject({ items: 11, rejected: 0, warned: 10 });
  expect(preflight!["warnings"]).toContainEqual({ message: UNKNOWN, count: 2 });
});
