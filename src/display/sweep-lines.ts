// A sweep as a chart and in words: which verdict holds where, and at which value it tips. Pure; for the console and for plain text.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field, FieldValue } from "#src/contract/fields/field.ts";
import { setPath, showField } from "#src/contract/fields/validate.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import {
  placeOf,
  valueAt,
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
import { SIGN } from "./sign.ts";
import type { Role } from "./style.ts";
import { VERDICTS, verdictLabel } from "./verdict.ts";

export interface SweepSpan {
  readonly text: string;
  readonly role?: Role | null;
}

/** A row of the chart: `fixed` stands as it is, `text` goes on behind it and may be broken into lines. */
export interface SweepLine {
  readonly fixed: readonly SweepSpan[];
  readonly text: string;
}

export interface SweepLook {
  /** Columns of the bar. */
  readonly width: number;
  readonly ascii: boolean;
  readonly unit: AmountUnit;
  /** An audience watches: values and texts that belong to a person are masked. */
  readonly masked: boolean;
}

export function sweepLines(result: SweepResult, look: SweepLook): SweepLine[] {
  const field = CHECK_FIELDS.find(({ path }) => path === result.field)!;
  const naming = { result, field, look };
  const body = result.values.kind === "range" ? rangeLines(naming) : listLines(naming);
  const stopped =
    result.stopped === null
      ? []
      : [plain([{ text: `${sign("warning", look)} `, role: "warning" }], safe(result.stopped))];
  return [plain([], summary(naming)), ...(body.length === 0 ? [] : [plain([], ""), ...body]), ...stopped];
}

interface Naming {
  readonly result: SweepResult;
  readonly field: Field;
  readonly look: SweepLook;
}

const plain = (fixed: readonly SweepSpan[], text: string): SweepLine => ({ fixed, text });

function sign(name: keyof typeof SIGN, { ascii }: Pick<SweepLook, "ascii">): string {
  return ascii ? SIGN[name].ascii : SIGN[name].symbol;
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

/** The bar, the marks below it, the ends of the range, and a line for each stretch. */
function rangeLines(naming: Naming): SweepLine[] {
  const { result, look } = naming;
  const { stretches, values, points } = result;
  const [first, last] = [points[0], points.at(-1)];
  if (values.kind !== "range" || first === undefined || last === undefined) return [];
  const { width } = look;
  const cells = Array.from({ length: width }, (_, cell) =>
    stretchAt(valueAt(width === 1 ? 0 : cell / (width - 1), values), stretches),
  );
  const marks = markRow(stretches, values, width);
  const [from, to] = [nameOf(values.from, naming), nameOf(values.to, naming)];
  const ends = from + " ".repeat(Math.max(1, width - from.length - to.length)) + to;
  return [
    plain(bar(cells, look), ""),
    ...(marks.trim() === "" ? [] : [plain([{ text: marks, role: "accent" }], "")]),
    plain([], ends),
    plain([], ""),
    ...stretches.map((stretch, index) => stretchLine(stretch, index, stretches[index + 1], naming)),
  ];
}

/** The stretch that holds a value; null beyond what was tried, where nobody knows. */
function stretchAt(value: number, stretches: readonly SweepStretch[]): SweepStretch | null {
  const found = stretches.findLast(({ from }) => Number(from.value) <= value);
  if (found === undefined) return null;
  return found === stretches.at(-1) && value > Number(found.to.value) ? null : found;
}

/** Equal neighbours are one span; each cell has the symbol of its verdict, so that the bar is read without colours. */
function bar(cells: readonly (SweepStretch | null)[], { ascii }: SweepLook): SweepSpan[] {
  const spans: { text: string; role: Role | null }[] = [];
  let before: SweepStretch | null | undefined;
  for (const cell of cells) {
    const kind = cell === null ? null : VERDICTS[cell.from.verdict];
    const text =
      kind === null ? (ascii ? SIGN.barEmpty.ascii : SIGN.barEmpty.symbol) : ascii ? kind.ascii : kind.symbol;
    if (cell === before) spans.at(-1)!.text += text;
    else spans.push({ text, role: kind?.role ?? null });
    before = cell;
  }
  return spans;
}

/** Names of the marks under the bar, one for each value at which it tips. */
const MARKS = "123456789abcdefghijklmnopqrstuvwxyz";

function markOf(index: number): string {
  return MARKS[index - 1] ?? " ";
}

function markRow(
  stretches: readonly SweepStretch[],
  range: { readonly from: number; readonly to: number },
  width: number,
): string {
  const row = Array.from({ length: width }, () => " ");
  for (const [index, { from }] of stretches.entries()) {
    if (index === 0) continue;
    const cell = Math.ceil(placeOf(Number(from.value), range) * (width - 1));
    // Marks that share a cell stand side by side, as far as there is room.
    const free = row.findIndex((mark, at) => at >= cell && mark === " ");
    if (free >= 0) row[free] = markOf(index);
  }
  return row.join("").trimEnd();
}

/** `1 ◆ 3DS  from 250.01 EUR on: AMOUNT_OVER_SCA now hits. Worth 250.01 EUR ...` */
function stretchLine(
  stretch: SweepStretch,
  index: number,
  next: SweepStretch | undefined,
  naming: Naming,
): SweepLine {
  const { look } = naming;
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
    [
      { text: `${index === 0 ? " " : markOf(index)} `, role: "accent" },
      { text: verdictLabel(from.verdict, look.ascii).padEnd(LABEL), role: kind.role },
    ],
    `${where}${doubt}: ${why(stretch, naming.result.stretches[index - 1], naming)}`,
  );
}

/** `⊘ REFUSED` is as long as most verdicts get. */
const LABEL = 10;

/** How strict a verdict is; those that are none cannot be compared. */
const STRICTNESS: Partial<Record<SweepVerdict, number>> = { pass: 0, "3ds_or_block": 1, block: 2 };

/** What has changed, in the codes of the rules, and the strongest reason in words. */
function why({ from, ...changed }: SweepStretch, before: SweepStretch | undefined, naming: Naming): string {
  const reason =
    from.reason === null ? "no rule has an objection" : reasonOf(from, naming).replace(/\.$/, "");
  const strongest = from.codes?.[0];
  const named = strongest === undefined || reason === "" ? reason : `${strongest}, ${reason}`;
  // Whatever else comes and goes at the same value: a stricter verdict comes from rules that hit, a milder one from others.
  const stricter = (STRICTNESS[from.verdict] ?? NaN) - (STRICTNESS[before?.to.verdict ?? "unknown"] ?? NaN);
  const gained = stricter < 0 && changed.lost.length > 0 ? [] : changed.gained;
  const lost = stricter > 0 && changed.gained.length > 0 ? [] : changed.lost;
  const changes = [
    ...(gained.length === 0 ? [] : [`${gained.join(", ")} now ${gained.length === 1 ? "hits" : "hit"}`]),
    ...(lost.length === 0 ? [] : [`${lost.join(", ")} no longer ${lost.length === 1 ? "hits" : "hit"}`]),
  ];
  if (before === undefined || changes.length === 0) return `${named}.`;
  // A rule that has just begun to hit and is the strongest as well is told once.
  if (gained.length === 1 && gained[0] === strongest && lost.length === 0)
    return `${strongest} now hits, ${reason}.`;
  return `${changes.join("; ")}. Strongest: ${named}.`;
}

function reasonOf({ value, reason }: SweepPoint, { result, look }: Naming): string {
  if (reason === null) return "";
  const request = setPath({ ...result.request }, result.field, value) as CheckRequest;
  return safe(look.masked ? maskedWords(reason, [request]) : reason, { max: 300 });
}

/** One line for each value: what it is, what it means, its verdict, and why. */
function listLines(naming: Naming): SweepLine[] {
  const { result, look } = naming;
  const rows = result.points.map((point) => ({ point, name: listName(point.value, naming) }));
  const widest = Math.min(MOST_NAME, Math.max(0, ...rows.map(({ name }) => name.length)));
  return rows.map(({ point, name }) => {
    const kind = VERDICTS[point.verdict];
    const short = name.length > widest ? name.slice(0, widest - 1) + sign("ellipsis", look) : name;
    const strongest = point.codes?.[0];
    const reason = point.reason === null ? "no rule has an objection" : reasonOf(point, naming);
    return plain(
      [
        { text: `${short.padEnd(widest)}  ` },
        { text: verdictLabel(point.verdict, look.ascii).padEnd(LABEL), role: kind.role },
      ],
      strongest === undefined ? reason : `${strongest}, ${reason}`,
    );
  });
}

const MOST_NAME = 34;

/** Fields of a person whose hint tells a country or a network, and nobody's name. */
const MEANING_IS_PUBLIC: ReadonlySet<string> = new Set(["payer.number_phone", "payer.payer_ip"]);

/** `+380501234567 Ukraine`, `980 UAH`; a mask in place of what belongs to a person. */
function listName(value: FieldValue, naming: Naming): string {
  const { field, look } = naming;
  const name = nameOf(value, naming);
  if (field.path === "amount") return name;
  const hidden = look.masked && isPersonal(field.path);
  const hint = hidden && !MEANING_IS_PUBLIC.has(field.path) ? null : hintOf(value, naming);
  return hint === null ? name : `${name} ${hint}`;
}

function hintOf(value: FieldValue, { result, field, look }: Naming): string | null {
  const body = setPath({ ...result.request }, field.path, value);
  const hint = field.hint?.(value, { body, now: result.at, amountUnit: look.unit }) ?? null;
  if (hint === null) return null;
  // A currency by its letters; the rest of what is said of it is the same in every row.
  return safe(field.path === "currency" ? hint.split(",", 1)[0]! : hint);
}

/** A value as people read it: money with its currency, else as it is typed. */
function nameOf(value: FieldValue, { result, field, look }: Naming): string {
  if (look.masked && isPersonal(field.path)) return MASK;
  if (field.path === "amount") return formatMoney(Number(value), result.request.currency, look.unit);
  return safe(showField(field, value), { max: 60 });
}
