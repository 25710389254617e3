// Metrics: what is counted, whom it is told, and that any label can be written in both formats.

import { expect, test } from "vitest";
import fc from "fast-check";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { exposition, formatFor } from "#src/sandbox/admin/metrics.ts";
import { CountedRequests, LATENCY_BOUNDS_S } from "#src/sandbox/state/request-journal.ts";
import { call, CHECK, makeProject, send, startSandbox, type SandboxUnderTest } from "./sandbox-under-test.ts";

async function metrics(sandbox: SandboxUnderTest): Promise<string[]> {
  return (await sandbox.admin("GET", ADMIN.metrics)).text.split("\n");
}

test("requests, verdicts, faults and tenants are counted", async () => {
  const sandbox = await startSandbox();
  const key = await makeProject(sandbox, await sandbox.company());
  await sandbox.admin("POST", ADMIN.tenants, { name: "red" });
  for (const order_id of ["o-1", "o-2", "force-block-1"])
    expect((await call(sandbox, "check", key, { ...CHECK, order_id })).status).toBe(200);
  await call(sandbox, "check", key, { ...CHECK, order_id: "o-1" });
  await sandbox.admin("POST", ADMIN.faults, {
    on: "check",
    effect: { do: "status", status: 503, retryAfterS: null },
    rate: 1,
    count: 1,
  });
  expect((await call(sandbox, "check", key, CHECK)).status).toBe(503);
  await send(sandbox.port, { path: "/nowhere" });

  const lines = await metrics(sandbox);
  for (const line of [
    'verdict_requests_total{tenant="default",call="check",status="200"} 4',
    'verdict_requests_total{tenant="default",call="check",status="503"} 1',
    'verdict_requests_total{tenant="default",call="register",status="200"} 1',
    'verdict_requests_total{tenant="default",call="other",status="404"} 1',
    'verdict_request_duration_seconds_bucket{tenant="default",call="check",le="+Inf"} 5',
    'verdict_request_duration_seconds_count{tenant="default",call="check"} 5',
    'verdict_verdicts_total{tenant="default",recommendation="pass"} 3',
    'verdict_verdicts_total{tenant="default",recommendation="block"} 1',
    'verdict_repeats_total{tenant="default"} 1',
    'verdict_forced_total{tenant="default"} 1',
    'verdict_faults_injected_total{tenant="default"} 1',
    'verdict_projects{tenant="default"} 1',
    'verdict_projects{tenant="red"} 0',
    'verdict_decisions{tenant="default"} 3',
    'verdict_state_writable{tenant="default"} 1',
    "verdict_connections_limit 256",
    "# TYPE verdict_requests_total counter",
    "# TYPE verdict_build_info gauge",
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.at(-1)).toBe("");
});

test("metrics are for the token of the sandbox, in the format that is asked for", async () => {
  const sandbox = await startSandbox();
  const ask = (accept: string, authorization = `Bearer ${sandbox.adminToken}`) =>
    send(sandbox.adminPort, { path: ADMIN.metrics, headers: { accept, authorization } });
  expect((await ask("*/*", "Bearer wrong")).status).toBe(401);
  expect((await send(sandbox.port, { path: ADMIN.metrics })).status).toBe(404);
  const plain = await ask("text/plain;version=0.0.4");
  expect(plain.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const open = await ask("application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5");
  expect(open.headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(open.text).toMatch(/\n# EOF\n$/);
  expect(open.text).toContain("# TYPE verdict_requests counter\n");
  expect(open.text).toContain("# TYPE verdict_build info\n");
});

test.each([
  [undefined, "prometheus"],
  ["", "prometheus"],
  ["application/openmetrics-text", "openmetrics"],
  ["text/html, Application/OpenMetrics-Text; version=1.0.0", "openmetrics"],
  ["application/openmetrics-text;version=0.0.1;q=0.9,text/plain;q=0.1", "prometheus"],
  ["application/openmetrics-text;q=0", "prometheus"],
  ["application/openmetrics-text;q=0.3,text/plain;q=0.4", "prometheus"],
])("Accept: %s gets %s", (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});

test("any text in a label is one line, and reads back as it was", () => {
  const text = fc.string({
    unit: fc.constantFrom("\\", '"', "\n", "n", "{", "}", ",", "=", "#", " ", "ї", "a"),
  });
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom("prometheus" as const, "openmetrics" as const),
      (one, other, format) => {
        const samples = [[{ one, other }, 1]] as const;
        const written = exposition([{ name: "m", help: "A help.", kind: "gauge", samples }], format);
        const lines = written.split("\n");
        expect(lines).toHaveLength(format === "prometheus" ? 4 : 5);
        const read = /^m\{one="((?:[^"\\]|\\.)*)",other="((?:[^"\\]|\\.)*)"\} 1$/.exec(lines[2]!)!;
        const unescaped = (label: string): string =>
          label.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
        expect(read.slice(1).map(unescaped)).toEqual([one, other]);
      },
    ),
  );
});

test("the buckets of a histogram add up, whatever the latencies", () => {
  const latency = fc.oneof(fc.double({ min: 0, max: 20_000, noNaN: true }), fc.constantFrom(0.5, 1, 10_000));
  fc.assert(
    fc.property(fc.array(latency, { maxLength: 50 }), (latencies) => {
      const counted = new CountedRequests();
      for (const latency_ms of latencies) {
        counted.note({
          call: "check",
          status: 200,
          latency_ms,
          recommendation: null,
          repeat: false,
          magic: null,
          faults: [],
        });
      }
      const { buckets } = counted.latencies.get("check") ?? { buckets: [] };
      LATENCY_BOUNDS_S.forEach((bound, index) => {
        const below = latencies.filter((ms) => ms / 1000 <= bound).length;
        expect(buckets.slice(0, index + 1).reduce((sum, each) => sum + each, 0)).toBe(below);
      });
      expect(buckets.reduce((sum, each) => sum + each, 0)).toBe(latencies.length);
    }),
  );
});
