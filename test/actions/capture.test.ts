// What a capture writes of the checks that pass, what it leaves out, and how its file grows.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  startCapture,
  type Capture,
  type CaptureEvent,
  type CaptureInput,
} from "#src/actions/replay/capture.ts";
import { openCapturedLines } from "#src/actions/replay/captured-lines.ts";
import { PLAIN_NETWORK } from "#src/client/routes.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { createStandIns } from "#src/rules/stand-ins/payment-stand-ins.ts";

const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const PASS = { status: 200, body: '{"status":"success","code":"pass","message":"go on"}' };
const AT = Date.parse("2026-03-01T12:00:00Z");
/** A test number of a scheme, which is no card. */
const CARD_NUMBER = "4111111111111111";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "verdict-capture-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Captured {
  readonly running: Capture;
  readonly out: string;
  readonly events: CaptureEvent[];
  /** What the service received. */
  readonly received: string[];
  /** Posts to the check; resolves with the body of the answer once what becomes of it is known. */
  check(body: string, path?: string): Promise<string>;
  lines(): Record<string, unknown>[];
}

async function capture(
  answer: { readonly status: number; readonly body: string } = PASS,
  change: Partial<CaptureInput & Profile> = {},
): Promise<Captured> {
  const received: string[] = [];
  const service = createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      received.push(body);
      response.writeHead(answer.status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(answer.body),
      });
      response.end(answer.body);
    });
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const events: CaptureEvent[] = [];
  const out = change.out ?? join(folder(), "day.ndjson");
  const addresses = { baseUrl: url, projectsUrl: url };
  const profile = {
    name: "test",
    environment: "TEST",
    ...addresses,
    recipe: "kong",
    amountUnit: "minor",
    ...change,
  } as Profile;
  let now = AT;
  const running = await startCapture(
    { profile, now: () => now++ },
    {
      host: "127.0.0.1",
      port: 0,
      maxBytes: Infinity,
      network: PLAIN_NETWORK,
      standIns: null,
      ...change,
      out,
    },
    (event) => events.push(event),
  );
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= running.end());
  onTestFinished(end);
  return {
    running: { ...running, end },
    out,
    events,
    received,
    async check(body, path = "/v1/check") {
      const before = events.length;
      const got = await fetch(`http://127.0.0.1:${running.port}${path}`, { method: "POST", body });
      const said = await got.text();
      await expect.poll(() => events.length).toBeGreaterThan(before);
      return said;
    },
    lines: () => linesOf(out),
  };
}

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("writes each check with its time and its answer, as a payload that a replay reads", async () => {
  const { check, lines, out, running } = await capture();
  expect(await check(JSON.stringify(PAYMENT))).toBe(PASS.body);
  await check(JSON.stringify({ ...PAYMENT, order_id: "o-2", extra: { deep: [1.5] } }));
  expect(lines()).toEqual([
    {
      at: "2026-03-01T12:00:00.000Z",
      answer: {
        outcome: "answered",
        verdict: "pass",
        reason: null,
        http_status: 200,
        latency_ms: expect.any(Number),
      },
      request: PAYMENT,
    },
    expect.objectContaining({
      at: "2026-03-01T12:00:00.001Z",
      request: { ...PAYMENT, order_id: "o-2", extra: { deep: [1.5] } },
    }),
  ]);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const [first] = readFileSync(out, "utf8").split("\n");
  expect(readPayload(Buffer.from(first!), "it", [], AT)).toMatchObject({
    request: PAYMENT,
    was: "pass",
    at: AT,
    expect: null,
  });
  await running.end();
});

it.each([
  [
    "a refusal",
    { status: 401, body: '{"status":"error","error":"unauthorized"}' },
    { outcome: "refused", reason: "unauthorized", http_status: 401 },
  ],
  [
    "a failure",
    { status: 500, body: PASS.body },
    { outcome: "unknown", reason: "http_500", http_status: 500 },
  ],
  [
    "another code",
    { status: 200, body: '{"status":"success","code":"PASS"}' },
    { outcome: "indeterminate", reason: "bad_code" },
  ],
  [
    "a success that is none",
    { status: 200, body: '{"status":"error","code":"pass"}' },
    { outcome: "indeterminate", reason: "bad_status" },
  ],
  [
    "half an answer",
    { status: 200, body: '{"status":"success","code":"pass"' },
    { outcome: "indeterminate", reason: "bad_json" },
  ],
])("writes %s as what it was, and never as a verdict", async (_what, answer, read) => {
  const { check, lines } = await capture(answer);
  expect(await check(JSON.stringify(PAYMENT))).toBe(answer.body);
  expect(lines()).toMatchObject([
    { tags: [read.outcome], answer: { ...read, verdict: null }, request: PAYMENT },
  ]);
  expect(readPayload(Buffer.from(JSON.stringify(lines()[0])), "it", [], AT).was).toBeNull();
});

it.each([
  [{ outcome: "refused", verdict: "pass" }],
  [{ outcome: "answered", verdict: null }],
  [{ outcome: "answered", verdict: "PASS" }],
  [{ outcome: "fine", verdict: null }],
  [{ verdict: "pass" }],
  ["pass"],
  [null],
])("takes no verdict of an answer that says two things: %j", (answer) => {
  const line = Buffer.from(JSON.stringify({ answer, request: PAYMENT }));
  expect(() => readPayload(line, "it", [], AT)).toThrow('"answer" must hold an outcome and a verdict');
});

it.each([
  ["card_data", JSON.stringify({ ...PAYMENT, description: `card ${CARD_NUMBER}` })],
  ["card_data", JSON.stringify({ ...PAYMENT, unknown: { list: [CARD_NUMBER] } })],
  ["card_data", JSON.stringify({ ...PAYMENT, cvv: "123" })],
  ["not_a_payment", JSON.stringify({ request: PAYMENT })],
  ["not_a_payment", "order_id=o-1&amount=12000"],
  ["not_a_payment", '{"order_id":"o-1","order_id":"o-2"}'],
  ["not_a_payment", JSON.stringify([PAYMENT])],
  ["not_a_payment", ""],
  ["not_a_payment", '{"order_id":"o-1","amount":12.5}'],
  ["not_a_payment", JSON.stringify({ ...PAYMENT, description: "x".repeat(2_000) })],
  ["too_large", JSON.stringify({ ...PAYMENT, extra: "x".repeat(64 * 1024) })],
  ["too_large", JSON.stringify({ ...PAYMENT, extra: "x".repeat(64 * 1024 - 120) })],
])("forwards and does not record: %s, %.60s", async (why, body) => {
  const { check, events, received, out, running } = await capture();
  expect(await check(body)).toBe(PASS.body);
  expect(received).toEqual([body]);
  const told = why === "not_a_payment" ? { message: expect.stringMatching(/^A check: .*\.$/) as string } : {};
  expect(events).toEqual([{ type: "not_recorded", reason: why, ...told }]);
  await running.end();
  expect(readFileSync(out, "utf8")).toBe("");
});

it("writes nothing of other calls, whose answers hold secrets, and refuses what no endpoint takes", async () => {
  const { check, events, received, out, running } = await capture({
    status: 200,
    body: '{"status":"success","credential":{"secret":"s3cret"}}',
  });
  expect(await check("{}", "/projects/credential")).toContain("s3cret");
  expect(await check("{}", "/v1/other")).toContain("did not forward");
  expect(events).toMatchObject([{ type: "other_call" }, { type: "not_forwarded", http_status: 404 }]);
  expect(received).toEqual(["{}"]);
  await running.end();
  expect(readFileSync(out, "utf8")).toBe("");
});

it("writes stand-ins by the mechanism of payload pseudonymise", async () => {
  const within = folder();
  // Always the same, because the stand-in of an address can begin like it.
  const keyFile = join(within, "key");
  writeFileSync(keyFile, "the same key for each run of this test\n", { mode: 0o600 });
  const ruleSet = await loadRules(
    readFileSync(new URL("../../src/rules/rule-file/starter-rules.yaml", import.meta.url), "utf8"),
    "starter",
  );
  const payment = {
    ...PAYMENT,
    payer: { email: "jane.roe@shop.example", payer_ip: "198.51.100.7" },
    card: { holder: "JANE ROE", bin_card: 411_111, cin_card: 1234 },
  };
  const { check, lines, out } = await capture(PASS, { standIns: { keyFile, ruleSet } });
  await check(JSON.stringify(payment));
  expect(lines()[0]!["request"]).toEqual(createStandIns(readFileSync(keyFile), ruleSet)(payment));
  expect(readFileSync(out, "utf8")).not.toMatch(/jane|roe|198\.51\.100\.7"|"o-1"/i);
});

it("sends nothing through a read-only profile", async () => {
  await expect(capture(PASS, { readOnly: true })).rejects.toMatchObject({ code: "read_only" });
});

const ended = (lines: Awaited<ReturnType<typeof openCapturedLines>>, line: string): Promise<boolean> =>
  new Promise((resolve) => lines.append(line, resolve));

it("goes on behind the last whole line of a capture that was killed", async () => {
  const path = join(folder(), "day.ndjson");
  const whole = '{"request":{"amount":1}}\n';
  writeFileSync(path, `${whole}${"{".repeat(60_000)}`);
  const lines = await openCapturedLines(path, Infinity, expect.unreachable);
  expect(lines.cut).toBe(60_000);
  await expect(openCapturedLines(path, Infinity, expect.unreachable)).rejects.toThrow(
    "Another capture writes to",
  );
  expect(await ended(lines, "{}\n")).toBe(true);
  await lines.close();
  expect(readFileSync(path, "utf8")).toBe(`${whole}{}\n`);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it.each(["text\n", "[1]\n"])("touches no file that is not of payloads: %j", async (content) => {
  const path = join(folder(), "notes.txt");
  writeFileSync(path, content);
  await expect(openCapturedLines(path, Infinity, expect.unreachable)).rejects.toThrow(
    "is not a file of payloads",
  );
  await expect(openCapturedLines(join(path, ".."), Infinity, expect.unreachable)).rejects.toThrow(
    "is not a file of payloads",
  );
  expect(readFileSync(path, "utf8")).toBe(content);
});

it("begins a numbered file at its size, and never overwrites one", async () => {
  const within = folder();
  const path = join(within, "day.ndjson");
  const next: string[] = [];
  const lines = await openCapturedLines(path, 20, (name) => next.push(name));
  for (let n = 0; n < 7; n += 1) expect(await ended(lines, `{"n":${n},"x":1}\n`)).toBe(true);
  await lines.close();
  const names = ["day.ndjson", "day.1.ndjson", "day.2.ndjson", "day.3.ndjson"];
  expect(next).toEqual(names.slice(1).map((name) => join(within, name)));
  expect(names.flatMap((name) => linesOf(join(within, name))).map(({ n }) => n)).toEqual([
    0, 1, 2, 3, 4, 5, 6,
  ]);
  const again = await openCapturedLines(path, Infinity, expect.unreachable);
  expect(again.path()).toBe(join(within, "day.3.ndjson"));
  await again.close();
  expect(readdirSync(within)).toHaveLength(4);
});

it("leaves lines out, and says so, while the disk is slower than the calls", async () => {
  const path = join(folder(), "day.ndjson");
  const lines = await openCapturedLines(path, Infinity, expect.unreachable);
  const line = `{"x":"${"y".repeat(60_000)}"}\n`;
  const written = await Promise.all(Array.from({ length: 300 }, () => ended(lines, line)));
  await lines.close();
  expect(written).toContain(false);
  expect(linesOf(path)).toHaveLength(written.filter(Boolean).length);
  expect(lines.problem()).toBeNull();
});

it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "forwards on where the disk is full, keeps whole lines, and says so once",
  async () => {
    const disk = folder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
    const { check, events, out, running } = await capture(PASS, { out: join(disk, "day.ndjson") });
    const body = JSON.stringify({ ...PAYMENT, extra: "x".repeat(30_000) });
    for (let n = 0; n < 5; n += 1) expect(await check(body)).toBe(PASS.body);
    await running.end();
    const types = events.map((event) => (event.type === "not_recorded" ? event.reason : event.type));
    expect(types.filter((type) => type === "problem")).toHaveLength(1);
    expect(types.filter((type) => type === "check").length).toBe(linesOf(out).length);
    expect(types.filter((type) => type === "not_written").length).toBe(5 - linesOf(out).length);
  },
);
