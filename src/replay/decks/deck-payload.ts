// Reads the payloads of a deck: a whole request, or changes to the previous one, validated against the field table.

import type { Node } from "yaml";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import { validateBody } from "#src/contract/fields/validate.ts";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

export interface DeckBody {
  readonly request: CheckRequest;
  /** Paths of numbers that are written with a point or an exponent. */
  readonly irregular: ReadonlyMap<string, string>;
}

export interface DeckPayloads {
  /**
   * The payload of a step: its own, or the previous one with or without changes.
   * @throws YamlFault for a wrong field or value, and for a change in the first step
   */
  read(step: Node, keys: ReadonlyMap<string, Node | null>, before: DeckBody | null): DeckBody;
}

type Path = string;

const PATHS: readonly Path[] = CHECK_FIELDS.map(({ path }) => path);
const GROUPS: ReadonlySet<string> = new Set(
  PATHS.filter((path) => path.includes(".")).map((path) => path.split(".")[0]!),
);
/** Without them the service refuses the body and gives no verdict. */
const REQUIRED: readonly Path[] = CHECK_FIELDS.filter(({ required }) => required).map(({ path }) => path);

export function createPayloads(source: YamlSource): DeckPayloads {
  return {
    read(step, keys, before) {
      const payload = keys.get("payload");
      const change = keys.get("change");
      if (keys.has("payload") && keys.has("change")) {
        throw source.fault(change ?? step, "a step has a payload of its own or a change, not both");
      }
      const places = new Map<Path, Node>();
      const body = keys.has("payload")
        ? ownPayload(payload ?? step, places)
        : changed(keys.has("change") ? (change ?? step) : null, step, before, places);
      check(body, payload ?? change ?? step, places, payload !== undefined && before !== null);
      return body;
    },
  };

  function ownPayload(node: Node, places: Map<Path, Node>): DeckBody {
    let body: DeckBody = { request: {}, irregular: new Map() };
    for (const [path, value] of leaves(node, "")) body = withValue(body, path, value, places);
    return body;
  }

  function* leaves(node: Node | null, group: string): Generator<readonly [Path, Node]> {
    for (const [key, { keyNode, value }] of source.entries(node, group === "" ? "payload" : group)) {
      const path = group === "" ? key : `${group}.${key}`;
      if (group === "" && GROUPS.has(key)) yield* leaves(value, key);
      else if (PATHS.includes(path)) yield [path, value ?? keyNode];
      else throw unknownField(keyNode, path);
    }
  }

  function changed(
    node: Node | null,
    step: Node,
    before: DeckBody | null,
    places: Map<Path, Node>,
  ): DeckBody {
    if (before === null) throw source.fault(node ?? step, "the first step needs a payload of its own");
    if (node === null) return before;
    let body = before;
    for (const [path, { keyNode, value }] of source.entries(node, "change")) {
      const known = PATHS.includes(path);
      if ((known || GROUPS.has(path)) && source.isNull(value)) body = without(body, path);
      else if (known) body = withValue(body, path, value!, places);
      else throw unknownField(keyNode, path);
    }
    return body;
  }

  function withValue(body: DeckBody, path: Path, node: Node, places: Map<Path, Node>): DeckBody {
    const { value, isDouble } = source.scalar(node, path);
    places.set(path, node);
    const irregular = new Map(body.irregular);
    if (isDouble) irregular.set(path, String(value));
    else irregular.delete(path);
    return { request: setPath({ ...body.request }, path, value), irregular };
  }

  /** @param later whether it is a payload behind another one, of which most want a change */
  function check(
    { request, irregular }: DeckBody,
    whole: Node,
    places: ReadonlyMap<Path, Node>,
    later: boolean,
  ): void {
    const findings = validateBody(CHECK_FIELDS, request, {
      required: REQUIRED,
      irregularNumbers: irregular,
      strict: true,
    });
    const wrong = findings.find(({ severity }) => severity === "error");
    if (wrong === undefined) return;
    const quoted = /must be a text, not a (?:number|boolean)/.test(wrong.message);
    const place = places.get(wrong.path);
    const advice = quoted
      ? " Write it in quotes."
      : later && place === undefined
        ? " A payload is a whole request; write change to alter the step before."
        : "";
    throw source.fault(place ?? whole, `${wrong.message}${advice}`);
  }

  function unknownField(node: Node, path: string): Error {
    return source.fault(node, `"${path}" is no field of a check; the fields are ${PATHS.join(", ")}`);
  }
}

function without({ request, irregular }: DeckBody, path: Path): DeckBody {
  const left = [...irregular].filter(([known]) => known !== path && !known.startsWith(`${path}.`));
  return { request: setPath({ ...request }, path, undefined), irregular: new Map(left) };
}
