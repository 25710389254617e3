// Reads the payloads of a deck: a whole request, or changes to the previous one, validated against the field table.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import { validateBody } from "#src/contract/fields/validate.ts";
import { isDouble, type Place } from "#src/contract/text/place.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

export interface DeckBody {
  readonly request: CheckRequest;
  /** Paths of numbers that are written with a point or an exponent. */
  readonly irregular: ReadonlyMap<string, string>;
}

type Path = string;

const PATHS: readonly Path[] = CHECK_FIELDS.map(({ path }) => path);
const GROUPS: ReadonlySet<string> = new Set(
  PATHS.filter((path) => path.includes(".")).map((path) => path.split(".")[0]!),
);
/** Without them the service refuses the body and gives no verdict. */
const REQUIRED: readonly Path[] = CHECK_FIELDS.filter(({ required }) => required).map(({ path }) => path);

/**
 * The payload of a step: its own, or the previous one with or without changes.
 * @throws the fault of a wrong field or value, and of a change in the first step
 */
export function deckBody(
  step: Place,
  { payload, change }: { readonly payload?: Place; readonly change?: Place },
  before: DeckBody | null,
): DeckBody {
  const places = new Map<Path, Place>();
  const body = payload === undefined ? changed(change, step, before, places) : ownPayload(payload, places);
  check(body, payload ?? change ?? step, places, payload !== undefined && before !== null);
  return body;
}

/**
 * A body for each check of a step that lists values by path, one for each: each with another card, for example.
 * @throws the fault of a wrong field or value, and of lists that are not equally long
 */
export function repeatedBodies(lists: Place, body: DeckBody, most: number): DeckBody[] {
  let bodies: DeckBody[] = [];
  for (const [path, { key, value }] of lists.entries("repeat")) {
    if (!PATHS.includes(path)) throw unknownField(key, path);
    const values = value.items(`${path} of repeat`);
    if (bodies.length === 0) bodies = values.map(() => body);
    if (values.length < 1 || values.length > most || values.length !== bodies.length)
      throw value.fault(`repeat needs lists of 1 to ${most} values, all of the same length`);
    bodies = values.map((each, at) => {
      const places = new Map<Path, Place>();
      const changed = withValue(bodies[at]!, path, each, places);
      check(changed, each, places, false);
      return changed;
    });
  }
  if (bodies.length === 0)
    throw lists.fault("repeat needs a list of values, such as card.cin_card: [42, 43]");
  return bodies;
}

function ownPayload(place: Place, places: Map<Path, Place>): DeckBody {
  let body: DeckBody = { request: {}, irregular: new Map() };
  for (const [path, value] of leaves(place, "")) body = withValue(body, path, value, places);
  return body;
}

function* leaves(place: Place, group: string): Generator<readonly [Path, Place]> {
  for (const [key, { key: keyPlace, value }] of place.entries(group === "" ? "payload" : group)) {
    const path = group === "" ? key : `${group}.${key}`;
    if (group === "" && GROUPS.has(key)) yield* leaves(value, key);
    else if (PATHS.includes(path)) yield [path, value];
    else throw unknownField(keyPlace, path);
  }
}

function changed(
  change: Place | undefined,
  step: Place,
  before: DeckBody | null,
  places: Map<Path, Place>,
): DeckBody {
  if (before === null) throw (change ?? step).fault("the first step needs a payload of its own");
  let body = before;
  for (const [path, { key, value }] of change?.entries("change") ?? []) {
    const known = PATHS.includes(path);
    if ((known || GROUPS.has(path)) && value.kind === "scalar" && value.scalar === null)
      body = without(body, path);
    else if (known) body = withValue(body, path, value, places);
    else throw unknownField(key, path);
  }
  return body;
}

function withValue(body: DeckBody, path: Path, place: Place, places: Map<Path, Place>): DeckBody {
  if (place.kind !== "scalar") throw place.fault(`${path} must be a single value`);
  places.set(path, place);
  const irregular = new Map(body.irregular);
  if (isDouble(place)) irregular.set(path, String(place.scalar));
  else irregular.delete(path);
  return { request: setPath({ ...body.request }, path, place.scalar), irregular };
}

/** @param later whether it is a payload behind another one, of which most want a change */
function check(
  { request, irregular }: DeckBody,
  whole: Place,
  places: ReadonlyMap<Path, Place>,
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
  throw (place ?? whole).fault(`${wrong.message}${advice}`);
}

function unknownField(place: Place, path: string): Error {
  return place.fault(`"${path}" is no field of a check; the fields are ${PATHS.join(", ")}`);
}

function without({ request, irregular }: DeckBody, path: Path): DeckBody {
  const left = [...irregular].filter(([known]) => known !== path && !known.startsWith(`${path}.`));
  return { request: setPath({ ...request }, path, undefined), irregular: new Map(left) };
}
