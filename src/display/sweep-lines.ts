// A sweep as a chart and in words for both front ends: which verdict each range of values gets, and where it changes. Pure.

import { setPath } from "#src/contract/fields/body-path.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field, FieldValue } from "#src/contract/fields/field.ts";
import { showField } from "#src/contract/fields/validate.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import {
  fractionOf,
  scaleOf,
  type SweepPoint,
  type SweepResult,
  type SweepStretch,
  type SweepVerdict,
} from "#src/contract/records/sweep.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { counted } from "./count.ts";
import { isPersonal, MASK } from "./mask.ts";
import { maskedWords } from "./masked-words.ts";
import { formatMoney } from "./money.ts";
import { safe } from "./safe.ts";
import { SIGN, signText, type Ascii } from "./sign.ts";
import type { HangingLine, RoleSpan } from "./span.ts";
import { verdictLabel, VERDICTS, type VerdictKind } from "./verdict.ts";

export interface SweepOptions {
  /** Columns of the verdict and its bar. */
  readonly width: number;
  readonly ascii: Ascii;
  readonly unit: AmountUnit;
  /** Presenter mode: personal values and texts are masked. */
  readonly masked: boolean;
  /** Words of the verdicts, where they are not the English ones. */
  readonly say?: (kind: VerdictKind) => string;
}

export function sweepLines(result: SweepResult, options: SweepOptions): HangingLine[] {
  const field = CHECK_FIELDS.find(({ path }) => path === result.field)!;
  const naming = { result, field, options };
  const body = result.values.kind === "range" ? rangeLines(naming) : listLines(naming);
  const stopped =
    result.stopped === null
      ? []
      : [
          plain(
            [{ text: `${sign("warning", options)} `, role: "warning" }],
            safe(hidden(result.stopped, result.request, options)),
          ),
        ];
  return [plain([], summary(naming)), ...(body.length === 0 ? [] : [plain([], ""), ...body]), ...stopped];
}

interface Naming {
  readonly result: SweepResult;
  readonly field: Field;
  readonly options: SweepOptions;
}

const plain = (fixed: readonly RoleSpan[], text: string): HangingLine => ({ fixed, text });

function sign(name: keyof typeof SIGN, { ascii }: Pick<SweepOptions, "ascii">): string {
  return signText(SIGN[name], ascii);
}

/** `Amount from 10.00 EUR to 5 000.00 EUR for demo-shop/medium: 93 questions to the sandbox, nothing counted.` */
function summary(naming: Naming): string {
  const { result, field } = naming;
  const { values, asked, real, points } = result;
  const what =
    values.kind === "range"
      ? `${field.label} from ${nameOf(values.from, naming)} to ${nameOf(values.to, naming)}`
      : `${field.label}, ${counted(values.values.length, "value")}`;
  const project = safe(result.project, { max: 60 });
  const done = real
    ? `${counted(asked, "check")} sent through ${safe(result.profile, { max: 40 })}`
    : `${counted(asked, "question")} to the sandbox, nothing counted`;
  const whole = points.length === 0 ? " Nothing was tried." : "";
  return `${what}${project === "" ? "" : ` for ${project}`}: ${done}.${whole}`;
}

/** For each stretch a bar where it lies in the range, with its values and why below; then the ends of the range. */
function rangeLines(naming: Naming): HangingLine[] {
  const { result, options } = naming;
  const { stretches, values, points } = result;
  if (values.kind !== "range" || points.length === 0) return [];
  const told = stretches.map((stretch, index) => stretchLine(stretch, index, stretches[index + 1], naming));
  // Such as a round amount.
  const untried = points.length > values.to - values.from ? [] : [plain([], UNTRIED)];
  // A chart is nothing to hear.
  if (options.ascii === "words") return [...told, ...untried];
  const width = Math.max(LEAST_BAR, options.width - LABEL);
  const at = (value: FieldValue): number => Math.round(fractionOf(Number(value), values) * width);
  const ends = stretches.map(({ to }, index) => at(stretches[index + 1]?.from.value ?? to.value));
  return [
    ...told.flatMap(({ fixed, text }, index): HangingLine[] => {
      const { from } = stretches[index]!;
      const bar = barCells(Math.min(width - 1, at(from.value)), ends[index]!, width, from.verdict, options);
      return [plain([...fixed, ...bar], ""), plain([{ text: " ".repeat(LABEL) }], text)];
    }),
    plain([{ text: " ".repeat(LABEL) }, { text: axisText(values, width, naming), role: "quiet" }], ""),
    ...untried,
  ];
}

/** Of two values that were tried the one changes nothing, and between them two changes go unseen. */
export const UNTRIED = "A value between two that were tried may get another verdict.";

/** Shortest bar that still shows where a stretch lies. */
const LEAST_BAR = 14;

function barCells(
  from: number,
  to: number,
  width: number,
  verdict: SweepVerdict,
  options: SweepOptions,
): RoleSpan[] {
  const end = Math.max(from + 1, Math.min(width, to));
  const thin = sign("horizontal", options);
  return [
    { text: thin.repeat(from), role: "quiet" },
    { text: sign("heavy", options).repeat(end - from), role: VERDICTS[verdict].role },
    { text: thin.repeat(width - end), role: "quiet" },
  ];
}

/** Names of an axis on which every column multiplies the value; the longest that has room. */
const SCALES = ["logarithmic scale", "logarithmic", "log"];

/** The ends of the range below the ends of the bars. */
function axisText(
  values: { readonly from: number; readonly to: number },
  width: number,
  naming: Naming,
): string {
  const [from, to] = [nameOf(values.from, naming), nameOf(values.to, naming)];
  const free = Math.max(1, width - from.length - to.length);
  const scale = (scaleOf(values) === "growing" && SCALES.find((name) => name.length + 2 <= free)) || "";
  const left = Math.floor((free - scale.length) / 2);
  return from + " ".repeat(left) + scale + " ".repeat(free - scale.length - left) + to;
}

/** `◆ 3DS  from 250.01 EUR on: AMOUNT_OVER_SCA now hits. Worth 250.01 EUR ...` */
function stretchLine(
  stretch: SweepStretch,
  index: number,
  next: SweepStretch | undefined,
  naming: Naming,
): HangingLine {
  const { options } = naming;
  const { from, to, exact } = stretch;
  const kind = VERDICTS[from.verdict];
  const alone = from.value === to.value && (next !== undefined || index > 0);
  const start = nameOf(from.value, naming);
  const where = alone
    ? `at ${start}`
    : next === undefined
      ? index === 0
        ? "everywhere"
        : `from ${start} on`
      : `${start} to ${nameOf(to.value, naming)}`;
  const doubt = exact ? "" : " (somewhere after the value before)";
  return plain(
    [{ text: labelOf(from.verdict, options), role: kind.role }],
    `${where}${doubt}: ${why(stretch, naming.result.stretches[index - 1], next, naming)}`,
  );
}

/** Columns of `⊘ REFUSED`. */
const LABEL = 10;

function labelOf(verdict: SweepVerdict, { ascii, say }: SweepOptions): string {
  return `${verdictLabel(verdict, ascii, say?.(verdict)).padEnd(LABEL - 1)} `;
}

/** How strict a recommendation is; other outcomes cannot be compared. */
const STRICTNESS: Partial<Record<SweepVerdict, number>> = { pass: 0, "3ds_or_block": 1, block: 2 };

/** The rules that changed, by code, and the strongest reason in words. */
function why(
  { from, ...changed }: SweepStretch,
  before: SweepStretch | undefined,
  next: SweepStretch | undefined,
  naming: Naming,
): string {
  // The first stretch is what it is by a rule that stops where the next one begins.
  const at = before === undefined ? tippingRule(from, (code) => next?.lost.includes(code) === true) : 0;
  const reason =
    from.reason === null ? "no rule has an objection" : reasonOf(from, naming, at).replace(/\.$/, "");
  const strongest = from.codes?.[at];
  const named = strongest === undefined || reason === "" ? reason : `${strongest}, ${reason}`;
  // A stricter verdict is explained by rules that begin to hit, a milder one by rules that stop.
  const stricter = (STRICTNESS[from.verdict] ?? NaN) - (STRICTNESS[before?.to.verdict ?? "unknown"] ?? NaN);
  const gained = stricter < 0 && changed.lost.length > 0 ? [] : changed.gained;
  const lost = stricter > 0 && changed.gained.length > 0 ? [] : changed.lost;
  const changes = [
    ...(gained.length === 0 ? [] : [`${gained.join(", ")} now ${gained.length === 1 ? "hits" : "hit"}`]),
    ...(lost.length === 0 ? [] : [`${lost.join(", ")} no longer ${lost.length === 1 ? "hits" : "hit"}`]),
  ];
  if (before === undefined || changes.length === 0) return `${named}.`;
  // Name a rule once if it both begins to hit and is the strongest.
  if (gained.length === 1 && gained[0] === strongest && lost.length === 0)
    return `${strongest} now hits, ${reason}.`;
  return `${changes.join("; ")}. Strongest: ${named}.`;
}

/** Index of the strongest rule for which `tips` holds, else of the strongest. */
function tippingRule({ codes, reasons }: SweepPoint, tips: (code: string) => boolean): number {
  return reasons === undefined ? 0 : Math.max(0, codes?.findIndex(tips) ?? 0);
}

/** @param at index of the rule */
function reasonOf({ value, ...point }: SweepPoint, { result, options }: Naming, at: number): string {
  const reason = point.reasons?.[at] ?? point.reason;
  if (reason === null) return "";
  const request = setPath({ ...result.request }, result.field, value) as CheckRequest;
  return safe(hidden(reason, request, options), { max: 300 });
}

function hidden(text: string, request: CheckRequest, { masked }: SweepOptions): string {
  return masked ? maskedWords(text, [request]) : text;
}

/** One line for each value: what it is, what it means, its verdict, and why. */
function listLines(naming: Naming): HangingLine[] {
  const { result, options } = naming;
  const rows = result.points.map((point) => ({ point, name: listName(point.value, naming) }));
  const widest = Math.min(MOST_NAME, Math.max(0, ...rows.map(({ name }) => name.length)));
  // What no value with another verdict has; where all verdicts are the same, the strongest rule decides each.
  const tipping = ({ verdict }: SweepPoint): ((code: string) => boolean) => {
    const others = result.points.filter((point) => point.verdict !== verdict);
    return (code) => others.length > 0 && others.every(({ codes }) => codes?.includes(code) !== true);
  };
  return rows.map(({ point, name }) => {
    const at = tippingRule(point, tipping(point));
    const kind = VERDICTS[point.verdict];
    const short = name.length > widest ? name.slice(0, widest - 1) + sign("ellipsis", options) : name;
    const strongest = point.codes?.[at];
    const reason = point.reason === null ? "no rule has an objection" : reasonOf(point, naming, at);
    return plain(
      [{ text: `${short.padEnd(widest)}  ` }, { text: labelOf(point.verdict, options), role: kind.role }],
      strongest === undefined ? reason : `${strongest}, ${reason}`,
    );
  });
}

const MOST_NAME = 34;

/** `+380501234567 Ukraine`, `980 UAH`; a mask in place of what belongs to a person. */
function listName(value: FieldValue, naming: Naming): string {
  const { field, options } = naming;
  const name = nameOf(value, naming);
  if (field.path === "amount" || (options.masked && isPersonal(field.path))) return name;
  const hint = hintOf(value, naming);
  return hint === null ? name : `${name} ${hint}`;
}

function hintOf(value: FieldValue, { result, field, options }: Naming): string | null {
  const body = setPath({ ...result.request }, field.path, value);
  const hint = field.hint?.(value, { body, now: result.at, amountUnit: options.unit }) ?? null;
  if (hint === null) return null;
  // Only the code of a currency: the rest of its hint is the same in every row.
  return safe(field.path === "currency" ? hint.split(",", 1)[0]! : hint);
}

/** A value as text: money with its currency, else as it is typed. */
function nameOf(value: FieldValue, { result, field, options }: Naming): string {
  if (options.masked && isPersonal(field.path)) return MASK;
  if (field.path === "amount") return formatMoney(Number(value), result.request.currency, options.unit);
  return safe(showField(field, value), { max: 60 });
}
