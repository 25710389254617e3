// The type of a request field. One table of fields feeds forms, `--set` paths, validation, OpenAPI and the sandbox's checks.

import type { Milliseconds } from "#src/contract/wire/clock.ts";

/**
 * - `error`: must not be sent; the service refuses it
 * - `warning`: may be sent, but is probably not what was meant
 * - `note`: accepted, and worth knowing
 */
export type Severity = "error" | "warning" | "note";

/** `message` is one sentence that names the field and never repeats its value. */
export interface Finding {
  /** Dotted path, e.g. `payer.email`; empty for the body itself. */
  readonly path: string;
  readonly severity: Severity;
  readonly message: string;
}

/** What is wrong with a value, worded to follow the field's name: `must be 1 to 12`. */
export interface Problem {
  readonly severity: Severity;
  readonly text: string;
}

/** Context of a field's check and hint, in addition to the value. */
export interface FieldContext {
  /** The whole body, not validated. */
  readonly body: unknown;
  /** ms since the epoch; dates are judged in UTC. */
  readonly now: Milliseconds;
  /** Unit of `amount`; the profile's. */
  readonly amountUnit: "minor" | "major";
  /** Numbers that no standard knows are errors, as in the sandbox; a service may have its own. */
  readonly strict?: boolean;
}

export type FieldValue = string | number;

export interface Field {
  /** Dotted path in the body, e.g. `payer.email`. */
  readonly path: string;
  readonly label: string;
  /** Heading under which forms show it. */
  readonly group: string;
  readonly type: "string" | "integer";
  /** True where the sandbox refuses a body without it, and the client warns. */
  readonly required: boolean;
  /** Characters (code points), for texts. */
  readonly maxLength?: number;
  /** Bounds, both inclusive, for integers. */
  readonly min?: number;
  readonly max?: number;
  /** A range between `min` and `max` that is refused, ends included, and the problem to report. */
  readonly gap?: { readonly from: number; readonly to: number; readonly text: string };
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** The numbers of the standard; `check` says of the others what was probably meant. */
  readonly numbers?: readonly number[];
  /** Syntax of a non-empty text, and the problem to report. The regex matches the whole text. */
  readonly pattern?: {
    readonly regex: RegExp;
    readonly text: string;
    /** Cheap test that accepts most valid texts, so that the regex rarely runs. */
    readonly isUsual?: (text: string) => boolean;
  };
  /** JSON Schema formats, one of which a non-empty text has; `check` decides. */
  readonly formats?: readonly ("ipv4" | "ipv6")[];
  /** Values a form offers; any other is fine too. */
  readonly suggestions?: readonly string[];
  /** An integer that is typed and shown with leading zeros up to this many digits, and sent without. */
  readonly digits?: number;
  /** One sentence. */
  readonly help: string;
  /** One sentence on what is sent, where `help` speaks of what may be typed. */
  readonly sent?: string;
  /** A value that fits, as it is sent. */
  readonly example: FieldValue;
  /** Integers only: reads a way of writing the value other than digits, e.g. `UAH`; null when it is none. */
  readonly read?: (text: string) => number | null;
  /** What is wrong with a text that `read` does not accept, where that can be said; null otherwise. */
  readonly unread?: (text: string) => string | null;
  /** What `read` accepts, for error messages: `three letters such as UAH`. */
  readonly reads?: string;
  /** Further check; called only for values that fit type, bounds, choices, gap and pattern. */
  readonly check?: (value: FieldValue, context: FieldContext) => Problem | null;
  /** What a value means, e.g. `UAH, 2 decimals`; null when there is nothing to say. */
  readonly hint?: (value: FieldValue, context: FieldContext) => string | null;
}
