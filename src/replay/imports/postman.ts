// Payments of a Postman collection (v2.0.0, v2.1.0): the raw bodies of its POSTs with their variables filled in, once for each
// row of a data file, as newman sends them. Scripts, authorization, headers and saved answers are never read.

import { hash } from "node:crypto";
import { isJsonObject, ownValue } from "#src/contract/fields/body-path.ts";
import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";
import { isCardColumn } from "#src/replay/sources/source-csv.ts";
import type { DataRows, ForeignDocument, Found } from "./candidate.ts";
import { foundInBody, shownWord, textAt, type Body } from "./request-body.ts";

interface Request {
  /** Names of its folders and its own. */
  readonly name: string;
  readonly body: Body;
}

/** Null for a variable that has no value. */
type Lookup = (name: string) => string | null;

/** Both as in postman-collection. */
const VARIABLE = /\{\{([^{}]*?)\}\}/g;
const MOST_ROUNDS = 19;

/** Filled in for `$timestamp`, one second later for each payment: the same files give the same payments. */
const FIRST_TIMESTAMP_S = Date.UTC(2026, 0, 1) / 1_000;
/** `$randomInt` is from 0 to 1000. */
const RANDOM_INTEGERS = 1_001;

const UNNAMED_SHOWN = 5;

const FORM = "Its body is a form, not JSON.";
const OTHER_MODES = new Map([
  ["file", "Its body lies in another file; paste it into the request as raw."],
  ["graphql", "Its body is a query of GraphQL, not a check."],
  ["urlencoded", FORM],
  ["formdata", FORM],
]);

/** Every POST for each row, the rows outermost, after those that cannot be taken; other methods send no check and are passed over. */
export async function* readPostman(
  { label, json }: ForeignDocument,
  dataRows: DataRows,
): AsyncGenerator<Found> {
  const rows = dataRows();
  const requests: { readonly name: string; readonly text: string }[] = [];
  // As Postman's API gives it.
  const collection = ownValue(json.value, "collection") ?? json.value;
  for (const { name, body } of requestsIn(ownValue(collection, "item"), [])) {
    if ("text" in body) requests.push({ name, text: body.text });
    else yield { place: `${label}: ${shownWord(name)}`, ...body };
  }
  const given = valuesIn(ownValue(collection, "variable"));
  let count = 0;
  for await (const row of rows ?? [null]) {
    if (row !== null && "why" in row) {
      yield row;
      continue;
    }
    for (const { name, text } of requests) {
      const place = `${label}: ${shownWord(name)}${row === null ? "" : `, ${row.place}`}`;
      const dynamic = dynamicValues(place, (count += 1));
      const lookup: Lookup = (name) =>
        isCardColumn(name) ? null : (row?.cells.get(name) ?? given.get(name) ?? dynamic(name));
      yield foundInBody(fill(text, lookup), { place, name, at: null });
    }
  }
}

function* requestsIn(items: unknown, folders: readonly string[]): Generator<Request> {
  for (const item of Array.isArray(items) ? items : []) {
    const names = [...folders, textAt(item, "name") || "unnamed"];
    const inner = ownValue(item, "item");
    if (Array.isArray(inner)) yield* requestsIn(inner, names);
    // One that is only an address is a GET.
    const request = ownValue(item, "request");
    if (textAt(request, "method").toUpperCase() === "POST")
      yield { name: names.join(" / "), body: bodyOf(ownValue(request, "body")) };
  }
}

function bodyOf(body: unknown): Body {
  if (!isJsonObject(body)) return { why: "It has no body." };
  if (ownValue(body, "disabled") === true) return { why: "Its body is disabled." };
  const why = OTHER_MODES.get(textAt(body, "mode"));
  if (why !== undefined) return { why };
  const text = textAt(body, "raw");
  return text === "" ? { why: "It has no body." } : { text: withoutComments(text) };
}

/** A text as a whole, so that what looks like a comment in it stays; or a comment. */
const TEXT_OR_COMMENT = /"[^"\\]*(?:\\[^][^"\\]*)*"?|\/\/[^\n\r]*|\/\*[^]*?\*\//g;

/** Blanks in place of the comments, which Postman does not send; places in messages stay. */
function withoutComments(text: string): string {
  return text.replace(TEXT_OR_COMMENT, (part) =>
    part.startsWith("/") ? part.replaceAll(/[^\n\r]/g, " ") : part,
  );
}

/** Variables with their values, the last one of a name; what Postman keeps as a secret stays out of payments. */
function valuesIn(list: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const each of Array.isArray(list) ? list : []) {
    // In v2.0.0 the id may be the name.
    const key = textAt(each, "key") || textAt(each, "id");
    const value = ownValue(each, "value") ?? "";
    if (ownValue(each, "disabled") === true || key === "" || textAt(each, "type") === "secret") continue;
    values.set(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  return values;
}

/** Replaces variables, and those in their values, as texts: one without quotes may be a number. */
function fill(text: string, lookup: Lookup): Body {
  let filled = text;
  let size = text.length;
  for (let round = 0, before = ""; round < MOST_ROUNDS && before !== filled; round++) {
    before = filled;
    filled = filled.replace(VARIABLE, (whole, name: string) => {
      const value = lookup(name);
      size += value?.length ?? 0;
      return size > BODY_LIMIT_BYTES ? "" : (value ?? whole);
    });
  }
  if (size > BODY_LIMIT_BYTES) return { why: "With its variables its body is larger than 64 KiB." };
  const left = [...new Set(filled.match(VARIABLE))];
  if (left.length === 0) return { text: filled };
  if (left.some(isCardColumn))
    return { why: "It has a variable for card numbers or card verification data, which never belong here." };
  const shown = `${left.slice(0, UNNAMED_SHOWN).map(shownWord).join(", ")}${left.length > UNNAMED_SHOWN ? " ..." : ""}`;
  return {
    why: `Nothing fills ${shown}; give values with --data, because scripts are not run.`,
  };
}

/** Values that Postman draws at random or takes from the clock, here from the place, so that an import can be repeated. */
function dynamicValues(place: string, count: number): Lookup {
  let drawn = 0;
  const draw = (): string => hash("sha256", `${place}\0${(drawn += 1)}`);
  const time = FIRST_TIMESTAMP_S + count;
  return (name) => {
    switch (name) {
      case "$guid":
      case "$randomUUID":
        return draw().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
      case "$randomInt":
        return String(parseInt(draw().slice(0, 8), 16) % RANDOM_INTEGERS);
      case "$timestamp":
        return String(time);
      case "$isoTimestamp":
        return new Date(time * 1_000).toISOString();
      default:
        return null;
    }
  };
}
