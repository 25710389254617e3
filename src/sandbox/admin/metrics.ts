// What /metrics says: the sandbox as a whole, and each tenant under its name.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { LATENCY_BOUNDS_S, type RequestCounts } from "#src/sandbox/http/request-counts.ts";
import { holdings, type Tenant } from "#src/sandbox/tenants/tenant.ts";
import type { Family, Labels, Sample } from "./exposition.ts";

export interface WholeReading {
  readonly version: string;
  readonly recipe: string;
  /** Start of the process in ms since the epoch. */
  readonly startedAt: Milliseconds;
  readonly connections: { readonly open: number; readonly limit: number };
  /** Until when the certificate is valid; null without one. */
  readonly certificateExpiry: Milliseconds | null;
}

interface TenantReading {
  readonly labels: Labels;
  readonly tenant: Tenant;
  readonly counts: RequestCounts;
  readonly held: Awaited<ReturnType<typeof holdings>>;
  readonly faults: number;
}

export async function readMetrics(whole: WholeReading, tenants: readonly Tenant[]): Promise<Family[]> {
  const readings = await Promise.all(tenants.map(readTenant));
  const gauge = (
    name: string,
    help: string,
    value: (reading: TenantReading) => number | undefined,
  ): Family => ({
    name: `verdict_${name}`,
    help,
    kind: "gauge",
    samples: readings.flatMap((reading): Sample[] => {
      const read = value(reading);
      return read === undefined ? [] : [[reading.labels, read]];
    }),
  });
  const counter = (name: string, help: string, samples: (reading: TenantReading) => Sample[]): Family => ({
    name: `verdict_${name}`,
    help,
    kind: "counter",
    samples: readings.flatMap(samples),
  });
  const { user, system } = process.cpuUsage();
  return [
    {
      name: "verdict_build",
      help: "Version of verdict and of Node, and the signing recipe.",
      kind: "info",
      samples: [[{ version: whole.version, node: process.versions.node, recipe: whole.recipe }, 1]],
    },
    counter(
      "requests",
      "Requests by call and status; none for those whose connection ended first.",
      ({ labels, counts }) =>
        Array.from(counts.requests, ([key, count]) => {
          const [call, status] = key.split(" ") as [string, string];
          return [{ ...labels, call, status }, count];
        }),
    ),
    {
      name: "verdict_request_duration_seconds",
      help: "From the headers of a request to the end of its answer, injected faults included.",
      kind: "histogram",
      distributions: readings.flatMap(({ labels, counts }) =>
        Array.from(counts.latencies, ([call, { buckets, sumS }]) => ({
          labels: { ...labels, call },
          bounds: LATENCY_BOUNDS_S,
          buckets,
          sum: sumS,
        })),
      ),
    },
    counter(
      "verdicts",
      "Answers to checks by recommendation, repeats and forced ones included.",
      ({ labels, counts }) =>
        Array.from(counts.verdicts, ([recommendation, count]) => [{ ...labels, recommendation }, count]),
    ),
    counter("repeats", "Checks that got the stored answer to an identical one.", ({ labels, counts }) => [
      [labels, counts.repeats],
    ]),
    counter("forced", "Checks whose order id forced the answer.", ({ labels, counts }) => [
      [labels, counts.forced],
    ]),
    counter("faults_injected", "Injected faults that requests met.", ({ labels, counts }) => [
      [labels, counts.faults],
    ]),
    gauge("faults_ordered", "Faults that are ordered now.", ({ faults }) => faults),
    gauge("projects", "Registered projects.", ({ held }) => held?.projects),
    gauge("decisions", "Decisions that are kept.", ({ held }) => held?.decisions),
    gauge("signatures", "Signatures that are remembered against replay.", ({ held }) => held?.signatures),
    gauge("rules", "Active rules.", ({ tenant }) => tenant.rules.current.rules.length),
    gauge(
      "rules_file_wrong",
      "1 while the rule file is wrong and the rules before it decide.",
      ({ tenant }) => Number(tenant.rules.error !== null),
    ),
    gauge("state_writable", "1 while decisions can be stored; 0 answers 503.", ({ tenant }) =>
      Number(tenant.swappable.state.isWritable()),
    ),
    gauge("virtual_time_seconds", "Virtual time since the epoch.", ({ tenant }) => tenant.clock.now() / 1000),
    one("verdict_connections", "Open connections of the service.", whole.connections.open),
    one("verdict_connections_limit", "Connections that it keeps open at most.", whole.connections.limit),
    ...(whole.certificateExpiry === null
      ? []
      : [
          one(
            "verdict_certificate_expiry_seconds",
            "Until when the certificate is valid, since the epoch.",
            whole.certificateExpiry / 1000,
          ),
        ]),
    one("process_start_time_seconds", "Start of the process, since the epoch.", whole.startedAt / 1000),
    one("process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
    { ...one("process_cpu_seconds", "Time of the processor.", (user + system) / 1e6), kind: "counter" },
  ];
}

function one(name: string, help: string, value: number): Family & { readonly samples: readonly Sample[] } {
  return { name, help, kind: "gauge", samples: [[{}, value]] };
}

async function readTenant(tenant: Tenant): Promise<TenantReading> {
  return {
    labels: { tenant: tenant.name },
    tenant,
    counts: tenant.journal.counts,
    held: await holdings(tenant),
    faults: (await tenant.faults.list()).length,
  };
}
