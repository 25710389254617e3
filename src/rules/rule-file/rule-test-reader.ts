// Reads one embedded test of a rule: changes of the sample payment, counts, lists, and the expected outcome.

import type { Node } from "yaml";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { readLists } from "./list-reader.ts";
import { COUNT, COUNT_NAME, isTextField, REQUEST_GROUPS, RULE_TEST, TIME } from "./rule-file-shape.ts";
import type { EmbeddedTest } from "./rule-set.ts";

/** The payment on which embedded tests build. */
export interface SamplePayment {
  readonly now: number;
  readonly projectCurrency: number;
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * A check request, or changes of one, in which null removes a field.
 * @throws YamlFault for a number where a field has a text, such as `order_id: 007`
 */
export function readRequest(source: YamlSource, node: Node, what: string): Record<string, unknown> {
  expectTexts(source, node, what, "");
  return source.plain(node) as Record<string, unknown>;
}

function expectTexts(source: YamlSource, node: Node, what: string, group: string): void {
  for (const [key, { value }] of source.entries(node, what)) {
    const path = group + key;
    if (source.isNull(value)) continue;
    if (isTextField(path)) source.anyText(value, path);
    else if (group === "" && REQUEST_GROUPS.includes(key)) expectTexts(source, value!, path, `${key}.`);
  }
}

/** @throws YamlFault */
export function readRuleTest(source: YamlSource, sample: SamplePayment, node: Node): EmbeddedTest {
  const keys = source.map(node, "a test", RULE_TEST);
  const at = keys.has("at") ? Date.parse(keys.text("at")) : sample.now;
  if (Number.isNaN(at)) throw source.fault(keys.at("at"), `at must be ${TIME}`);
  const given = keys.get("given") ?? null;
  return {
    name: keys.has("name") ? keys.text("name") : `test on line ${source.lineOf(node)}`,
    request: merged(
      sample.request,
      keys.has("given") ? readRequest(source, given ?? node, "given") : {},
    ) as CheckRequest,
    project: {
      projectId: "sample",
      riskLevel: keys.has("level") ? keys.choice("level") : "medium",
      currency: sample.projectCurrency,
    },
    now: at,
    counts: readCounts(source, keys.get("counts") ?? null),
    lists: readLists(source, keys.get("lists") ?? null),
    expect: keys.choice("expect"),
    line: source.lineOf(node),
  };
}

function readCounts(source: YamlSource, node: Node | null): Map<string, number> {
  const counts = new Map<string, number>();
  if (node === null) return counts;
  for (const [name, { keyNode, value }] of source.entries(node, "counts")) {
    if (!COUNT_NAME.test(name)) {
      throw source.fault(
        keyNode,
        `"${name}" is not a count; write velocity/card/1h or distinct/card/payer/24h`,
      );
    }
    counts.set(name, source.number(value, name, COUNT));
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
