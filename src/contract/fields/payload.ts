// Reads a payload file into a check request that may be sent, with warnings for the user.

import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { isLabel, LABEL_CHOICE, LABELS, type Label } from "#src/contract/records/label.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseMoment } from "#src/contract/text/instant.ts";
import { kindOf } from "#src/contract/text/kind-of.ts";
import { allOptional, anyText, list, map } from "#src/contract/text/shape.ts";
import { changesValue } from "#src/contract/text/plain-json.ts";
import { parseStrictJson, StrictJsonError, type StrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { isRecommendation, RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { BODY_LIMIT_BYTES, JSON_DEPTH_LIMIT, type CheckRequest } from "#src/contract/wire/wire.ts";
import { isJsonObject, setPath, type JsonObject } from "./body-path.ts";
import { findCardData } from "./card-data.ts";
import { checkFields } from "./check-fields.ts";
import type { Field } from "./field.ts";
import { foreignDocument, foreignTextProblem, notPaymentProblem } from "./not-a-payment.ts";
import { readField, validateBody } from "./validate.ts";

export interface Payload {
  readonly request: CheckRequest;
  readonly name: string | null;
  /** Verdict that its author expects. */
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  /** Time of the event, if the envelope has one; back-tests count by it. */
  readonly at: Milliseconds | null;
  /** What became of the payment, as far as its envelope says. */
  readonly label: Label | null;
  /** The trustworthy verdict that a service answered when the payment was captured. */
  readonly was: Recommendation | null;
  /** One sentence each: missing fields, unknown keys, implausible values. */
  readonly warnings: readonly string[];
}

/** Wrong fields that are named in addition to the first one. */
const OTHERS_NAMED = 3;

/** The shape of an envelope. */
export const ENVELOPE = map(
  {
    ...allOptional({
      $schema: anyText("A JSON Schema, for editors."),
      name: { type: ["string", "null"], description: "Its name." },
      expect: { enum: [...RECOMMENDATIONS, null], description: "The verdict that its author expects." },
      tags: list({ type: "string" }, "Words by which it is found."),
      at: {
        type: ["string", "integer", "null"],
        description:
          "Time of the payment, such as 2026-03-01T12:00:00Z, or seconds or milliseconds since 1970.",
      },
      outcome: {
        enum: [...LABELS, null],
        description: "What became of the payment, by which rules are judged; it is never sent.",
      },
      answer: {
        type: "object",
        description:
          "What a service answered when the payment was captured: outcome and verdict (null unless the outcome is answered), with which a replay compares; reason, http_status, latency_ms.",
      },
    }),
    request: { type: "object", description: "The request of the check." },
  },
  "A payload in an envelope.",
);
const ENVELOPE_KEYS = Object.keys(ENVELOPE.properties);

/** An empty request that the user fills. */
const NOTHING: StrictJson = { value: {}, irregularNumbers: new Map() };

/**
 * Reads a payload: the request body as JSON, or an envelope `{"name","expect","tags","at","outcome","request":{...}}`.
 * @param bytes the file, UTF-8; null for an empty request that is filled by `changes` alone
 * @param source how the user named it, for messages
 * @param changes `path=value` words that are applied in order after reading
 * @param now ms since the epoch, for expiry dates
 * @param numbering currency numbering of the profile; ISO 4217 by default
 * @throws Fault("bad_input") for anything that must not be sent: not strict JSON, no payment, a wrong type, card data
 * @throws Fault("usage") for a change that names no field or holds no fitting value
 */
export function readPayload(
  bytes: Uint8Array | null,
  source: string,
  changes: readonly string[],
  now: number,
  numbering?: CurrencyNumbering,
): Payload {
  return payloadOf(bytes === null ? NOTHING : parse(bytes, source), source, changes, now, numbering);
}

/**
 * The same for a value that was parsed already, e.g. an element of a list or a row of a table.
 * @param parsed.irregularNumbers tokens of numbers that are not plain integers, by path, as `parseStrictJson` gives them
 * @throws Fault as `readPayload` does
 */
export function payloadOf(
  parsed: StrictJson,
  source: string,
  changes: readonly string[],
  now: number,
  numbering?: CurrencyNumbering,
): Payload {
  const fields = checkFields(numbering);
  const envelope = openEnvelope(parsed.value, source);
  // Checked before card data: the kind of the document explains more than one of its values.
  const foreign = foreignDocument(envelope.body);
  if (foreign !== null) throw badInput`${source}: ${whole(foreign.problem)}.`;
  const irregularNumbers = envelope.inside
    ? new Map([...parsed.irregularNumbers].flatMap(([path, token]) => inRequest(path, token)))
    : new Map(parsed.irregularNumbers);

  let body = envelope.body;
  for (const change of changes) {
    const { path, value } = readChange(change, fields);
    body = setPath(body, path, value);
    irregularNumbers.delete(path);
  }

  // Checked before the fields, so that no other problem hides a card number.
  const card = findCardData(body);
  if (card !== null) {
    throw new Fault(
      "bad_input",
      whole(
        card.kind === "card_number"
          ? `${source}: ${escapeText(card.path)} holds a full card number, which never belongs here; send bin_card and cin_card instead.`
          : `${source}: the key ${escapeText(card.path)} is not allowed, because card numbers and verification data never belong here; remove it.`,
      ),
    );
  }

  const notPayment = parsed === NOTHING ? null : notPaymentProblem(body);
  if (notPayment !== null) throw badInput`${source}: ${whole(notPayment)}.`;

  const findings = validateBody(fields, body, { irregularNumbers, now });
  const errors = findings.filter((finding) => finding.severity === "error");
  for (const [path, token] of irregularNumbers) {
    if (!changesValue(token) || errors.some((error) => error.path === path)) continue;
    const message = `${escapeText(path, 80)} is a number that cannot be sent as it is written; write it in quotes.`;
    errors.push({ path, severity: "error", message });
  }
  if (errors.length > 0) {
    const others = [...new Set(errors.slice(1).map(({ path }) => escapeText(path, 60)))];
    const unnamed = others.splice(OTHERS_NAMED).length;
    const rest = unnamed === 0 ? "" : ` and ${unnamed} more`;
    const also = others.length === 0 ? "" : `; also wrong: ${others.join(", ")}${rest}`;
    const sentence = errors[0]!.message.replace(/\.$/, "");
    throw badInput`${source}: ${whole(sentence)}${whole(also)}.`;
  }
  return {
    request: body,
    name: envelope.name,
    expect: envelope.expect,
    tags: envelope.tags,
    at: envelope.at,
    label: envelope.label,
    was: envelope.was,
    warnings: findings.filter((finding) => finding.severity === "warning").map((finding) => finding.message),
  };
}

/** The path inside of `request`; empty for a number of the envelope itself. */
function inRequest(path: string, token: string): [string, string][] {
  return path.startsWith("request.") ? [[path.slice("request.".length), token]] : [];
}

function parse(bytes: Uint8Array, source: string): StrictJson {
  if (bytes.length === 0) throw badInput`${source} is empty; give a check request as JSON.`;
  try {
    return parseStrictJson(bytes, { maxBytes: BODY_LIMIT_BYTES, maxDepth: JSON_DEPTH_LIMIT });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    if (holdsLines(bytes)) {
      throw badInput`${source} holds one payment a line, and this takes a single one; "verdict replay" sends them all.`;
    }
    const foreign = foreignTextProblem(bytes);
    throw badInput`${source}: ${whole(foreign === null ? error.message : `${foreign}.`)}`;
  }
}

/** True for NDJSON: the first two lines are objects. */
function holdsLines(bytes: Uint8Array): boolean {
  const [first = "", second = ""] = new TextDecoder().decode(bytes).trimStart().split("\n", 2);
  return [first, second].every((line) => {
    try {
      return isJsonObject(JSON.parse(line));
    } catch {
      return false;
    }
  });
}

interface Envelope {
  readonly body: JsonObject;
  readonly inside: boolean;
  readonly name: string | null;
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly at: Milliseconds | null;
  readonly label: Label | null;
  readonly was: Recommendation | null;
}

/** By hand: a row of a replay takes 2.6 us with all checks of its payload, and reading by the shape would add 3.5 us. */
function openEnvelope(value: unknown, source: string): Envelope {
  if (!isJsonObject(value)) {
    throw badInput`${source}: a check request is a JSON object, not ${kindOf(value)}.`;
  }
  if (!Object.hasOwn(value, "request"))
    return {
      body: value,
      inside: false,
      name: null,
      expect: null,
      tags: [],
      at: null,
      label: null,
      was: null,
    };

  const stray = Object.keys(value).find((key) => !ENVELOPE_KEYS.includes(key));
  if (stray !== undefined) {
    throw badInput`${source}: "${stray}" does not belong in an envelope, which holds ${whole(ENVELOPE_KEYS.join(", "))}.`;
  }
  const {
    name = null,
    expect = null,
    tags = [],
    at = null,
    outcome = null,
    answer,
    request,
    $schema = "",
  } = value;
  if (!isJsonObject(request)) throw badInput`${source}: "request" must be a JSON object.`;
  if (typeof $schema !== "string") throw badInput`${source}: "$schema" must be a text.`;
  if (name !== null && typeof name !== "string") throw badInput`${source}: "name" must be a text.`;
  if (expect !== null && !isRecommendation(expect)) {
    throw badInput`${source}: "expect" must be pass, block or 3ds_or_block.`;
  }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) {
    throw badInput`${source}: "tags" must be a list of texts.`;
  }
  const moment = parseMoment(at);
  if (at !== null && moment === null) {
    throw badInput`${source}: "at" must be a time such as 2026-03-01T12:00:00Z or 2026-03-01 12:00:00 (UTC), or seconds or milliseconds since 1970.`;
  }
  if (outcome !== null && !isLabel(outcome)) {
    throw badInput`${source}: "outcome" must be ${LABEL_CHOICE}.`;
  }
  const was = verdictOf(answer);
  if (was === undefined) {
    throw badInput`${source}: "answer" must hold an outcome and a verdict, which is null unless the outcome is answered.`;
  }
  return { body: request, inside: true, name, expect, tags, at: moment, label: outcome, was };
}

/** The verdict of an answer, as `ENVELOPE` has it; undefined for one that says two things. */
function verdictOf(answer: unknown): Recommendation | null | undefined {
  if (answer === undefined) return null;
  if (!isJsonObject(answer)) return undefined;
  const { outcome, verdict } = answer;
  if (outcome === "answered" && isRecommendation(verdict)) return verdict;
  return verdict === null && OUTCOMES.some((each) => each === outcome && each !== "answered")
    ? null
    : undefined;
}

/** The time in the envelope of a payload that is not examined any further; null for none. */
export function timeOfPayload(value: unknown): Milliseconds | null {
  return isJsonObject(value) && Object.hasOwn(value, "request") ? parseMoment(value["at"]) : null;
}

/**
 * Reads one `path=value` word of `--set`. An empty value is the empty text; it does not remove the field.
 * @throws Fault("usage") for a word that names no field or holds no fitting value
 */
export function readChange(
  change: string,
  fields: readonly Field[],
): { path: string; value: string | number } {
  const equals = change.indexOf("=");
  const path = equals < 0 ? change : change.slice(0, equals);
  const field = fields.find((candidate) => candidate.path === path);
  if (equals < 0 || field === undefined) {
    throw new Fault(
      "usage",
      whole(
        equals < 0
          ? `--set takes path=value, and "${escapeText(change, 60)}" has no "="; write for example --set amount=12000.`
          : `--set does not know the field "${escapeText(path, 60)}"; the fields are ${fields.map((known) => known.path).join(", ")}.`,
      ),
    );
  }
  const read = readField(field, change.slice(equals + 1));
  if ("error" in read) throw usage`--set ${path}: ${whole(read.error)}`;
  return { path, value: read.value };
}
