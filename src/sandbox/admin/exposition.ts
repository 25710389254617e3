// Writes metrics in the text format of Prometheus, version 0.0.4, or in that of OpenMetrics 1.0.

export type Labels = Readonly<Record<string, string>>;

/** `suffix` stands behind the name of the metric: `_bucket`, `_sum` and `_count` of a histogram. */
export type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** Metrics of one name. That of a counter is written with `_total`, that of an `info` with `_info`. */
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
