// Parts of what there is to replay: the items of an earlier run that went wrong or changed, and payloads by their tags.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inProcessHome, pointAt, type InProcessHome, type Printed } from "./in-process.ts";

type Behaviour = "pass" | "block" | "refuse" | "cut";

let home: InProcessHome;
let server: Server;
let file: string;
/** By the number of the order; the others pass. */
let behaviour: Readonly<Record<number, Behaviour>>;
let sent: number[];

beforeAll(async () => {
  home = inProcessHome();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { order_id: order } = JSON.parse(await text(request)) as { order_id: string };
    const number = Number(order.slice(2));
    sent.push(number);
    const how = behaviour[number] ?? "pass";
    if (how === "cut") return void request.socket.destroy();
    response.writeHead(how === "refuse" ? 503 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: how === "refuse" ? "error" : "success", code: how }));
  };
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  file = join(home.folder, "day.ndjson");
  const lines = Array.from({ length: 6 }, (_, index) => ({
    expect: "pass",
    at: `2026-03-01T00:0${index}:00Z`,
    tags: [index % 2 === 0 ? "even" : "odd", ...(index === 5 ? ["last"] : [])],
    request: { operation: "payment", order_id: `o-${index}`, amount: 100 + index, currency: 980 },
  }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
});
beforeEach(() => {
  behaviour = {};
  sent = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  home.remove();
});

const replay = (words: string): Promise<Printed> => home.run(`replay ${words} --concurrency 1`);
const takeSent = (): number[] => sent.splice(0).toSorted((a, b) => a - b);

test("the items of a run go out again by kind, as they were, and are compared with it", async () => {
  await replay(file);
  const [base] = await home.json("runs show last --json");
  behaviour = { 0: "refuse", 1: "cut", 2: "block" };
  await replay(`${file} --baseline ${String(base!["run"])}`);
  const [bad] = await home.json("runs show last --json");
  const run = String(bad!["run"]);
  behaviour = {};
  takeSent();

  for (const [kinds, numbers] of [
    ["refused", [0]],
    ["unknown", [1]],
    ["changed", [2]],
    ["failed", [0, 1]],
    ["unknown,changed", [1, 2]],
  ] as const) {
    const { code, stderr } = await replay(`--again ${kinds} ${run}`);
    expect({ kinds, code, sent: takeSent() }).toEqual({ kinds, code: 0, sent: numbers });
    expect(stderr).toContain(`chosen: ${kinds.replaceAll(",", " or ")} items of run ${run}.`);
  }

  const report = join(home.folder, "again.json");
  const printed = await home.json(`replay --again changed,refused ${run} --json --report ${report}`);
  expect(printed.filter(({ type }) => type === "result")).toMatchObject([
    { key: "o-0", origin: "day.ndjson:1", expect: "pass", was: null, change: "new" },
    { key: "o-2", origin: "day.ndjson:3", expect: "pass", was: "block", change: "flipped" },
  ]);
  const [again] = await home.json("runs show last --json");
  expect(again).toMatchObject({ sources: [`run:${run}:changed,refused`], state: "complete" });

  const nothing = await replay("--again failed");
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain(`No payload fits; chosen: failed items of run ${String(again!["run"])}`);
});

test("the rest of such a run is found again, and nothing is sent twice", async () => {
  behaviour = { 1: "cut", 3: "cut", 4: "cut" };
  const cut = await replay(file);
  takeSent();
  // Whoever looks at the run later is told the same.
  for (const { stderr: told } of [cut, await home.run("runs show last")]) {
    expect(told).toMatch(
      /3 items have no trustworthy verdict; a second check of each is "verdict replay --again unknown \S+"\./,
    );
  }
  behaviour = { 1: "cut", 3: "refuse" };
  const { code, stderr } = await replay("--again unknown");
  expect([code, takeSent()]).toEqual([8, [1, 3, 4]]);
  expect(stderr).toMatch(
    /1 item was refused before a decision; go on with "verdict replay --continue \S+"\./,
  );
  behaviour = {};
  await replay("--continue last");
  expect(takeSent()).toEqual([3]);
});

test("payloads are chosen by their tags, and a run that goes on keeps them", async () => {
  for (const [words, numbers] of [
    ["--only-tag even", [0, 2, 4]],
    ["--skip-tag even", [1, 3, 5]],
    ["--only-tag even,last", [0, 2, 4, 5]],
    ["--only-tag odd --skip-tag last", [1, 3]],
  ] as const) {
    const { code, stdout, stderr } = await replay(`${file} ${words}`);
    expect({ words, code, sent: takeSent() }).toEqual({ words, code: 0, sent: numbers });
    expect(stderr).toContain("chosen: ");
    expect(stdout).toContain(`${6 - numbers.length} payloads of the sources are left out.`);
  }
  const { stdout: counted } = await replay(`${file} --only-tag even --dry-run --json`);
  expect(JSON.parse(counted)).toMatchObject({ items: 3, left_out: 3 });

  behaviour = { 1: "refuse" };
  await replay(`${file} --only-tag odd`);
  takeSent();
  behaviour = {};
  const { stderr } = await replay("--continue last");
  expect(takeSent()).toEqual([1]);
  expect(stderr).toContain("2 of its items were sent before; chosen: only payloads tagged odd.");
  expect(await home.json("runs show last --json")).toMatchObject([
    { only_tags: ["odd"], skip_tags: [], state: "complete", summary: { total: 3, undecided: 0 } },
  ]);
});

test.each([
  ["day.ndjson --only-tag nobody", /No payload fits; chosen: only payloads tagged nobody/],
  ["day.ndjson --skip-tag ,", /--skip-tag: it takes tags/],
  [
    "--again sometimes",
    /"sometimes" does not select items to send again; use failed, refused, unknown, changed, separated by/,
  ],
  ["--again failed nobody", /There is no run "nobody"/],
  ["--again failed last last", /--again takes one run/],
  ["--again failed --continue last", /--continue and --again exclude each other/],
  ["--continue last --only-tag x", /--continue and --only-tag exclude each other/],
])("%s is refused in one sentence, and nothing is sent", async (words, sentence) => {
  const { code, stderr } = await replay(words.replace("day.ndjson", file));
  expect([code, takeSent()]).toEqual([2, []]);
  expect(stderr).toMatch(sentence);
});
