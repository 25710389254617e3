// Reads one embedded test of a rule: changes of the sample payment, counts, lists, and the expected outcome.

import type { Node } from "yaml";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type CheckRequest } from "#src/contract/wire/wire.ts";
import { readLists } from "./list-reader.ts";
import type { EmbeddedTest } from "./rule-set.ts";

/** The payment on which embedded tests build. */
export interface SamplePayment {
  readonly now: number;
  readonly projectCurrency: number;
  readonly request: Readonly<Record<string, unknown>>;
}

const KEYS = ["name", "given", "counts", "lists", "ip_country", "level", "at", "expect"];
const COUNT = /^(?:velocity|spent|valued|micro)\/\w+\/\w+$|^distinct\/\w+\/\w+\/\w+$|^run\/\w+$/;

/** @throws YamlFault */
export function readRuleTest(source: YamlSource, sample: SamplePayment, node: Node): EmbeddedTest {
  const keys = source.map(node, "a test", KEYS);
  const at = keys.has("at") ? Date.parse(source.text(keys.get("at") ?? node, "at").value) : sample.now;
  if (Number.isNaN(at))
    throw source.fault(keys.get("at") ?? node, "at must be a time such as 2026-01-31T12:00:00Z");
  const given = keys.get("given") ?? null;
  if (keys.has("given")) source.entries(given ?? node, "given");
  return {
    name: keys.has("name")
      ? source.text(keys.get("name") ?? node, "name").value
      : `test on line ${source.lineOf(node)}`,
    request: merged(sample.request, given ? source.plain(given) : {}) as CheckRequest,
    project: {
      projectId: "sample",
      riskLevel: keys.has("level")
        ? source.choice(keys.get("level") ?? node, "level", RISK_LEVELS)
        : "medium",
      currency: sample.projectCurrency,
    },
    now: at,
    counts: readCounts(source, keys.get("counts") ?? null),
    lists: readLists(source, keys.get("lists") ?? null),
    ipCountry: keys.has("ip_country")
      ? source.text(keys.get("ip_country") ?? node, "ip_country").value
      : null,
    expect: source.choice(keys.get("expect") ?? node, "expect", ["hit", "no_hit", "not_evaluated"]),
    line: source.lineOf(node),
  };
}

function readCounts(source: YamlSource, node: Node | null): Map<string, number> {
  const counts = new Map<string, number>();
  if (node === null) return counts;
  for (const [name, { keyNode, value }] of source.entries(node, "counts")) {
    if (!COUNT.test(name)) {
      throw source.fault(
        keyNode,
        `"${name}" is not a count; write velocity/card/1h or distinct/card/payer/24h`,
      );
    }
    counts.set(name, source.number(value, name, 0, 1e9));
  }
  return counts;
}

/** The change laid over the base, object by object; null removes a field. */
function merged(base: unknown, change: unknown): unknown {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  const result: Record<string, unknown> = { ...(base as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
