// The tuning of one number as lines for both front ends: what was tried, a row for each value, and why one is proposed. Pure.

import { keptEur, sideShares, worthOf, type SideShares } from "#src/contract/records/outcome-shares.ts";
import type { Share } from "#src/contract/records/outcomes.ts";
import {
  hasWorth,
  holdsOut,
  proposedValue,
  type Tried,
  type TunedValue,
  type Tuning,
} from "#src/contract/records/tuning.ts";
import { counted, formatCount, percent } from "./count.ts";
import { bracket, intervalText, liftFigure, rateText, shareText, stopsText } from "./outcome-words.ts";
import type { Ascii } from "./sign.ts";
import type { HangingLine, TableCell, TableLine } from "./span.ts";
import type { Role } from "./style.ts";
import { formatUtc } from "./time.ts";

interface Options {
  /** How payments get a label; by a column or a file by default. */
  readonly labelled?: string;
  readonly width: number;
  readonly ascii: Ascii;
}

/** Nothing to try, and what to do about it; null where a payment has a label. */
export function whyUnjudged(
  { today, total, limits }: Tuning,
  labelled: string = 'say what became of them in a column or key "outcome", or in a file (--labels)',
): string | null {
  if (total === 0) return "There is no payment to decide about; name a source that holds some.";
  const [bad, good] = [worthOf(today, "bad").count, worthOf(today, "good").count];
  const unjudged = "so that no value can be judged";
  if (bad + good === 0) return `No payment has a label, ${unjudged}: ${labelled}.`;
  if (good === 0)
    return `No payment is labelled good, ${unjudged}: --unlabelled good takes those without a label for good ones.`;
  if (bad === 0)
    return `No payment is labelled fraud or chargeback, ${unjudged}: name a source that holds some.`;
  if (limits.maxGoodBlocked !== null || limits.minCaught !== null || hasWorth(today)) return null;
  return `No labelled payment is of a currency with a rate, ${unjudged} by money: name --max-good-blocked or --min-caught.`;
}

export function tuneLines(tuning: Tuning, options: Options): HangingLine[] {
  const said = tuneSentences(tuning, options);
  if (whyUnjudged(tuning) !== null) return said;
  return [
    ...said,
    plain(""),
    ...(options.ascii === "words" ? spokenLines(tuning) : tableLines(tuning, options.width)),
  ];
}

/** What was tried, and what is proposed; or why nothing can be judged. */
function tuneSentences(tuning: Tuning, { labelled }: Options): HangingLine[] {
  const unjudged = whyUnjudged(tuning, labelled);
  if (unjudged !== null) return [plain(unjudged)];
  const { today, total, levels, param, withoutRate, values, heldOut } = tuning;
  const before = heldOut === null ? "" : ` before ${formatUtc(heldOut.from)} UTC`;
  const [bad, good] = [worthOf(today, "bad").count, worthOf(today, "good").count];
  const sentences = [
    `${param}: ${counted(values.length, "value")} on ${counted(total, "payment")}, ${formatCount(bad + good)} with a label${before}: ${formatCount(bad)} bad, ${formatCount(good)} good; base rate ${percent(bad, bad + good)}.`,
    ...whySentences(tuning),
    ...(heldOut === null ? [NOT_HELD_OUT] : []),
    ...(withoutRate > 0 ? [`${formatCount(withoutRate)} of a currency without a rate add no money.`] : []),
    ...(levels.length > 1
      ? [`The payments are of the levels ${levels.join(" and ")}, and each value was tried on all of them.`]
      : []),
  ];
  return sentences.map(plain);
}

const NOT_HELD_OUT =
  "No payments are held out, because fraud and good payments are not both known before and after: the value is judged by the payments that chose it, and may do worse on others.";

/** What the proposed value does to payments that did not choose it; none where none are held out. */
function heldOutSentences({ proposed, heldOut, limits }: Tuning): string[] {
  if (heldOut === null || proposed?.heldOut == null) return [];
  const shares = sideShares(proposed.heldOut);
  const interval = intervalText(shares.caught);
  const today = proposed.isToday ? "" : `; today's ${triedText(heldOut.today)}`;
  return [
    `Held out, from ${formatUtc(heldOut.from)} UTC: ${proposed.value} ${triedText(proposed.heldOut)}${today}.`,
    ...(interval === null ? [] : [`Of fraud like this it blocks ${interval}.`]),
    ...(holdsOut({ proposed, limits })
      ? []
      : ["It does not keep the limits there: choose a stricter limit or more payments."]),
  ];
}

const BARS = { title: "", share: 0.5, most: 30 } as const;
const RIGHT = { title: "", align: "right" } as const;

/** Columns from which a row has a bar for the disturbed good payments, too. */
const WIDE = 130;
/** Good payments for which a bar is full at least: a handful does not look like many. */
const FULL_LEAST = 10;

/** The same with bars for each value, in place of numbers. */
export function tunePage(tuning: Tuning, options: Options): readonly (HangingLine | TableLine)[] {
  if (options.ascii === "words" || whyUnjudged(tuning) !== null) return tuneLines(tuning, options);
  const rows = rowsOf(tuning, "*");
  const bars = barsOf(
    rows.map(({ tried }) => sideShares(tried)),
    options.width >= WIDE,
  );
  const cells = rows.map(({ name, tried, notes }, at): readonly TableCell[] => {
    const role = tried === tuning.proposed ? "heading" : null;
    return [
      { text: name, role },
      ...bars.flatMap(({ of, role: hue }): TableCell[] => [
        { text: "", share: of[at]!.share, role: hue },
        { text: of[at]!.text, role },
      ]),
      { text: keptText(tuning, tried), role },
      { text: notes.join(" "), role },
    ];
  });
  const columns = [
    { ...RIGHT, title: "Value" },
    ...bars.flatMap(({ title }) => [{ ...BARS, title }, RIGHT]),
    { ...RIGHT, title: "Net EUR" },
    { title: "" },
  ];
  const [head = plain(""), proposed = plain(""), ...rest] = tuneSentences(tuning, options);
  const table = [plain(""), { columns, cells }, plain(ON_FRONTIER), plain("")];
  return [head, proposed, ...table, ...rest];
}

/** A column of bars, with what stands behind each. */
interface Bars {
  readonly title: string;
  readonly role: Role | null;
  readonly of: readonly { readonly share: number; readonly text: string }[];
}

/**
 * The share of fraud that is blocked, and good payments that are, beside the worst value. Where these are the same for all
 * values, as with a rule that asks for 3-D Secure, what is sent there instead.
 */
function barsOf(rows: readonly SideShares[], isWide: boolean): readonly Bars[] {
  const shares = (title: string, role: Role | null, of: (row: SideShares) => Share): Bars => ({
    title,
    role,
    of: rows.map(of).map(({ part, whole }) => ({ share: part / whole, text: percent(part, whole) })),
  });
  const counts = (title: string, role: Role, of: (row: SideShares) => Share): Bars => {
    const parts = rows.map((row) => of(row).part);
    const most = Math.max(FULL_LEAST, ...parts);
    return { title, role, of: parts.map((part) => ({ share: part / most, text: formatCount(part) })) };
  };
  const disturbed = counts("Good disturbed", "challenge", ({ goodDisturbed }) => goodDisturbed);
  const blocking = rows.map(({ caught, goodBlocked }) => `${caught.part} ${goodBlocked.part}`);
  if (new Set(blocking).size === 1)
    return [shares("Fraud to 3DS", "challenge", ({ badSecured }) => badSecured), disturbed];
  return [
    shares("Fraud blocked", null, ({ caught }) => caught),
    counts("Good blocked", "block", ({ goodBlocked }) => goodBlocked),
    ...(isWide ? [disturbed] : []),
  ];
}

const plain = (text: string): HangingLine => ({ fixed: [], text });

const HEADINGS = ["VALUE", "CAUGHT", "GOOD BLOCKED", "DISTURBED", "PRECISE", "LIFT", "EUR"] as const;

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

/** A row for each value; where there is no room, without counts, and then without the last three columns. */
function tableLines(tuning: Tuning, width: number): HangingLine[] {
  const rows = rowsOf(tuning, "*");
  const laidOut = (counts: boolean, columns: number): string[] => {
    const cells = [HEADINGS, ...rows.map(({ name, tried }) => [name, ...cellsOf(tried, counts)])];
    const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    const padded = cells.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)));
    return padded.map((row, i) =>
      [...row.slice(0, columns), rows[i - 1]?.notes.join(" ") ?? ""].join("  ").trimEnd(),
    );
  };
  const tables = [laidOut(true, 7), laidOut(false, 7), laidOut(false, 4)];
  const table = tables.find((lines) => lines.every(({ length }) => length <= width)) ?? tables[2]!;
  return [
    ...table.map((text, i): HangingLine => {
      const isProposed = i > 0 && rows[i - 1]!.tried === tuning.proposed;
      return { fixed: [{ text, role: i === 0 ? "quiet" : isProposed ? "accent" : null }], text: "" };
    }),
    plain(
      `${ON_FRONTIER}. EUR: worth of the fraud caught. Lift: how many times the base rate the precision is.`,
    ),
  ];
}

const ON_FRONTIER =
  "* on the frontier: no other value catches more fraud, and blocks and disturbs fewer good payments";

function cellsOf(tried: Tried, counts: boolean): string[] {
  const { caught, goodBlocked, goodDisturbed, precision, baseRate } = sideShares(tried);
  const short = ({ part, whole }: Share): string =>
    whole === 0 ? "-" : percent(part, whole).replace("less than ", "<").replace("more than ", ">");
  const both = (share: Share): string =>
    `${counts ? `${formatCount(share.part)} ` : ""}${short(share).padStart(7)}`;
  const eur = formatCount(Math.round(worthOf(tried, "bad", ["block"]).eur));
  return [
    both(caught),
    both(goodBlocked),
    short(goodDisturbed),
    rateText(precision),
    liftFigure(precision, baseRate),
    eur,
  ];
}

/** `blocks 322 of 373, 86.3 % of fraud (124 500 EUR), sends 40 to 3-D Secure and passes 11, blocks 3 of ...` */
function triedText(tried: Tried): string {
  const { caught, badSecured, badPassed, goodBlocked, goodDisturbed } = sideShares(tried);
  return [
    `blocks ${shareText(caught)} of fraud${bracket(worthOf(tried, "bad", ["block"]))}`,
    `sends ${formatCount(badSecured.part)} to 3-D Secure and passes ${formatCount(badPassed.part)}`,
    `blocks ${shareText(goodBlocked)} of good payments${bracket(worthOf(tried, "good", ["block"]))}`,
    `disturbs ${shareText(goodDisturbed)} of them`,
  ].join(", ");
}

/** What is proposed, by which rule it was chosen, and what is there today; or why nothing is. */
export function whySentences(tuning: Tuning): string[] {
  const { values, limits, proposed, today, levels, present } = tuning;
  const { maxGoodBlocked, minCaught } = limits;
  const wishes = [
    ...(maxGoodBlocked === null ? [] : [`blocks at most ${maxGoodBlocked.text} of good payments`]),
    ...(minCaught === null ? [] : [`catches at least ${minCaught.text} of fraud`]),
  ].join(" and ");
  // It may be another one on each level of the payments.
  const byLevel = levels.map((level) => `${present[level]} on ${level}`).join(", ");
  const own = values.find(({ isToday }) => isToday)?.value ?? byLevel;
  const before = `Today's ${own} ${triedText(today)}.`;
  if (proposed === null) {
    const best = (gain: (tried: Tried) => number): TunedValue =>
      values.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    const most = best((tried) => sideShares(tried).caught.part);
    const least = best((tried) => -sideShares(tried).goodBlocked.part);
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
        : moneyText(tuning, proposed);
  const isEnd = !proposed.isToday && [values[0], values.at(-1)].includes(proposed);
  return [
    `Proposed: ${proposed.value}${proposed.isToday ? ", as today" : ""}. It ${triedText(proposed)}.`,
    ...heldOutSentences(tuning),
    `${aim}.`,
    ...(isEnd ? ["It is at the end of the values; more of them may hold a better one."] : []),
    ...(proposed.isToday ? [] : [before]),
  ];
}

/** Why the value keeps most money, and whether it would if 3-D Secure stopped another share of fraud. */
function moneyText(tuning: Tuning, proposed: TunedValue): string {
  const [stops, ...others] = tuning.threeDsStops;
  const euros = (tried: Tried, share: number): string =>
    `about ${formatCount(Math.round(keptEur(tried, share)))} EUR`;
  const today = proposed.isToday ? "" : `, and ${euros(tuning.today, stops)} today`;
  const otherwise = others.map((share) => {
    const best = proposedValue({ ...tuning, threeDsStops: [share] })!;
    const own = best === proposed ? "" : `, and ${proposed.value} keeps ${euros(proposed, share)}`;
    return `. If ${stopsText(share)}, most is kept by ${best.value}: ${euros(best, share)}${own}`;
  });
  return `It keeps most money (fraud stopped less good payments blocked) if ${stopsText(stops)}: ${euros(proposed, stops)}${today}${otherwise.join("")}`;
}

/** `3 509`, or `3 509 to 15 712` by what 3-D Secure may stop. */
function keptText({ threeDsStops }: Tuning, tried: Tried): string {
  const sums = threeDsStops.map((stops) => formatCount(Math.round(keptEur(tried, stops))));
  return [...new Set(sums)].join(" to ");
}
