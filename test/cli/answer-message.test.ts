// The words of a service: a pass without them counts and is warned of; of a refusal they are told, and kept.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { inProcessHome, pointAt } from "./in-process.ts";

const PAYMENT = JSON.stringify({ operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 });
const WARNING = "The answer has no message";

/** A home whose service answers every request in the same way. */
async function homeOf(status: number, type: string, answer: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type });
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const home = inProcessHome();
  onTestFinished(async () => {
    home.remove();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return home;
}

test.each([
  ['{"status":"success","code":"pass"}', true],
  ['{"status":"success","code":"pass","message":7}', true],
  ['{"status":"success","code":"pass","message":"fine"}', false],
])("%s", async (answer, warned) => {
  const home = await homeOf(200, "application/json", answer);
  const words = await home.run(["check", "-"], PAYMENT);
  expect(words.code).toBe(0);
  expect(words.stdout.includes(WARNING)).toBe(warned);

  const json = await home.run(["check", "-", "--json"], PAYMENT);
  expect(json.code).toBe(0);
  const { warnings } = JSON.parse(json.stdout) as { warnings: readonly string[] };
  expect(warnings.some((each) => each.startsWith(WARNING))).toBe(warned);
  expect(json.stderr.includes(WARNING)).toBe(warned);
});

test.each([
  [422, "application/json", '{"errors":[{"field":"payer.email","detail":"not an address"}]}', "refused", 5],
  [500, "text/html", "<html><title>payer.email not an address</title></html>", "unknown", 6],
  [200, "application/json", '{"status":"error","message":"payer.email not an address"}', "indeterminate", 7],
])("HTTP %i, %s: %s", async (status, type, answer, outcome, code) => {
  const said = "payer.email not an address";
  const home = await homeOf(status, type, answer);
  const words = await home.run(["check", "-"], PAYMENT);
  expect(words).toMatchObject({ code, stdout: expect.stringContaining(said) });
  const { id } = JSON.parse((await home.run(["history", "--limit", "1", "--json"])).stdout) as { id: string };
  expect(words.stderr).toContain(`verdict history show ${id} --exchange`);

  const kept = { outcome, message: said, amount: 12_000, currency: 980, reason: expect.any(String) };
  const json = await home.run(["check", "-", "--json"], PAYMENT);
  const listed = await home.run(["history", "--limit", "1", "--json"]);
  for (const printed of [json, listed]) {
    const check = JSON.parse(printed.stdout) as { explanation: string };
    expect(check).toMatchObject(kept);
    expect(check.explanation).toContain(said);
  }
});
