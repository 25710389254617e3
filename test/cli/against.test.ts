// verdict replay --against: two targets of two profiles, where nothing is sent to either unless both may be sent to.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const PAYMENTS = 4;

let home: InProcessHome;
let file: string;
const servers: Server[] = [];
/** Requests by target. */
let seen: Record<string, number> = {};

async function target(name: string, verdict: string, more: readonly string[] = []): Promise<void> {
  const server = createServer((request, response) => {
    seen[name] = (seen[name] ?? 0) + 1;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: "success", code: verdict, message: "fine" }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, more, name);
}

beforeAll(async () => {
  home = inProcessHome();
  await target("live", "block", ["--environment", "live"]);
  await target("live2", "pass", ["--environment", "live"]);
  await target("major", "pass", ["--amount-unit", "major"]);
  await target("sealed", "pass");
  await home.run("profile add sealed --read-only");
  await target("staging", "pass");
  file = join(home.folder, "day.ndjson");
  const lines = Array.from({ length: PAYMENTS }, (_, at) => ({
    operation: "payment",
    order_id: `o-${at}`,
    amount: 12_000,
    currency: 980,
  }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
});
beforeEach(() => {
  seen = {};
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  home.remove();
});

async function credential(profile: string, level: string): Promise<void> {
  const words = `vault add --profile ${profile} --merchant-id shop --risk-level ${level} --key-id k-${level} --project-id p-${level} --secret-stdin`;
  const { code, stderr } = await home.run(words, "8e".repeat(32));
  if (code !== 0) throw new Error(stderr);
}

const replay = (words: string): ReturnType<InProcessHome["run"]> =>
  home.run(["replay", file, ...words.split(" ")]);

describe("two profiles", () => {
  test("each have their own service, and every report names both", async () => {
    const kinds = ["html", "json", "junit", "md"];
    const paths = kinds.map((kind) => join(home.folder, `both.${kind}`));
    const reports = kinds.map((kind, at) => `--report ${kind}=${paths[at]}`).join(" ");
    const { code, stdout, stderr } = await replay(
      `--against live:shop/low --confirm live --max-new-blocks 3 ${reports}`,
    );
    expect(code).toBe(8);
    expect(seen).toEqual({ staging: PAYMENTS, live: PAYMENTS });
    expect(stderr).toContain("on staging:shop/low.");
    expect(stderr).toContain("is the baseline; now on live:shop/low.");
    expect(stdout).toMatch(/Sent to: live:shop\/low\n[^]*Compared with: \S+ on staging:shop\/low\n/);
    expect(stdout).toContain("4 compared: 4 changed");
    const [html, json, junit, md] = paths.map((path) => readFileSync(path, "utf8"));
    const [later, earlier] = await home.json("runs list --json");
    expect([later, earlier]).toMatchObject([
      { profile: "live", project: "shop/low", baseline: earlier!["run"] },
      { profile: "staging", project: "shop/low" },
    ]);
    const baseline = String(earlier!["run"]);
    expect(html).toContain(`Compared with <b>${baseline} on staging:shop/low</b>`);
    expect(JSON.parse(json!)).toMatchObject({
      run: { profile: "live" },
      comparison: { baseline, baseline_on: "staging:shop/low" },
    });
    expect(junit).toContain('<property name="compared with run on" value="staging:shop/low"/>');
    expect(md).toContain(`Compared with: ${baseline} on staging:shop/low\n`);
    const [compared] = await home.json(["compare", baseline, "last", "--json"]);
    expect(compared).toMatchObject({ baseline_on: "staging:shop/low", run_on: "live:shop/low" });
  });

  test("the only project of the other one need not be named, and the own profile may be", async () => {
    expect(await replay("--against live2: --confirm live2 --max-flips 0")).toMatchObject({ code: 0 });
    expect(seen).toEqual({ staging: PAYMENTS, live2: PAYMENTS });
    seen = {};
    const own = "--profile live2 --confirm live2 --project shop/low";
    const same = await replay(`${own} --against live2:`);
    expect(same).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Both runs would go to shop/low"),
    });
    expect(seen).toEqual({});
    await credential("live2", "high");
    // Now it has two, and is asked for one by the option at hand.
    expect(await replay("--against live2: --confirm live2")).toMatchObject({
      code: 2,
      stderr: "Profile live2 has 2 projects; name one with --against live2:PROJECT: shop/high, shop/low.\n",
    });
    expect(seen).toEqual({});
    expect(await replay(`${own} --against live2:shop/high --max-flips 0`)).toMatchObject({ code: 0 });
    expect(seen).toEqual({ live2: 2 * PAYMENTS });
  });

  test("both LIVE need a word for each", async () => {
    const words = "--profile live --against live2:shop/low";
    const one = await replay(`${words} --confirm live`);
    expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining("add --confirm live2") });
    expect(await replay(`${words} --confirm live --confirm other`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--confirm names other, and the live profile is live or live2"),
    });
    expect(seen).toEqual({});
    expect(await replay(`${words} --confirm live2 --confirm live`)).toMatchObject({ code: 0 });
    expect(seen).toEqual({ live: PAYMENTS, live2: PAYMENTS });
  });
});

test.each([
  ["--against live:shop/low", "The profile live is LIVE"],
  ["--against live:shop/low --confirm staging", "--confirm names staging, and the live profile is live"],
  ["--against nowhere:shop/low", 'There is no profile "nowhere"'],
  ["--against :shop/low", 'There is no profile ""'],
  ["--against sealed:shop/low", "sealed is read-only"],
  ["--profile sealed --against staging:shop/low", "sealed is read-only"],
  ["--against major:shop/low", "major takes amounts in major units"],
  ["--against live2:shop/medium --confirm live2", 'Profile live2 has no project "shop/medium"'],
  ["--against shop/high", 'Profile staging has no project "shop/high"'],
  ["--against live2:shop/low --confirm live2 --time recorded", "Only a sandbox can use the recorded time"],
  ["--against live2:shop/low --isolated", "--isolated sends to its own sandbox alone"],
])("%s is refused before anything is sent to either", async (words, sentence) => {
  const { code, stderr, stdout } = await replay(words);
  expect(stderr).toContain(sentence);
  expect([2, 3]).toContain(code);
  expect(stdout).toBe("");
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(seen).toEqual({});
});
