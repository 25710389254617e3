// The tuning of one number as lines for both front ends: what was tried, a chart, a row for each value, and why one is proposed. Pure.

import { sideShares, worthOf } from "#src/contract/records/outcome-shares.ts";
import type { Share } from "#src/contract/records/outcomes.ts";
import { keptEur, type Tried, type Tuning } from "#src/contract/records/tuning.ts";
import { counted, formatCount, percent } from "./count.ts";
import { shareText, worthText } from "./outcome-words.ts";
import type { Ascii } from "./sign.ts";
import type { HangingLine, RoleSpan } from "./span.ts";
import { sparkline } from "./sparkline.ts";

export interface TuneOptions {
  readonly width: number;
  readonly ascii: Ascii;
}

/** Nothing to try, and what to do about it; null where a payment has a label. */
export function whyUnjudged({ today, total }: Tuning): string | null {
  if (total === 0) return "There is no payment to decide about; name a source that holds some.";
  if (worthOf(today, "bad").count + worthOf(today, "good").count > 0) return null;
  return `No payment has a label, so that no value can be judged: say what became of them in a column or key "outcome", or in a file (--labels).`;
}

export function tuneLines(tuning: Tuning, options: TuneOptions): HangingLine[] {
  const unjudged = whyUnjudged(tuning);
  if (unjudged !== null) return [plain(unjudged)];
  const { today, total, levels, param, withoutRate, values } = tuning;
  const [bad, good] = [worthOf(today, "bad").count, worthOf(today, "good").count];
  const sentences = [
    `${param}: ${counted(values.length, "value")} on ${counted(total, "payment")}, ${formatCount(bad + good)} with a label: ${formatCount(bad)} bad, ${formatCount(good)} good.`,
    ...(withoutRate > 0 ? [`${formatCount(withoutRate)} of a currency without a rate add no money.`] : []),
    ...(levels.length > 1
      ? [
          `The payments are of the levels ${levels.join(" and ")}, and each value was tried on all of them; ${param}@${levels[0]} is one alone.`,
        ]
      : []),
    ...whySentences(tuning),
  ];
  return [
    ...sentences.map(plain),
    plain(""),
    ...(options.ascii === "words" ? spokenLines(tuning) : [...chartLines(tuning, options), plain("")]),
    ...(options.ascii === "words" ? [] : tableLines(tuning, options)),
  ];
}

const plain = (text: string): HangingLine => ({ fixed: [], text });

/** Two bars for each value, and below them marks: P for the proposed one, T for today's. */
function chartLines({ values, proposed }: Tuning, { width, ascii }: TuneOptions): HangingLine[] {
  const names = ["fraud caught", "good disturbed"] as const;
  const shares = values.map((tuned) => sideShares(tuned));
  const room = Math.max(8, width - CHART_NAME - CHART_NOTE);
  // With fewer columns than values, some are left out; the first and the last stay.
  const drawn = Math.min(room, values.length);
  const at = Array.from({ length: drawn }, (_, i) =>
    Math.round((i * (values.length - 1)) / Math.max(1, drawn - 1)),
  );
  const rows = (["caught", "goodDisturbed"] as const).map((kind, row) => {
    const parts = shares.map((each) => each[kind]);
    const most = parts.reduce((a, b) => (b.part > a.part ? b : a));
    const heights = at.map((index) => parts[index]!.part);
    return line([
      { text: names[row]!.padEnd(CHART_NAME) },
      { text: sparkline(heights, room, ascii === true), role: row === 0 ? "pass" : "block" },
      { text: `  at most ${shortShare(most)}`, role: "quiet" },
    ]);
  });
  const marks = at.map((index, cell) => {
    const here = values.slice(index, at[cell + 1] ?? values.length);
    if (proposed !== null && here.includes(proposed)) return "P";
    return here.some(({ isToday }) => isToday) ? "T" : " ";
  });
  const scale = `${values[0]!.value} to ${values.at(-1)!.value}`.padEnd(CHART_NAME);
  return [...rows, line([{ text: scale }, { text: marks.join("").trimEnd(), role: "accent" }])];
}

const CHART_NAME = 16;
const CHART_NOTE = 18;

const line = (fixed: readonly RoleSpan[]): HangingLine => ({ fixed, text: "" });

/** `86.3 %`, `<0.01 %`; a dash for none of none. */
function shortShare({ part, whole }: Share): string {
  return whole === 0 ? "-" : percent(part, whole).replace("less than ", "<").replace("more than ", ">");
}

const HEADINGS = ["VALUE", "CAUGHT", "GOOD BLOCKED", "DISTURBED", "PRECISE", "EUR CAUGHT"] as const;

/** The values, with today's rules before them where no single value is today's. */
function rowsOf({ values, today, proposed }: Tuning, frontier: string) {
  const isOne = values.some(({ isToday }) => isToday);
  return [
    ...(isOne ? [] : [{ name: "today", tried: today, notes: [] }]),
    ...values.map((tried) => ({
      name: String(tried.value),
      tried,
      notes: [
        ...(tried.onFrontier ? [frontier] : []),
        ...(tried === proposed ? ["proposed"] : []),
        ...(tried.isToday ? ["today"] : []),
      ],
    })),
  ];
}

function spokenLines(tuning: Tuning): HangingLine[] {
  return rowsOf(tuning, "on the frontier").map(({ name, tried, notes }) =>
    plain(`${[`${name}: ${triedText(tried)}`, ...notes].join(", ")}.`),
  );
}

/** A row for each value; where there is no room, without counts, and then without the last two columns. */
function tableLines(tuning: Tuning, { width }: TuneOptions): HangingLine[] {
  const rows = rowsOf(tuning, "*");
  const laidOut = (counts: boolean, columns: number): string[] => {
    const cells = [HEADINGS, ...rows.map(({ name, tried }) => [name, ...cellsOf(tried, counts)])];
    const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    const padded = cells.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)));
    return padded.map((row, i) =>
      [...row.slice(0, columns), rows[i - 1]?.notes.join(" ") ?? ""].join("  ").trimEnd(),
    );
  };
  const [whole, brief] = [laidOut(true, HEADINGS.length), laidOut(false, HEADINGS.length)];
  const fits = (table: readonly string[]): boolean => table.every((row) => row.length <= width);
  const table = fits(whole) ? whole : fits(brief) ? brief : laidOut(false, HEADINGS.length - 2);
  return [
    ...table.map((text, i) => {
      const isProposed = i > 0 && rows[i - 1]!.tried === tuning.proposed;
      return line([{ text, role: i === 0 ? "quiet" : isProposed ? "accent" : null }]);
    }),
    plain("* on the frontier: no other value catches more fraud and disturbs fewer good payments"),
  ];
}

function cellsOf(tried: Tried, counts: boolean): string[] {
  const { caught, goodBlocked, goodDisturbed, precision } = sideShares(tried);
  const both = (share: Share): string =>
    `${counts ? `${formatCount(share.part)} ` : ""}${shortShare(share).padStart(7)}`;
  const eur = formatCount(Math.round(worthOf(tried, "bad", ["block"]).eur));
  return [both(caught), both(goodBlocked), shortShare(goodDisturbed), shortShare(precision), eur];
}

/** `fraud blocked 322 of 373, 86.3 % (124 500 EUR), good blocked 3 of 9 950, 0.03 % (120 EUR)` */
function triedText(tried: Tried): string {
  const { caught, goodBlocked, goodDisturbed } = sideShares(tried);
  const worth = (kind: "bad" | "good"): string => {
    const text = worthText(worthOf(tried, kind, ["block"]));
    return text === "" ? "" : ` (${text})`;
  };
  return [
    `blocks ${shareText(caught)} of fraud${worth("bad")}`,
    `blocks ${shareText(goodBlocked)} of good payments${worth("good")}`,
    `disturbs ${shareText(goodDisturbed)} of them`,
  ].join(", ");
}

/** `6`, or `9 on low, 4 on high` where it is another one on each level of the payments. */
function presentText({ levels, present, values }: Tuning): string {
  const today = values.find(({ isToday }) => isToday);
  if (today !== undefined) return String(today.value);
  return levels.map((level) => `${present[level]} on ${level}`).join(", ");
}

/** What is proposed, by which rule it was chosen, and what is there today; or why nothing is. */
export function whySentences(tuning: Tuning): string[] {
  const { values, limits, proposed, today } = tuning;
  const { maxGoodBlocked, minCaught } = limits;
  const wishes = [
    ...(maxGoodBlocked === null ? [] : [`blocks at most ${maxGoodBlocked.text} of good payments`]),
    ...(minCaught === null ? [] : [`catches at least ${minCaught.text} of fraud`]),
  ].join(" and ");
  const before = `Today's ${presentText(tuning)} ${triedText(today)}.`;
  if (proposed === null) {
    const most = values.reduce((a, b) => (sideShares(b).caught.part > sideShares(a).caught.part ? b : a));
    const least = values.reduce((a, b) =>
      sideShares(b).goodBlocked.part < sideShares(a).goodBlocked.part ? b : a,
    );
    return [
      `No value ${wishes}: most fraud is caught by ${most.value}, which ${triedText(most)}; the fewest good payments are blocked by ${least.value}, which ${triedText(least)}.`,
      before,
    ];
  }
  const aim =
    maxGoodBlocked !== null
      ? `Of the values of which each ${wishes}, it catches most fraud`
      : minCaught !== null
        ? `Of the values of which each ${wishes}, it blocks the fewest good payments`
        : `It keeps most money: fraud blocked less good payments blocked is ${euros(proposed)}, and ${euros(today)} today`;
  const isEnd = !proposed.isToday && [values[0], values.at(-1)].includes(proposed);
  return [
    `Proposed: ${proposed.value}${proposed.isToday ? ", as today" : ""}. It ${triedText(proposed)}.`,
    `${aim}.`,
    ...(isEnd ? ["It is at the end of the values; more of them may hold a better one."] : []),
    ...(proposed.isToday ? [] : [before]),
  ];
}

function euros(tried: Tried): string {
  const eur = Math.round(keptEur(tried));
  return `about ${eur < 0 ? "-" : ""}${formatCount(Math.abs(eur))} EUR`;
}
