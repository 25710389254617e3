// A run as a file that travels: a line of settings, one line an item, and a closing line that proves that nothing is cut or damaged.

import { createHash } from "node:crypto";
import { badInput, Fault } from "#src/contract/fault.ts";
import { isJsonObject, type JsonObject } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import { LABELS } from "#src/contract/records/label.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import {
  keptResult,
  ORDER_KEYS,
  readRunTime,
  resultOfKept,
  type RunHeader,
  type RunInfo,
  type RunPace,
  type RunRow,
  type RunState,
  type RunTime,
} from "#src/contract/records/run.ts";
import { parseStrictJson, StrictJsonError, type StrictJson } from "#src/contract/text/strict-json.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { isRecommendation } from "#src/contract/wire/recommendation.ts";
import { disarmedJson } from "#src/display/safe.ts";
import { LINE_LIMIT_BYTES } from "./sources/source-lines.ts";

/** Version of the form: the value of `verdict_run` in the first line. */
const FORM = 1;
const MOST_ITEMS = 2 ** 32;

/** The first line. */
export interface RunFileHead {
  readonly run: RunHeader;
  readonly state: RunState;
  readonly rejected: number;
  readonly durationMs: number;
  /** By which the items were decided, also where `run` leaves it to them. */
  readonly time?: RunTime | undefined;
}

/**
 * The lines of a run's file, each with its line feed; the same run gives the same bytes.
 * @param rows of the run, whole
 */
export async function* runFileLines(info: RunInfo, rows: AsyncIterable<RunRow>): AsyncGenerator<string> {
  const { state, summary, copyOf: _copyOf, ...run } = info;
  const { rejected = 0, durationMs = 0, time } = summary ?? {};
  const digest = createHash("sha256");
  const line = (value: unknown): string => {
    const text = `${disarmedJson(JSON.stringify(value))}\n`;
    digest.update(text);
    return text;
  };
  yield line({ verdict_run: FORM, run, state, rejected, durationMs, time });
  let items = 0;
  for await (const row of rows) {
    items += 1;
    yield line({ ...row, result: row.result === null ? null : keptResult(row.result) });
  }
  yield line({ items, sha256: digest.copy().digest("hex") });
}

/** A run's file while it is read. */
export interface RunFile {
  readonly head: RunFileHead;
  /** @throws Fault("bad_input") for a line that is no item, and after the last one for a file that is cut or damaged */
  readonly rows: AsyncIterable<RunRow>;
  /** Of all lines but the last, in hex; known after the last row. */
  checksum(): string;
}

/**
 * Reads a run's file in flat memory.
 * @param label name of the file in messages, escaped
 * @param numberingOf currency numbering of a profile by name
 * @throws Fault("bad_input") for a first line that is none, or of a later form
 */
export async function readRunFile(
  lines: AsyncIterator<{ readonly number: number; readonly text: string }>,
  label: string,
  numberingOf: (profile: string) => CurrencyNumbering | undefined,
): Promise<RunFile> {
  const digest = createHash("sha256");
  const first = await lines.next();
  const head = headOf(first.done === true ? null : read(first.value.text), label);
  digest.update(`${first.value.text}\n`);
  let checksum = "";

  async function* rows(): AsyncGenerator<RunRow> {
    let [items, last] = [0, 0];
    for (;;) {
      const next = await lines.next();
      if (next.done === true) {
        throw badInput`${label} is cut: its closing line is missing; export the run again.`;
      }
      const { number, text } = next.value;
      const found = read(text);
      if (found !== null && isJsonObject(found.value) && Object.hasOwn(found.value, "sha256")) {
        checksum = digest.digest("hex");
        const rest = await lines.next();
        if (found.value.items === items && found.value.sha256 === checksum && rest.done === true) return;
        throw badInput`${label} is damaged: its items are not those that its closing line counts; export the run again.`;
      }
      const row = rowOf(found, `${label}:${number}`, numberingOf(head.run.profile));
      if (row.seq <= last) throw damaged(`${label}:${number}`);
      last = row.seq;
      items += 1;
      digest.update(`${text}\n`);
      yield row;
    }
  }
  return { head, rows: rows(), checksum: () => checksum };
}

function read(text: string): StrictJson | null {
  try {
    return parseStrictJson(text, { maxBytes: LINE_LIMIT_BYTES });
  } catch (error) {
    if (error instanceof StrictJsonError) return null;
    throw error;
  }
}

function headOf(parsed: StrictJson | null, label: string): RunFileHead {
  const value = parsed?.value;
  if (!isJsonObject(value) || !Object.hasOwn(value, "verdict_run")) {
    throw badInput`${label} is no exported run; "verdict run export RUN" makes one.`;
  }
  if (value.verdict_run !== FORM) {
    throw badInput`${label} has a form that this version of verdict cannot read; update verdict.`;
  }
  const { verdict_run: _form, ...head } = value;
  if (!fits(head, HEAD)) throw damaged(`${label}:1`);
  return head as unknown as RunFileHead;
}

function rowOf(parsed: StrictJson | null, place: string, numbering: CurrencyNumbering | undefined): RunRow {
  if (parsed === null || !fits(parsed.value, ROW)) throw damaged(place);
  const { result } = parsed.value;
  const row = {
    ...parsed.value,
    result: isJsonObject(result) ? resultOfKept(result) : null,
  } as unknown as RunRow;
  // The request is searched by `payloadOf`.
  if (findCardData({ key: row.key, tags: row.tags }) !== null) {
    throw badInput`${place}: its key or a tag holds a full card number, which never belongs here.`;
  }
  payloadOf({ ...parsed, value: { request: row.request } }, place, [], row.at, numbering);
  return row;
}

function damaged(place: string): Fault {
  return badInput`${place} is damaged, or of a later version of verdict; export the run again.`;
}

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const figure: Test = (value) => typeof value === "number" && value >= 0;
const whole: Test = (value) => Number.isSafeInteger(value) && figure(value);
const runTime: Test = (value) => typeof value === "string" && readRunTime(value) !== null;
const verdict: Test = (value) => value === null || isRecommendation(value);
const matching =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const oneOf =
  (...words: readonly unknown[]): Test =>
  (value) =>
    words.includes(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const absentOr =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const nullOr =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const record =
  (shape: Readonly<Record<string, Test>>): Test =>
  (value) =>
    fits(value, shape);

/** True for an object of these fields and no other. */
function fits(value: unknown, shape: Readonly<Record<string, Test>>): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return (
    Object.keys(value).every((key) => Object.hasOwn(shape, key)) &&
    Object.entries(shape).every(([key, test]) => test(value[key]))
  );
}

/** `satisfies`, so that a new field of a run is not forgotten here. */
const HEADER = {
  id: matching(/^[0-9A-Za-z_-]{1,64}$/),
  at: whole,
  profile: text,
  project: text,
  amountUnit: oneOf("minor", "major"),
  sources: listOf(text),
  baseline: nullOr(text),
  freshOrderIds: flag,
  pace: absentOr(
    record({
      concurrency: whole,
      ratePerS: nullOr(figure),
      orderBy: absentOr(listOf(oneOf(...ORDER_KEYS))),
    } satisfies Record<keyof RunPace, Test>),
  ),
  time: absentOr(runTime),
  shard: absentOr(record({ part: whole, of: whole })),
  shards: absentOr(whole),
  isolated: absentOr(text),
  rulesHash: absentOr(matching(/^[0-9a-f]{64}$/)),
  ignoredColumns: absentOr(listOf(text)),
  onlyTags: absentOr(listOf(text)),
  skipTags: absentOr(listOf(text)),
} satisfies Record<Exclude<keyof RunHeader, "copyOf">, Test>;

const HEAD = {
  run: record(HEADER),
  state: oneOf("complete", "partial"),
  rejected: whole,
  durationMs: figure,
  time: absentOr(runTime),
} satisfies Record<keyof RunFileHead, Test>;

const RESULT = {
  outcome: oneOf(...OUTCOMES),
  recommendation: verdict,
  message: nullOr(text),
  reason: nullOr(text),
  explanation: text,
  httpStatus: nullOr(whole),
  latencyMs: nullOr(figure),
  attempts: whole,
  decisionId: nullOr(text),
  repeated: absentOr(oneOf(true)),
  score: absentOr((value) => Number.isFinite(value)),
  rules: absentOr(listOf(text)),
} satisfies Record<keyof ReturnType<typeof keptResult>, Test>;

const ROW = {
  seq: (value) => whole(value) && Number(value) >= 1 && Number(value) < MOST_ITEMS,
  key: text,
  origin: text,
  request: isJsonObject,
  expect: verdict,
  tags: listOf(text),
  was: verdict,
  time: absentOr(whole),
  label: absentOr(oneOf(...LABELS)),
  at: whole,
  result: nullOr(record(RESULT)),
} satisfies Record<Exclude<keyof RunRow, "warnings">, Test>;
