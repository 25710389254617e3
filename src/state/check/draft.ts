// Reads the texts of the composer into a request, with findings per field and whether it was sent before. Pure.

import type { WhatIfAnswer } from "#src/actions/check/what-if.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS, checkFields } from "#src/contract/fields/check-fields.ts";
import type { Field, FieldContext, FieldValue, Finding } from "#src/contract/fields/field.ts";
import { asSentence, notPaymentProblem } from "#src/contract/fields/not-a-payment.ts";
import { readField, showField, validateBody } from "#src/contract/fields/validate.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { editText, type TextEdit } from "#src/display/text-edit.ts";
import type { VerdictKind } from "#src/display/verdict.ts";

/** What the composer held when it was sent, or what it was loaded from. */
export interface SentRequest {
  /** Row of the history. */
  readonly entryId: string;
  /** The request as text, to recognise that nothing has changed. */
  readonly text: string;
  readonly orderId: string | null;
  /** False where no verdict came: sending again is another attempt, and not the same answer. */
  readonly answered: boolean;
  /** The verdict that came; null where none did, or where it is not known here. */
  readonly verdict: Recommendation | null;
}

/** What the sandbox would answer to a request. */
export interface Prediction {
  readonly request: CheckRequest;
  readonly answer: WhatIfAnswer;
}

/** What is composed. */
export interface Composition {
  /** By dotted path, one for each field of the check. */
  readonly fields: Readonly<Record<string, TextEdit>>;
  /** What the fields were filled from, unknown keys included. */
  readonly base: CheckRequest;
  readonly sent: SentRequest | null;
  /** The payload that it was loaded from, for saving it again; null where it comes from elsewhere. */
  readonly payload: PayloadFacts | null;
  /** Name of another profile that it was made or sent for; null once it was sent here, and where it is of this one. */
  readonly origin: string | null;
}

/** The composition that shows a request. */
export function composition(
  request: CheckRequest,
  sent: SentRequest | null,
  payload: PayloadFacts | null = null,
  origin: string | null = null,
): Composition {
  const fields = CHECK_FIELDS.map((field): [string, TextEdit] => [
    field.path,
    editText(showField(field, getPath(request, field.path))),
  ]);
  return { fields: Object.fromEntries(fields), base: request, sent, payload, origin };
}

/** What a payload says beside its request. */
export type PayloadFacts = Omit<SavedPayload, "request">;

export interface Draft {
  /** Without the fields whose text cannot be read. */
  readonly request: CheckRequest;
  /** By dotted path, the worst one each. */
  readonly findings: ReadonlyMap<string, Finding>;
  /** What the values mean, by dotted path: `UAH, 2 decimals`. */
  readonly hints: ReadonlyMap<string, string>;
  /** The first error, which keeps the request from being sent. */
  readonly blocked: Finding | null;
  /** One sentence each; they do not keep the request from being sent. */
  readonly warnings: readonly string[];
  /** Set when nothing has changed since it was sent: the same request once more. */
  readonly repeats: SentRequest | null;
  /** The verdict that the sandbox predicts for it; null where it was not asked. */
  readonly predicted: VerdictKind | null;
}

export interface DraftContext {
  /** ms since the epoch, for expiry dates */
  readonly now: Milliseconds;
  readonly amountUnit: Profile["amountUnit"];
  readonly numbering?: CurrencyNumbering | undefined;
  /** As in `FieldContext`. */
  readonly strict?: boolean;
}

/** Reads the texts of a composition. An empty text leaves its field out. */
export function readDraft(
  composition: Composition & { readonly prediction?: Prediction | null },
  { now, amountUnit, numbering, strict = false }: DraftContext,
): Draft {
  const fields = checkFields(numbering);
  const errors: Finding[] = [];
  let body: Record<string, unknown> = {};
  for (const field of fields) {
    const { path } = field;
    const text = composition.fields[path]?.text ?? "";
    const before = getPath(composition.base, path);
    if (text === showField(field, before)) {
      body = setPath(body, path, before);
    } else if (text !== "") {
      const read = readField(field, text);
      if ("value" in read) body = setPath(body, path, read.value);
      else errors.push({ path, severity: "error", message: read.error });
    }
  }
  body = withUnknownKeys(body, composition.base);

  const card = cardFinding(body);
  if (card !== null) errors.push(card);
  const foreign = errors.length > 0 ? null : notPaymentProblem(body);
  if (foreign !== null) errors.push({ path: "", severity: "error", message: asSentence(foreign) });
  const findings = [...errors, ...validateBody(fields, body, { now, strict })].map(
    ({ message, ...finding }) => ({
      ...finding,
      message: labelled(message, fields),
    }),
  );
  const worst = new Map<string, Finding>();
  for (const finding of findings.toSorted((one, other) => RANK[one.severity] - RANK[other.severity])) {
    if (!worst.has(finding.path)) worst.set(finding.path, finding);
  }
  const shown = [...worst.values()];
  const { sent, prediction = null } = composition;
  const whole = JSON.stringify(body);
  return {
    request: body,
    findings: worst,
    hints: hintsFor(fields, body, { body, now, amountUnit }),
    blocked: shown.find((finding) => finding.severity === "error") ?? null,
    warnings: shown.filter((finding) => finding.severity === "warning").map((finding) => finding.message),
    repeats: sent?.text === whole ? sent : null,
    predicted: JSON.stringify(prediction?.request) === whole ? prediction!.answer.verdict : null,
  };
}

/** Fields by what the form calls them. */
function labelled(message: string, fields: readonly Field[]): string {
  return fields.reduce(
    (text, { path, label }) => (path.includes(".") ? text.replaceAll(path, label) : text),
    message,
  );
}

const RANK = { error: 0, warning: 1, note: 2 } as const;

/**
 * The composition as JSON for an editor: the request, or the envelope where it comes from a payload. A text that its field
 * cannot hold stays as it was typed.
 * @returns the text, or a finding where it holds what must not be written anywhere
 */
export function draftText(composition: Composition, draft: Draft): { readonly text: string } | Finding {
  let request: Record<string, unknown> = { ...draft.request };
  for (const { path } of CHECK_FIELDS) {
    const text = composition.fields[path]?.text ?? "";
    if (text !== "" && getPath(request, path) === undefined) request = setPath(request, path, text);
  }
  const card = cardFinding(request);
  if (card !== null) return card;
  const whole = composition.payload === null ? request : { ...composition.payload, request };
  return { text: `${JSON.stringify(whole, null, 2)}\n` };
}

/** A request as text without its order id, which differs from one check to the next. */
export function textWithoutOrder(request: CheckRequest): string {
  return JSON.stringify({ ...request, order_id: undefined });
}

/** Keys that no field has: sent as they were loaded. */
function withUnknownKeys(body: Record<string, unknown>, base: CheckRequest): Record<string, unknown> {
  const known = new Set(CHECK_FIELDS.map((field) => field.path));
  const parents = new Set(CHECK_FIELDS.flatMap((field) => field.path.split(".").slice(0, -1)));
  let whole = body;
  for (const [key, value] of Object.entries(base)) {
    if (parents.has(key) && isJsonObject(value)) {
      for (const [inner, part] of Object.entries(value)) {
        // A dot in a key would be read as a path of its own.
        if (known.has(`${key}.${inner}`)) continue;
        const inside = whole[key];
        whole = { ...whole, [key]: { ...(isJsonObject(inside) ? inside : {}), [inner]: part } };
      }
    } else if (!known.has(key)) whole = { ...whole, [key]: value };
  }
  return whole;
}

function cardFinding(body: unknown): Finding | null {
  const card = findCardData(body);
  if (card === null) return null;
  const path = escapeText(card.path);
  return {
    path: card.path,
    severity: "error",
    message:
      card.kind === "card_number"
        ? `${path} holds a full card number, which never belongs here; send bin_card and cin_card instead.`
        : `The key ${path} is not allowed, because card numbers and verification data never belong here; remove it.`,
  };
}

function hintsFor(fields: readonly Field[], body: unknown, context: FieldContext): Map<string, string> {
  const hints = new Map<string, string>();
  for (const field of fields) {
    const value = getPath(body, field.path);
    if (value === undefined || value === "" || field.hint === undefined) continue;
    const hint = field.hint(value as FieldValue, context);
    if (hint !== null) hints.set(field.path, hint);
  }
  return hints;
}
