// Parses the named lists of a rule file; each entry is one typed and validated value.

import type { Node } from "yaml";
import { parseInstant } from "#src/contract/text/instant.ts";
import type { KnownKeys, YamlSource } from "#src/contract/text/yaml-source.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { NamedLists } from "#src/rules/decision/situation.ts";
import { LIST_FORMS, LIST_TYPES, createList, normalEntry, type ListEntry } from "./lists.ts";
import { DIGIT_TYPES, ENTRY_TIME, isOwnName, LIST_ENTRY } from "./rule-file-shape.ts";

/**
 * Reads `{ blocked: [ { email: fraud@example.com, note: chargeback in May }, { ip: 203.0.113.0/24 } ] }`.
 * @param node null for no lists
 * @throws YamlFault
 */
export function readLists(source: YamlSource, node: Node | null): NamedLists {
  if (node === null) return new Map();
  return new Map(
    Array.from(source.entries(node, "lists"), ([name, { keyNode, value }]) => {
      if (!isOwnName(name)) {
        throw source.fault(keyNode, `a list cannot be called "${name}"; use small letters, digits and _`);
      }
      const entries = source.list(value, name).map((entry) => readEntry(source, entry, name));
      return [name, createList(entries)] as const;
    }),
  );
}

function readEntry(source: YamlSource, node: Node, list: string): ListEntry {
  const keys = source.map(node, `an entry of ${list}`, LIST_ENTRY);
  const types = LIST_TYPES.filter((type) => keys.has(type));
  const [type] = types;
  if (type === undefined || types.length > 1) {
    throw source.fault(
      node,
      `an entry of ${list} names one of ${LIST_TYPES.join(", ")}, and perhaps from, until and a note`,
    );
  }
  if (keys.has("note")) keys.text("note");
  const text = DIGIT_TYPES.includes(type) ? source.digits(keys.at(type), type) : keys.text(type);
  const [from, until] = [readTime(source, keys, "from"), readTime(source, keys, "until")];
  if (from !== undefined && until !== undefined && from >= until) {
    throw source.fault(
      keys.at("until"),
      `until must be later than from; the entry of ${list} would never hold`,
    );
  }
  const entry: ListEntry = {
    type,
    text,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
  if (normalEntry(entry) === null) {
    throw source.fault(keys.at(type), `${type} must be ${LIST_FORMS[type]}`);
  }
  return entry;
}

function readTime(
  source: YamlSource,
  keys: KnownKeys<(typeof LIST_ENTRY)["properties"]>,
  key: "from" | "until",
): Milliseconds | undefined {
  if (!keys.has(key)) return undefined;
  const at = parseInstant(source.text(keys.at(key), key).value);
  if (at === null) throw source.fault(keys.at(key), `${key} must be ${ENTRY_TIME}`);
  return at;
}
