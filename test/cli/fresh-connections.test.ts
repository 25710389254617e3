// A service that answers a second time unasked: what a replay takes from it on kept connections and on fresh ones.

import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answer, type Behaviour, PASS, startHostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt } from "./in-process.ts";

const BLOCK = JSON.stringify({ status: "success", code: "block", message: "No." });

/** Blocks every check; from the second on a connection on, a late pass of the one before comes first. */
function lateSecondAnswers(): Behaviour {
  const used = new WeakSet<Socket>();
  return (socket, request) => {
    if (used.has(socket)) answer(200, PASS)(socket, request);
    used.add(socket);
    answer(200, BLOCK)(socket, request);
  };
}

async function replayed(more: readonly string[]) {
  await using service = await startHostileService([lateSecondAnswers()]);
  const home = inProcessHome();
  onTestFinished(() => home.remove());
  await pointAt(home, service.url);
  const path = join(home.folder, "twelve.ndjson");
  const lines = Array.from({ length: 12 }, (_, at) =>
    JSON.stringify({ operation: "payment", order_id: `o-${at}`, amount: 1200, currency: 980 }),
  );
  writeFileSync(path, lines.join("\n"));
  const rows = await home.json(["replay", path, "--concurrency", "1", "--json", ...more]);
  const codes = rows.filter(({ type }) => type === "result").map(({ recommendation }) => recommendation);
  const asked = service.requests.map(({ headers }) => headers.get("connection"));
  return { codes, asked, connections: service.connections() };
}

test("with --fresh-connections no late answer is taken for that of the next check", async () => {
  const fresh = await replayed(["--fresh-connections"]);
  expect(fresh.codes).toEqual(Array(12).fill("block"));
  expect(fresh.asked).toEqual(Array(12).fill("close"));
  expect(fresh.connections).toBe(12);
});

test("without it connections are kept, and there HTTP/1.1 cannot tell the two answers apart", async () => {
  const kept = await replayed([]);
  expect(kept.codes).toContain("pass");
  expect(kept.asked).toEqual(Array(12).fill("keep-alive"));
  expect(kept.connections).toBeLessThan(12);
});
