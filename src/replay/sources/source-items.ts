// Turns parsed payloads into the items of a run, with origin and key, or into rejected lines with a reason.

import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { asSentence, foreignTextProblem } from "#src/contract/fields/not-a-payment.ts";
import { payloadOf, timeOfPayload, type Payload } from "#src/contract/fields/payload.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError, type StrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { createSourceKeys } from "./source-keys.ts";

/** When and where a payment was checked before, if the source knows. */
export interface Recorded {
  /** Local wall time, or the time in the payload's envelope. */
  readonly at: Milliseconds;
  /** Virtual time of the decision, where a sandbox decided. */
  readonly virtualAt: Milliseconds | null;
  /** Profile and project key; null for a payload without. */
  readonly place: { readonly profile: string; readonly project: string } | null;
}

export type SourceLine =
  | { readonly item: RunItem; /** Absent where nothing is known. */ readonly recorded?: Recorded }
  | { readonly rejected: RejectedLine };

/** What the source says in addition to the payload: the item of an earlier run, or the time of an entry. */
type SourceFacts = Partial<Pick<RunItem, "was" | "key" | "time">> & { readonly recorded?: Recorded };

export const NO_IRREGULAR_NUMBERS: ReadonlyMap<string, string> = new Map();

/** Takes what the readers of the formats find. */
export interface SourceSink {
  /** @param where describes the position of a JSON error: line and column, from 1, inside the text */
  json(origin: string, text: string | Uint8Array, where: (line: number, column: number) => string): void;
  value(origin: string, parsed: StrictJson, facts?: SourceFacts): void;
  /** @throws Fault("bad_input") in strict mode */
  reject(origin: string, message: string): void;
  /** Items and rejected lines so far. */
  readonly count: number;
}

/** Collects in order, until it is taken, what the payloads become. */
export interface SourceItems<T = SourceLine> extends SourceSink {
  take(): readonly T[];
}

export function createSourceItems(options: {
  readonly strict: boolean;
  readonly now: Milliseconds;
  readonly numbering?: CurrencyNumbering | undefined;
}): SourceItems {
  const { strict, now, numbering } = options;
  const keys = createSourceKeys();
  let seq = 0;
  let count = 0;
  let gathered: SourceLine[] = [];

  const reject = (origin: string, message: string): void => {
    // The sentence may quote a key or a name that is itself a card number.
    const shown =
      findCardData(message) === null ? message : "It holds a full card number, which never belongs here.";
    if (strict) throw badInput`${origin}: ${whole(shown)}`;
    count += 1;
    gathered.push({ rejected: { origin, message: shown } });
  };

  const value = (origin: string, parsed: StrictJson, facts: SourceFacts = {}): void => {
    let payload: Payload;
    try {
      payload = payloadOf(parsed, origin, [], now, numbering);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return reject(origin, sentence(error.message, origin));
    }
    const { request, name, expect, tags, at, label, was, warnings } = payload;
    // The request was searched by `payloadOf`; name and tags are stored and shown as well.
    if ((name !== null || tags.length > 0) && findCardData({ name, tags }) !== null) {
      return reject(origin, "The name or a tag holds a full card number, which never belongs here.");
    }
    const key = keys.unique(facts.key ?? (name || request.order_id || origin));
    seq += 1;
    count += 1;
    const time = facts.time ?? at;
    const item = {
      seq,
      key,
      origin,
      request,
      expect,
      tags,
      was: facts.was ?? was,
      ...(time === null ? {} : { time }),
      ...(label === null ? {} : { label }),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    const recorded = facts.recorded ?? (at === null ? undefined : { at, virtualAt: null, place: null });
    gathered.push(recorded === undefined ? { item } : { item, recorded });
  };

  return {
    value,
    reject,
    json: jsonOf(value, reject),
    take: () => {
      const taken = gathered;
      gathered = [];
      return taken;
    },
    get count() {
      return count;
    },
  };
}

/** The reader of JSON texts of a sink. */
export function jsonOf(value: SourceSink["value"], reject: SourceSink["reject"]): SourceSink["json"] {
  return (origin, text, where) => {
    let parsed: StrictJson;
    try {
      parsed = parseStrictJson(text, { bom: "refuse" });
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      const foreign = foreignTextProblem(text);
      if (foreign !== null) return reject(origin, asSentence(foreign));
      const problem = error.message.replace(/^Line \d+, column \d+: /, "");
      return reject(origin, `${where(error.line, error.column)}: ${problem}`);
    }
    value(origin, parsed);
  };
}

/**
 * Collects only when each payment happened, in a fifth of the time: some of what items would reject has a time here, nothing
 * that they would take has none or another one.
 */
export function createSourceTimes(): SourceItems<Recorded | undefined> {
  let count = 0;
  let gathered: (Recorded | undefined)[] = [];
  const value: SourceSink["value"] = (_origin, parsed, { recorded } = {}) => {
    count += 1;
    const at = recorded === undefined ? timeOfPayload(parsed.value) : null;
    gathered.push(at === null ? recorded : { at, virtualAt: null, place: null });
  };
  return {
    value,
    json: (origin, text) => {
      try {
        const parsed: unknown = JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text));
        value(origin, { value: parsed, irregularNumbers: NO_IRREGULAR_NUMBERS });
      } catch {
        count += 1;
      }
    },
    reject: () => void (count += 1),
    take: () => {
      const taken = gathered;
      gathered = [];
      return taken;
    },
    get count() {
      return count;
    },
  };
}

/** A sentence of `payloadOf` without its origin, which a rejected line has in its own field. */
function sentence(message: string, origin: string): string {
  const bare = message.startsWith(`${origin}: `) ? message.slice(origin.length + 2) : message;
  return bare.replace(/^(?:a|it) /, (word) => word[0]!.toUpperCase() + word.slice(1));
}

/** A file name or source for messages. */
export function shownName(name: string): string {
  return escapeText(name, 120);
}
