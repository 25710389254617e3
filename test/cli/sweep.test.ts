// verdict sweep: what it refuses before anything is sent, and real checks behind the name of their profile.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const PAYMENT = JSON.stringify({ operation: "payment", order_id: "o-1", amount: 100, currency: 978 });

let home: InProcessHome;
let server: Server;
let received: { amount: number; order_id: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as (typeof received)[number];
      received.push(body);
      const answer = { status: "success", code: body.amount > 4 ? "block" : "pass", message: "As told" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  home = inProcessHome();
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  home.remove();
});

const sweep = (...words: string[]) => home.run(["sweep", "-", ...words], PAYMENT);

describe("before anything is sent", () => {
  it.each([
    [["--field", "amount", "--range", "1..6"], "no terminal to confirm on; add --confirm test"],
    [
      ["--field", "amount", "--range", "1..6", "--confirm", "prod"],
      "--confirm names prod, and the profile is test",
    ],
    [["--field", "amonut", "--range", "1..6"], 'no field "amonut"'],
    [["--field", "amount", "--range", "6..1"], "from a smaller number"],
    [["--field", "amount", "--range", "1..6", "--list", "1"], "--range and --list exclude each other"],
    [["--field", "email", "--range", "a..b"], "has no range"],
    [["--field", "description"], "name them with --list"],
    [["--field", "amount", "--steps", "1"], "--steps takes a whole number"],
    [["--field", "holder", "--list", "4111 1111 1111 1111"], "full card number"],
  ])("%j is refused: %s", async (words, sentence) => {
    const { code, stderr } = await sweep(...words);
    expect([code, received]).toEqual([2, []]);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("4111");
  });

  it("a read-only profile is not asked about", async () => {
    await home.run(["profile", "add", "test", "--read-only"]);
    const { code, stderr } = await sweep("--field", "amount", "--range", "1..6", "--confirm", "test");
    await home.run(["profile", "add", "test", "--no-read-only"]);
    expect([code, received]).toEqual([2, []]);
    expect(stderr).toContain("read-only");
  });
});

it("sends real checks with the name of the profile, finds the tipping point, and keeps them in the history", async () => {
  const { code, stdout } = await sweep(
    "--field",
    "amount",
    "--range",
    "1..6",
    "--steps",
    "2",
    "--confirm",
    "test",
    "--json",
  );
  expect(code).toBe(0);
  const result = JSON.parse(stdout) as Record<string, unknown>;
  expect(result).toMatchObject({
    schema: 1,
    type: "sweep",
    profile: "test",
    real: true,
    asked: received.length,
  });
  expect(result["stretches"]).toMatchObject([
    { from: 1, to: 4, verdict: "pass", exact: true },
    { from: 5, to: 6, verdict: "block", exact: true },
  ]);
  expect(new Set(received.map(({ order_id }) => order_id)).size).toBe(received.length);
  expect(await home.json(["history", "--json"])).toHaveLength(received.length);
});
