// What /metrics says: the sandbox as a whole, and each tenant under its name, in the text format of Prometheus, version 0.0.4,
// or in OpenMetrics 1.0.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { SandboxStatus } from "#src/contract/wire/sandbox-wire.ts";
import { LATENCY_BOUNDS_S } from "#src/sandbox/state/request-journal.ts";
import { holdings, type Tenant } from "#src/sandbox/state/tenant.ts";

export interface WholeReading extends Pick<
  SandboxStatus,
  "version" | "recipe" | "startedAt" | "connections"
> {
  /** Until when the certificate is valid; null without one. */
  readonly certificateExpiry: Milliseconds | null;
}

type TenantReading = Awaited<ReturnType<typeof readTenant>>;

async function readTenant(tenant: Tenant) {
  const labels = { tenant: tenant.name };
  const { counts } = tenant.journal;
  const faults = (await tenant.faults.list()).length;
  return { tenant, labels, counts, held: await holdings(tenant), faults };
}

export async function readMetrics(whole: WholeReading, tenants: readonly Tenant[]): Promise<Family[]> {
  const readings = await Promise.all(tenants.map(readTenant));
  const family = (
    kind: Family["kind"],
    name: string,
    help: string,
    samples: (reading: TenantReading) => readonly Sample[],
  ): Family => ({ name: `verdict_${name}`, help, kind, samples: readings.flatMap(samples) });
  /** One number of each tenant; undefined for none. */
  const each =
    (kind: "counter" | "gauge") =>
    (name: string, help: string, value: (reading: TenantReading) => number | undefined): Family =>
      family(kind, name, help, (reading) => {
        const read = value(reading);
        return read === undefined ? [] : [[reading.labels, read]];
      });
  const [counter, gauge] = [each("counter"), each("gauge")];
  const { version, recipe, connections, certificateExpiry } = whole;
  const { user, system } = process.cpuUsage();
  return [
    {
      name: "verdict_build",
      help: "Version of verdict and of Node, and the signing recipe.",
      kind: "info",
      samples: [[{ version, node: process.versions.node, recipe }, 1]],
    },
    family(
      "counter",
      "requests",
      "Requests by call and status; none for those whose connection ended first.",
      ({ labels, counts }) =>
        Array.from(counts.requests, ([key, count]) => {
          const [call, status] = key.split(" ") as [string, string];
          return [{ ...labels, call, status }, count];
        }),
    ),
    family(
      "histogram",
      "request_duration_seconds",
      "From the headers of a request to the end of its answer, injected faults included.",
      ({ labels, counts }) =>
        Array.from(counts.latencies, ([call, { buckets, sumS }]) =>
          histogram({ ...labels, call }, LATENCY_BOUNDS_S, buckets, sumS),
        ).flat(),
    ),
    family(
      "counter",
      "verdicts",
      "Answers to checks by recommendation, repeats and forced ones included.",
      ({ labels, counts }) =>
        Array.from(counts.verdicts, ([recommendation, count]) => [{ ...labels, recommendation }, count]),
    ),
    counter(
      "repeats",
      "Checks that got the stored answer to an identical one.",
      ({ counts }) => counts.repeats,
    ),
    counter("forced", "Checks whose order id forced the answer.", ({ counts }) => counts.forced),
    counter("faults_injected", "Injected faults that requests met.", ({ counts }) => counts.faults),
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
      Number(tenant.state.isWritable()),
    ),
    gauge("virtual_time_seconds", "Virtual time since the epoch.", ({ tenant }) => tenant.clock.now() / 1000),
    one("verdict_connections", "Open connections of the service.", connections.open),
    one("verdict_connections_limit", "Connections that it keeps open at most.", connections.limit),
    ...(certificateExpiry === null
      ? []
      : [
          one(
            "verdict_certificate_expiry_seconds",
            "Until when the certificate is valid, since the epoch.",
            certificateExpiry / 1000,
          ),
        ]),
    one("process_start_time_seconds", "Start of the process, since the epoch.", whole.startedAt / 1000),
    one("process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
    { ...one("process_cpu_seconds", "Time of the processor.", (user + system) / 1e6), kind: "counter" },
  ];
}

function one(name: string, help: string, value: number): Family {
  return { name, help, kind: "gauge", samples: [[{}, value]] };
}

export type Labels = Readonly<Record<string, string>>;

/** `suffix` stands behind the name of the metric: `_bucket`, `_sum` and `_count` of a histogram. */
export type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** Metrics of one name; `_total` is added to the name of a counter, `_info` to the name of an `info`. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly kind: keyof typeof SUFFIX;
  readonly samples: readonly Sample[];
}

export type Format = "prometheus" | "openmetrics";

export const MEDIA_TYPE: Readonly<Record<Format, string>> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

const SUFFIX = { counter: "_total", gauge: "", info: "_info", histogram: "" } as const;

/** The format that a header `Accept` likes best; Prometheus where it likes both alike. */
export function formatFor(accept: string | undefined): Format {
  let best = { format: "prometheus" as Format, quality: 0 };
  for (const range of (accept ?? "").split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const of = (name: string): string | undefined =>
      parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
    const isOpen = type === "application/openmetrics-text" && (of("version") ?? "1.0.0") === "1.0.0";
    const quality = Number(of("q") ?? 1);
    if ((isOpen || type === "text/plain") && quality > best.quality)
      best = { format: isOpen ? "openmetrics" : "prometheus", quality };
  }
  return best.format;
}

/** @throws nothing: any text may stand in a label */
export function exposition(families: readonly Family[], format: Format): string {
  const isOpen = format === "openmetrics";
  const lines = families.flatMap((family) => {
    const written = family.name + SUFFIX[family.kind];
    const name = isOpen ? family.name : written;
    const kind = family.kind === "info" && !isOpen ? "gauge" : family.kind;
    return [
      `# HELP ${name} ${escaped(family.help)}`,
      `# TYPE ${name} ${kind}`,
      ...family.samples.map(([labels, value, suffix = ""]) => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
        return `${written}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
      }),
    ];
  });
  return `${[...lines, ...(isOpen ? ["# EOF"] : [])].join("\n")}\n`;
}

/**
 * @param bounds upper ones, ascending
 * @param buckets one more than bounds; each without those below
 */
export function histogram(
  labels: Labels,
  bounds: readonly number[],
  buckets: readonly number[],
  sum: number,
): Sample[] {
  let count = 0;
  const cumulated = buckets.map((each, index): Sample => {
    count += each;
    const bound = bounds[index];
    // With a decimal point, as OpenMetrics asks for.
    const le = bound === undefined ? "+Inf" : Number.isInteger(bound) ? `${bound}.0` : String(bound);
    return [{ ...labels, le }, count, "_bucket"];
  });
  return [...cumulated, [labels, sum, "_sum"], [labels, count, "_count"]];
}

/** Both formats escape these in labels, and OpenMetrics in helps. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
