// The parsers of both exposition formats, from Prometheus's own library for Python, read /metrics.

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { exposition, MEDIA_TYPE, type Format } from "#src/sandbox/admin/metrics.ts";
import { call, CHECK, makeProject, send, startSandbox } from "../sandbox/sandbox-under-test.ts";

/** By absolute path, because the library is the system's. */
const PYTHON = "/usr/bin/python3";

const PARSERS: readonly (readonly [Format, string])[] = [
  ["prometheus", "prometheus_client.parser"],
  ["openmetrics", "prometheus_client.openmetrics.parser"],
];

/** Prints every sample as JSON: name, labels, value. */
const PROGRAM = `
import importlib, json, sys
parser = importlib.import_module(sys.argv[1])
families = list(parser.text_string_to_metric_families(sys.stdin.read()))
print(json.dumps([[family.type, s.name, s.labels, s.value] for family in families for s in family.samples]))
`;

const hasParser = spawnSync(PYTHON, ["-c", `import ${PARSERS[1]![1]}`]).status === 0;
if (!hasParser) {
  process.stderr.write(
    'The tests with the parsers of metrics are skipped: install the Debian package "python3-prometheus-client".\n',
  );
}

type Read = [type: string, name: string, labels: Record<string, string>, value: number][];

function parsed(text: string, parser: string): Read {
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-c", PROGRAM, parser], {
    input: text,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout) as Read;
}

describe.runIf(hasParser).each(PARSERS)("the parser of %s", (format, parser) => {
  it("reads the metrics of a sandbox with tenants, verdicts and latencies", async () => {
    const sandbox = await startSandbox();
    await sandbox.admin("POST", ADMIN.tenants, { name: "red" });
    const key = await makeProject(sandbox, await sandbox.company());
    for (const order_id of ["o-1", "force-block-1"])
      await call(sandbox, "check", key, { ...CHECK, order_id });
    const headers = { accept: MEDIA_TYPE[format], authorization: `Bearer ${sandbox.adminToken}` };
    const { text } = await send(sandbox.adminPort, { path: ADMIN.metrics, headers });
    const read = parsed(text, parser);
    expect(read).toContainEqual([
      "counter",
      "verdict_requests_total",
      { tenant: "default", call: "check", status: "200" },
      2,
    ]);
    expect(read).toContainEqual(["gauge", "verdict_decisions", { tenant: "red" }, 0]);
    expect(read).toContainEqual([
      "histogram",
      "verdict_request_duration_seconds_count",
      { tenant: "default", call: "check" },
      2,
    ]);
    expect(read).toHaveLength(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length);
  });

  it("reads any label as it was", () => {
    const texts = ['a"b', "a\\b", "a\nb", "\\n", "}{,=# ", "їжак", '\\"', "a\\"];
    const samples = texts.map((text, index) => [{ index: String(index), text }, index] as const);
    const written = exposition(
      [{ name: "m", help: "A \\ and a line\nfeed.", kind: "gauge", samples }],
      format,
    );
    expect(parsed(written, parser).map(([, , { text }]) => text)).toEqual(texts);
  });
});
