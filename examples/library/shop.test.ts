// The shop against the sandbox: what passes is shipped, and nothing else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "verdict/client";
import { startSandbox } from "verdict/sandbox";
import { decide, type Order } from "./shop.ts";

const order = (id: string): Order => ({ id, amount: 12_000, email: "olena@example.com" });

test("ships what passes, and nothing else", async () => {
  await using sandbox = await startSandbox({ seed: 1 });
  const credential = await sandbox.register();
  await using client = createClient({ baseUrl: sandbox.url, credential });

  assert.equal(await decide(client, order("order-1")), "ship");
  // Such order ids force an answer: `verdict help magic-orders` lists them.
  assert.equal(await decide(client, order("force-3ds-1")), "3ds");
  assert.equal(await decide(client, order("force-block-1")), "block");
  assert.equal(await decide(client, order("force-garbage-1")), "block");

  await sandbox.faults.add({ on: "check", effect: { do: "truncated" }, count: 1 });
  assert.equal(await decide(client, order("order-2")), "block");
});

test("gets the credential of a project for 24 hours", async () => {
  await using sandbox = await startSandbox({ startAt: new Date("2026-03-16T12:00:00Z") });
  const project = { merchant_id: "books", risk_level: "low" } as const;
  await sandbox.register(project);
  await using client = createClient({ baseUrl: sandbox.url, key: sandbox.keys[0]! });

  assert.equal((await client.credential(project)).state, "ready");
  await sandbox.clock.advance("25h");
  assert.equal((await client.credential(project)).state, "closed");
});
