// Fault injection of the sandbox: orders, their command-line syntax and their description in words.

import { Fault, whole } from "#src/contract/fault.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "./clock.ts";
import type { Call } from "./wire.ts";

/** Delay of an answer. A normal distribution is cut off at zero and at four deviations. */
export type Latency =
  | { readonly shape: "fixed"; readonly ms: Milliseconds }
  | { readonly shape: "uniform"; readonly fromMs: Milliseconds; readonly toMs: Milliseconds }
  | { readonly shape: "normal"; readonly meanMs: Milliseconds; readonly deviationMs: Milliseconds };

/**
 * `status` and `reset` happen before the decision; the others change or delay the answer of a request that was decided.
 */
export type FaultEffect =
  | { readonly do: "status"; readonly status: number; readonly retryAfterS: number | null }
  | { readonly do: "reset" }
  | { readonly do: "latency"; readonly latency: Latency }
  | { readonly do: "slow_body"; readonly overMs: Milliseconds }
  | { readonly do: "truncated" | "duplicate_keys" | "garbage" | "timeout" };

export interface FaultOrder {
  readonly on: Call | "all";
  readonly effect: FaultEffect;
  /** Share of the requests it applies to, above 0 and up to 1. */
  readonly rate: number;
  /** How often it is injected; null without a limit. */
  readonly count: number | null;
}

/** An active order. */
export interface FaultReading extends FaultOrder {
  readonly id: string;
  readonly made: number;
}

/** As typed: `add check 503 --rate 0.2 --count 10 --retry-after 5`, `add all latency 100ms..400ms`. */
export interface FaultWords {
  readonly on: string | undefined;
  readonly what: string | undefined;
  readonly value: string | undefined;
  readonly rate: string | undefined;
  readonly count: string | undefined;
  readonly retryAfter: string | undefined;
}

export const FAULT_PLACES = ["check", "register", "credential", "all"] as const;

/** Kinds of fault that have a name; a status is its number. */
export const FAULT_KINDS = [
  "latency",
  "reset",
  "slow-body",
  "truncated",
  "duplicate-keys",
  "garbage",
  "timeout",
] as const;

/** Longest latency or slow body, and longest time without an answer. */
export const LONGEST_FAULT_MS: Milliseconds = 120_000;
const SLOW_BODY_MS: Milliseconds = 5_000;

/** Reads a typed order. @throws Fault("usage") */
export function readFault(words: FaultWords): FaultOrder {
  const on = FAULT_PLACES.find((place) => place === words.on);
  if (on === undefined) {
    throw wrong(`A fault needs its place: ${FAULT_PLACES.join(", ")}, not "${shown(words.on)}".`);
  }
  const rate = words.rate === undefined ? 1 : Number(words.rate);
  if (!(rate > 0 && rate <= 1)) {
    throw wrong(`--rate takes a share above 0 and up to 1, such as 0.2, not "${shown(words.rate)}".`);
  }
  const effect = readEffect(words);
  if (words.retryAfter !== undefined && effect.do !== "status") {
    throw wrong("--retry-after belongs to a status, such as 429 or 503.");
  }
  return {
    on,
    effect,
    rate,
    count: words.count === undefined ? null : wholeNumber(words.count, "--count", 1, 1e9),
  };
}

function readEffect({ what, value, retryAfter }: FaultWords): FaultEffect {
  const none = (effect: FaultEffect): FaultEffect => {
    if (value === undefined) return effect;
    throw wrong(`"${shown(what)}" takes no value, and got "${shown(value)}".`);
  };
  switch (what) {
    case "latency":
      return { do: "latency", latency: readLatency(value) };
    case "slow-body":
      return { do: "slow_body", overMs: value === undefined ? SLOW_BODY_MS : duration(value) };
    case "duplicate-keys":
      return none({ do: "duplicate_keys" });
    case "reset":
    case "truncated":
    case "garbage":
    case "timeout":
      return none({ do: what });
    default: {
      if (what === undefined || !/^[45]\d\d$/.test(what)) {
        throw wrong(
          `A fault is a status from 400 to 599, or one of ${FAULT_KINDS.join(", ")}, not "${shown(what)}".`,
        );
      }
      const retryAfterS =
        retryAfter === undefined ? null : wholeNumber(retryAfter, "--retry-after", 0, 86_400);
      return none({ do: "status", status: Number(what), retryAfterS });
    }
  }
}

function readLatency(text: string | undefined): Latency {
  const [, first, sign, second] = /^([^.~]+)(?:(\.\.|~)([^.~]+))?$/.exec(text ?? "") ?? [];
  if (first === undefined) {
    throw wrong(
      `latency takes a duration: 200ms, or 100ms..400ms evenly, or 200ms~50ms around a mean, not "${shown(text)}".`,
    );
  }
  if (second === undefined) return { shape: "fixed", ms: duration(first) };
  if (sign === "~") return { shape: "normal", meanMs: duration(first), deviationMs: duration(second) };
  const [fromMs, toMs] = [duration(first), duration(second)];
  if (fromMs > toMs) throw wrong(`A latency goes from the shorter to the longer time, not "${shown(text)}".`);
  return { shape: "uniform", fromMs, toMs };
}

function duration(text: string): Milliseconds {
  const ms = parseDuration(text);
  if (ms !== null && ms <= LONGEST_FAULT_MS) return ms;
  throw wrong(
    `A time of a fault is a duration such as 200ms or 5s, up to ${LONGEST_FAULT_MS / 1000} s, not "${shown(text)}".`,
  );
}

function wholeNumber(text: string, flag: string, min: number, max: number): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw wrong(`${flag} takes a whole number from ${min} to ${max}, not "${shown(text)}".`);
}

/** What a fault does, in a few words. */
export function faultText({ effect }: Pick<FaultOrder, "effect">): string {
  switch (effect.do) {
    case "status": {
      const wait = effect.retryAfterS === null ? "" : `, Retry-After ${effect.retryAfterS} s`;
      return `status ${effect.status}${wait}`;
    }
    case "latency":
      return `latency ${latencyText(effect.latency)}`;
    case "slow_body":
      return `slow body, over ${milliseconds(effect.overMs)}`;
    case "reset":
      return "connection reset";
    case "truncated":
      return "truncated body";
    case "duplicate_keys":
      return "duplicate keys in the body";
    case "garbage":
      return "a body that is not JSON";
    case "timeout":
      return "no answer";
  }
}

function latencyText(latency: Latency): string {
  switch (latency.shape) {
    case "fixed":
      return milliseconds(latency.ms);
    case "uniform":
      return `${milliseconds(latency.fromMs)} to ${milliseconds(latency.toMs)}`;
    case "normal":
      return `around ${milliseconds(latency.meanMs)}, deviation ${milliseconds(latency.deviationMs)}`;
  }
}

function milliseconds(ms: Milliseconds): string {
  return ms >= 1000 && ms % 100 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** How often a fault is injected, in a few words. */
export function faultShareText({ rate, count, made }: FaultReading): string {
  const share = rate === 1 ? "every request" : `${Math.round(rate * 10_000) / 100}% of the requests`;
  return count === null ? share : `${share}, ${Math.max(0, count - made)} of ${count} left`;
}

/** Reads an order from the administrative plane. @throws Fault("usage") */
export function checkFaultOrder(value: unknown): FaultOrder {
  const { on, effect, rate, count } = (value ?? {}) as Record<string, unknown>;
  const given = (effect ?? {}) as Record<string, unknown>;
  const kind = wordOf(given["do"] ?? "nothing").replaceAll("_", "-");
  const text = (part: unknown): string | undefined =>
    part === undefined || part === null ? undefined : wordOf(part);
  return readFault({
    on: text(on),
    what: kind === "status" ? text(given["status"]) : kind,
    value: kind === "latency" ? latencyWord(given["latency"]) : wordOfMs(given["overMs"]),
    rate: text(rate),
    count: text(count),
    retryAfter: text(given["retryAfterS"]),
  });
}

function latencyWord(value: unknown): string | undefined {
  const { shape, ms, fromMs, toMs, meanMs, deviationMs } = (value ?? {}) as Record<string, unknown>;
  if (shape === "fixed") return wordOfMs(ms);
  if (shape === "uniform") return `${wordOfMs(fromMs)}..${wordOfMs(toMs)}`;
  return shape === "normal" ? `${wordOfMs(meanMs)}~${wordOfMs(deviationMs)}` : undefined;
}

function wordOfMs(value: unknown): string | undefined {
  return value === undefined ? undefined : `${wordOf(value)}ms`;
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(text: string | undefined): string {
  return escapeText(text ?? "nothing", 40);
}

function wrong(sentence: string): Fault {
  return new Fault("usage", whole(sentence));
}
