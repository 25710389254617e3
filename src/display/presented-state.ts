// Presenter mode: a copy of any state of the console with everything personal masked, independent of its
// shape. Screens pass it to their view-models; actions keep using the state itself.

import { STARTER_NAME } from "#src/contract/records/run.ts";
import type { PayloadRow } from "#src/contract/records/saved-payload.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { isPersonal, MASK, PUBLIC_FIELDS, redactRequest } from "./mask.ts";
import { maskedFilter, maskedMessage, maskedWords } from "./masked-words.ts";

/**
 * Property names of personal and customer data at any depth: the personal fields of a check by
 * their last part, free text of a merchant, and both halves of a credential. Merchant, order, BIN and amount are not masked.
 */
const MASKED_NAMES: ReadonlySet<string> = new Set(
  (
    "payer_ip email number_phone payer_id holder cin_card expiration_month expiration_year description note " +
    "keyId companyId projectId fingerprint key_id company_id project_id"
  ).split(" "),
);

/** Texts of forms that may be seen and changed while presenting, beside the public fields of a check; `secret` has a mask of its own. */
const SHOWN_TEXTS: ReadonlySet<string> = new Set(
  "merchant_id currency base_url projects_url credential_wait_s deadline_s concurrency rate secret".split(
    " ",
  ),
);

/** Whether an audience sees what is typed into a field of a form, by its path. */
export function isTypedInSight(path: string): boolean {
  return PUBLIC_FIELDS.has(path) || SHOWN_TEXTS.has(path);
}

/** Whether the value of a property is masked, by its name or its dotted path. */
function isMasked(name: string): boolean {
  return MASKED_NAMES.has(name) || isPersonal(name);
}

/**
 * A copy of a state with everything personal masked; the same copy for the same state, which must be immutable, and the same
 * list. Functions and instances of classes but errors stay as they are.
 * @param around what any text may be about, also in an object with its own request
 */
export function presentedState<T>(state: T, around: Requests = NO_REQUESTS): T {
  return presented(state, "", around) as T;
}

type Requests = readonly CheckRequest[];

const NO_REQUESTS: Requests = [];

/** Caches of copies by the requests around them; those around an object with its own request are the ones of the whole state. */
const copies = new WeakMap<Requests, WeakMap<object, unknown>>();

function presented(value: unknown, name: string, around: Requests): unknown {
  if (typeof value === "string") return presentedString(value, name, around);
  if (value instanceof Error) return new Error(maskedMessage(value.message, around));
  if (!isPlain(value)) return value;
  const outer = isRequest(ownRequest(value)) ? (everywhere.get(around) ?? around) : around;
  const known = copiesFor(outer);
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = copied(value, name, requestsOf(value, outer));
  known.set(value, copy);
  return copy;
}

function copiesFor(around: Requests): WeakMap<object, unknown> {
  const known = copies.get(around);
  if (known !== undefined) return known;
  const made = new WeakMap<object, unknown>();
  copies.set(around, made);
  return made;
}

/** Properties that hold text for people; elsewhere a single lower-case word is a code or an id. */
const TEXT_NAMES: ReadonlySet<string> = new Set(
  (
    "message explanation text why title key origin rawCode reason warnings problem problems fault " +
    "sources tags"
  ).split(" "),
);

/** Those of them that may quote what was typed. */
const MESSAGE_NAMES: ReadonlySet<string> = new Set("problem problems fault warnings sentence".split(" "));

/** Properties that hold the key of a project. */
const PROJECT_NAMES: ReadonlySet<string> = new Set("project projectKey held".split(" "));
const LABELLED = /^$|\/(?:low|medium|high)$/;

/** True for an id, as the key of a project without a label is, and which is masked; false for a key with one. */
export const isId = (key: string): boolean => !LABELLED.test(key);

/** Properties that hold an order id, as text or while it is edited: it is public, whatever is in it. */
const ORDER_NAMES: ReadonlySet<string> = new Set("orderId order_id".split(" "));

/** Properties that hold the place of a payment, of rules or of authorities: a file that a user named. */
const PLACE_NAMES: ReadonlySet<string> = new Set("origin sources file ca".split(" "));

const CODE = /^[a-z\d][a-z\d_]*$/;

function presentedString(text: string, name: string, around: Requests): string {
  if (name === "filter" || name === "search") return maskedFilter(text);
  if (PLACE_NAMES.has(name)) return maskedPlace(text);
  if (PROJECT_NAMES.has(name) && isId(text)) return MASK;
  if (MESSAGE_NAMES.has(name)) return maskedMessage(text, around);
  // Codes that control rendering must not change, even if a payer has the same name.
  if (CODE.test(text) && !TEXT_NAMES.has(name)) return text;
  return maskedWords(text, around);
}

/** `********:12`; a run and standard input are nobody's. */
function maskedPlace(place: string): string {
  if (place === "-" || place.startsWith("run:")) return place;
  const [, filter] = /^history:(.*)$/s.exec(place) ?? [];
  return filter === undefined
    ? `${MASK}${/:\d+$/.exec(place)?.[0] ?? ""}`
    : `history:${maskedFilter(filter)}`;
}

function copied(value: object, name: string, requests: Requests): unknown {
  // Items inherit the property name of their list.
  if (Array.isArray(value)) return value.map((part) => presented(part, name, requests));
  if (value instanceof Map) {
    return new Map(Array.from(value, ([key, part]) => [key, named(String(key), part, requests)]));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      const special = Object.hasOwn(SPECIAL, key) ? SPECIAL[key]!(part, value) : undefined;
      return [
        key,
        special === undefined
          ? named(key, key === "message" ? withoutPlace(part, value) : part, requests)
          : special,
      ];
    }),
  );
}

/** Properties that are shown otherwise in some objects, by what these have; undefined where they are as anywhere. */
const SPECIAL: Readonly<Record<string, (part: unknown, of: object) => unknown>> = {
  name: (part, of) => ("merchantId" in of && "riskLevel" in of ? hidden(part) : undefined),
  // What became of a payment is for those who judge rules, in counts; commands of their own are named by users.
  label: (part, of) =>
    isRequest(ownRequest(of)) || "orderId" in of || ("scope" in of && of.scope === "own")
      ? hidden(part)
      : undefined,
  // The key of an item is public as its order id, also where the item is one of two.
  key(part, of) {
    if (isRequest(ownRequest(of)) || partsOf(of).some(isRequest)) return part;
    return "riskLevel" in of && typeof part === "string" && isId(part) ? MASK : undefined;
  },
  choices: (part, of) =>
    "path" in of && PROJECT_NAMES.has(String(of.path)) ? presented(part, "project", NO_REQUESTS) : undefined,
  isolated: ruleFile,
  rules: ruleFile,
  // Of a request that the sandbox refused: it quotes keys.
  reason: (_, of) => ("key_id" in of ? null : undefined),
  // The saved payloads of the library, whose problems name their files.
  found: (part, of) =>
    "shelf" in of && of.shelf === "saved" ? (part as PayloadRow[]).map(nameless) : undefined,
  // The words of a filter, where they are found in a list.
  marks: () => [],
  signed: (part) =>
    isPlain(part)
      ? { ...part, notes: ["How it was signed is hidden while presenting."], lines: [] }
      : undefined,
};

function nameless(row: PayloadRow): PayloadRow {
  const problem = row.problem === null ? null : "It cannot be read.";
  return { ...row, name: MASK, tags: row.tags.map(() => MASK), problem };
}

/** The name of the rules that decided a run, or would, where they are of a file. */
function ruleFile(part: unknown): unknown {
  return typeof part === "string" && part !== STARTER_NAME ? hidden(part) : undefined;
}

/** The message of a rejected line repeats where it is, and that of wrong rules names their file. */
function withoutPlace(part: unknown, of: object): unknown {
  if ("excerpt" in of && typeof part === "string") return maskedMessage(part, []);
  const place = "origin" in of ? of.origin : null;
  return typeof place === "string" && typeof part === "string" && place !== ""
    ? part.replaceAll(place, maskedPlace(place))
    : part;
}

function named(name: string, part: unknown, requests: Requests): unknown {
  if (ORDER_NAMES.has(name) && (typeof part === "string" || isEdit(part))) return part;
  if (isMasked(name) || (isEdit(part) && !isTypedInSight(name))) return hidden(part);
  if (name === "values") return comparedValues(part, requests);
  // Only what is known to be public passes; the other names here are those of the console itself.
  if ((name === "request" || name === "base") && isPlain(part)) {
    return presented(redactRequest(part), name, requests);
  }
  return presented(part, name, requests);
}

/** The values that a rule compared, by their names in the rule, which are expressions: those of public terms alone. */
function comparedValues(values: unknown, requests: Requests): unknown {
  if (!isPlain(values) || Array.isArray(values)) return presented(values, "values", requests);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      maskedWords(name, requests),
      isPublicTerm(name) ? presented(value, "text", requests) : hidden(value),
    ]),
  );
}

/** Functions of rules that count, or tell of amounts and of the BIN. */
const PUBLIC_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "velocity distinct spent micro valued_before mean_before amount_run amount_eur money money_eur amount_major " +
    "minor_unit amount_limit bin_in"
  ).split(" "),
);

/** True for an expression of public fields, counts and parameters of the rule. */
function isPublicTerm(name: string): boolean {
  const words = name.replaceAll(/"[^"]*"/g, "").match(/[a-z_][\w.]*\(?/gi) ?? [];
  return words.every((word) => {
    if (word.endsWith("(")) return PUBLIC_FUNCTIONS.has(word.slice(0, -1));
    return word.includes(".") ? PUBLIC_FIELDS.has(word) : !MASKED_NAMES.has(word);
  });
}

/** Masks the whole value of a personal property. */
function hidden(part: unknown): unknown {
  if (part === null || part === undefined || part === "" || typeof part === "boolean") return part;
  if (!isPlain(part)) return MASK;
  // A text that is being edited: hide its length and its undo history as well.
  if (isEdit(part)) {
    const text = part.text === "" ? "" : MASK;
    return { ...part, text, cursor: text.length, past: [], future: [] };
  }
  // A finding says what its field takes.
  if ("severity" in part && "message" in part)
    return { ...part, message: maskedMessage(String(part.message), []) };
  return MASK;
}

function isEdit(part: unknown): part is { readonly text: string; readonly cursor: number } {
  return isPlain(part) && "text" in part && "cursor" in part;
}

/** The requests that texts in an object may be about: its own, and those of its parts. */
function requestsOf(value: object, around: Requests): Requests {
  const found = [ownRequest(value), ...partsOf(value)].filter(isRequest);
  return found.length === 0 ? around : joined(around, found);
}

function ownRequest(value: object): unknown {
  return "request" in value ? value.request : null;
}

function partsOf(value: object): unknown[] {
  if (Array.isArray(value) || value instanceof Map) return [];
  return Object.values(value).flatMap((part: unknown) => (isPlain(part) ? [ownRequest(part)] : []));
}

/** The last list by its last request: equal lists become one object, so that cached copies are found. */
const lists = new WeakMap<CheckRequest, Requests>();

/** The list of the whole state by each list that was joined to it. */
const everywhere = new WeakMap<Requests, Requests>();

function joined(around: Requests, found: Requests): Requests {
  const list = [...new Set([...around, ...found])];
  const last = list.at(-1)!;
  const known = lists.get(last);
  const whole = everywhere.get(around) ?? around;
  const isSame = known?.length === list.length && known.every((request, index) => request === list[index]);
  if (isSame && everywhere.get(known) === whole) return known;
  lists.set(last, list);
  everywhere.set(list, whole);
  return list;
}

function isRequest(value: unknown): value is CheckRequest {
  return isPlain(value) && !Array.isArray(value) && !(value instanceof Map);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) || value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
