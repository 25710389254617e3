// From payloads that were read to the items of a run: places, keys, and the sentences about what may not be sent.

import { Fault } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { asSentence, foreignTextProblem } from "#src/contract/fields/not-a-payment.ts";
import { payloadOf, type Payload } from "#src/contract/fields/payload.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError, type StrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { createSourceKeys } from "./source-keys.ts";

/** What a source knows about when and where a payment happened. */
export interface Recorded {
  /** Local wall time, or the time that the payload's envelope tells. */
  readonly at: Milliseconds;
  /** Virtual time of the decision, where a sandbox decided. */
  readonly virtualAt: Milliseconds | null;
  /** Profile and key of the project; null where a payload does not belong to one. */
  readonly place: { readonly profile: string; readonly project: string } | null;
}

export type SourceLine =
  | { readonly item: RunItem; /** Absent where nothing is known. */ readonly recorded?: Recorded }
  | { readonly rejected: RejectedLine };

/** What a source knows beyond the payload. */
export interface Known {
  readonly was: Recommendation | null;
  /** Key that the item had in the run it comes from. */
  readonly key?: string;
  readonly recorded?: Recorded;
}

const UNKNOWN_BEFORE: Known = { was: null };

/** Gathers what readers find, in order, until somebody takes it. */
export interface SourceItems {
  /** @param where tells the place of a fault in JSON: its line and column, counted from 1 inside the text */
  json(origin: string, text: string | Uint8Array, where: (line: number, column: number) => string): void;
  value(origin: string, parsed: StrictJson, known?: Known): void;
  /** @throws Fault("bad_input") when bad lines are not put up with */
  reject(origin: string, message: string): void;
  take(): readonly SourceLine[];
  /** Items and rejected lines so far. */
  readonly count: number;
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
    // A key or a name that is quoted in a sentence may be the very number that must not be shown.
    const shown =
      findCardData(message) === null ? message : "It holds a full card number, which never belongs here.";
    if (strict) throw new Fault("bad_input", `${origin}: ${shown}`);
    count += 1;
    gathered.push({ rejected: { origin, message: shown } });
  };

  const value = (origin: string, parsed: StrictJson, known: Known = UNKNOWN_BEFORE): void => {
    let payload: Payload;
    try {
      payload = payloadOf(parsed, origin, [], now, numbering);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return reject(origin, sentence(error.message, origin));
    }
    const { request, name, expect, tags, at, warnings } = payload;
    // The request was searched with the payload; what an envelope says about it is kept and shown as well.
    if ((name !== null || tags.length > 0) && findCardData({ name, tags }) !== null) {
      return reject(origin, "The name or a tag holds a full card number, which never belongs here.");
    }
    const key = keys.unique(known.key ?? (name || request.order_id || origin));
    seq += 1;
    count += 1;
    const bare = { seq, key, origin, request, expect, tags, was: known.was };
    const item = warnings.length === 0 ? bare : { ...bare, warnings };
    const recorded = known.recorded ?? (at === null ? undefined : { at, virtualAt: null, place: null });
    gathered.push(recorded === undefined ? { item } : { item, recorded });
  };

  return {
    value,
    reject,
    json: (origin, text, where) => {
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
    },
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

/** What `payloadOf` says about a source, without the source, which a rejected line has beside it. */
function sentence(message: string, origin: string): string {
  const bare = message.startsWith(`${origin}: `) ? message.slice(origin.length + 2) : message;
  return bare.replace(/^(?:a|it) /, (word) => word[0]!.toUpperCase() + word.slice(1));
}

/** A name of the user or of a folder, for places and sentences. */
export function shownName(name: string): string {
  return escapeText(name, 120);
}
