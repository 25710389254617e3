// A pass without a message: the verdict counts, and the missing part of the answer is warned of.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { inProcessHome, pointAt } from "./in-process.ts";

const PAYMENT = JSON.stringify({ operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 });
const WARNING = "The answer has no message";

test.each([
  ['{"status":"success","code":"pass"}', true],
  ['{"status":"success","code":"pass","message":7}', true],
  ['{"status":"success","code":"pass","message":"fine"}', false],
])("%s", async (answer, warned) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
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

  const words = await home.run(["check", "-"], PAYMENT);
  expect(words.code).toBe(0);
  expect(words.stdout.includes(WARNING)).toBe(warned);

  const json = await home.run(["check", "-", "--json"], PAYMENT);
  expect(json.code).toBe(0);
  const { warnings } = JSON.parse(json.stdout) as { warnings: readonly string[] };
  expect(warnings.some((each) => each.startsWith(WARNING))).toBe(warned);
  expect(json.stderr.includes(WARNING)).toBe(warned);
});
