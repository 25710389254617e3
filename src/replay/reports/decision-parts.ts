// The report of a decision about rules.

import { WORST_FIRST, type FlipCell } from "#src/contract/records/flip.ts";
import {
  addWeighed,
  isJudged,
  precisionOf,
  sideShares,
  worthOf,
  type MovedPayments,
  type ThreeDsStops,
  type WorthKind,
} from "#src/contract/records/outcome-shares.ts";
import { CASES_KEPT, type Outcomes, type Share, type Weighed } from "#src/contract/records/outcomes.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { formatMoney } from "#src/display/money.ts";
import {
  changeWords,
  intervalText,
  isFew,
  liftText,
  outcomeWords,
  rateText,
  SHARE_NAMES,
  shareText,
  worthText,
  type OutcomeWords,
} from "#src/display/outcome-words.ts";
import { sortedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";
import { outcomeReason } from "#src/display/verdict.ts";
import { matrixTable, projectTable } from "./comparison-parts.ts";
import { chartParts } from "./decision-charts.ts";
import type { DecisionData, DecisionRule, UsedLabels } from "./decision-data.ts";
import { ALL_ROWS, type Cell, type Fact, type Finding, type Report, type Table } from "./parts.ts";
import { createPrivacy } from "./report-privacy.ts";

export function decisionWords({
  outcomes,
  comparison,
  labels,
  threeDsStops,
}: Pick<DecisionData, "outcomes" | "comparison"> & {
  readonly labels: Pick<DecisionData["labels"], "asOf">;
  readonly threeDsStops?: ThreeDsStops | undefined;
}): OutcomeWords {
  if (outcomes !== null) return outcomeWords(outcomes, threeDsStops);
  const late = labels.asOf === null ? "" : " that was known in time";
  const doubt = `No payment has a label${late}: whether the change is right cannot be said. Labels come with --labels FILE (order_id, outcome), or as a column or field "outcome".`;
  return { sentence: changeWords(comparison.matrix.map(unjudged)), besides: [], doubts: [doubt] };
}

/** Payments of which nobody knows what became. */
function unjudged<C extends FlipCell>(cell: C): C & MovedPayments {
  const none = { count: 0, eur: 0 };
  return { ...cell, bad: none, good: none, unlabelled: { count: cell.count, eur: cell.eur ?? 0 } };
}

export function decisionReport(data: DecisionData): Report {
  const { outcomes, comparison, current, proposed, failedGates, gates, total } = data;
  const { sentence, besides, doubts } = decisionWords(data);
  const kept: Finding = { sign: "pass", lead: "Every limit is kept:", text: `${gates.join(", ")}.` };
  return {
    kind: "rule decision",
    name: `Decision: ${proposed.name} instead of ${current.name}`,
    headline: sentence,
    findings: [
      ...failedGates.map(({ message }): Finding => ({
        sign: "block",
        lead: "Limit not kept:",
        text: message,
      })),
      ...(failedGates.length > 0 || gates.length === 0 ? [] : [kept]),
      ...[changesText(data.ruleChanges), ...besides].map((text) => ({ sign: null, text })),
      ...doubts.map((text): Finding => ({ sign: "indeterminate", text })),
    ],
    facts: [
      ["Proposed", proposed.name],
      ["Today", current.name],
      ["Over", `${counted(total, "payment")}${spanText(data)}`],
    ],
    parts: [
      shareTable(data),
      ...(outcomes === null ? [] : chartParts(outcomes)),
      matrixTable(comparison, "minor"),
      ...changeTables(data),
      projectTable(comparison),
      ruleTable(data),
      caseTable(data),
      { title: "What is not known", list: unknowns(data) },
      { title: "How this was made", facts: provenance(data) },
    ],
    generatedAt: data.generatedAt,
  };
}

/** The same with a line to sign: who decided what, when, about which rules and by which payments. */
export function reportToSign(data: DecisionData): Report {
  const report = decisionReport(data);
  const { current, proposed, dataHash } = data;
  const hashes = [proposed.hash, current.hash, dataHash].map((hash) => hash.slice(0, 12));
  const facts: Fact[] = [
    ["Decision", `accepted / rejected / ${LINE}`],
    ["Name", LINE],
    ["Date", LINE],
    ["About", `rules ${hashes[0]} instead of ${hashes[1]}, by data ${hashes[2]}`],
  ];
  return { ...report, parts: [...report.parts, { title: "To sign", facts }] };
}

/** Room to write by hand. */
const LINE = ".".repeat(40);

/** In counts and in EUR; rows without anything to judge are left out. */
function shareTable({ outcomes }: DecisionData): Table {
  const rows = outcomes === null ? [] : shareRows(outcomes);
  return {
    title: "Before and after",
    what: "Fraud is what is labelled fraud or chargeback; good is what is labelled good or refund. EUR are approximate, by the rates of the rule file.",
    form: "shares",
    heads: ["", "Today", "Proposed", "Change"],
    rows,
  };
}

function shareRows(outcomes: Outcomes): Cell[][] {
  const [before, after] = [sideShares(outcomes.current), sideShares(outcomes.proposed)];
  const [eurBefore, eurAfter] = [sideShares(outcomes.current, "eur"), sideShares(outcomes.proposed, "eur")];
  const rows = SHARE_NAMES.filter(([key]) => before[key].whole > 0).map(([key, name]): Cell[] => [
    [name, `of ${formatCount(before[key].whole)}`],
    shareCell(before[key], eurBefore[key]),
    shareCell(after[key], eurAfter[key]),
    [
      signed(after[key].part - before[key].part),
      ...(eurBefore[key].whole > 0 ? [`${signed(eurAfter[key].part - eurBefore[key].part)} EUR`] : []),
    ],
  ]);
  const [was, now] = [before.precision, after.precision];
  const points = (now.part / now.whole - was.part / was.whole) * 100;
  const precision: Cell[] = [
    ["A block is right", "fraud of what is blocked", `base rate ${shareText(before.baseRate)}`],
    rightCell(was, before.baseRate, eurBefore.precision),
    rightCell(now, after.baseRate, eurAfter.precision),
    !isFew(was) && !isFew(now) ? [signed(points, 1), "points"] : "-",
  ];
  return isJudged(outcomes.current) ? [...rows, precision] : rows;
}

function shareCell(share: Share, eur: Share): Cell {
  const sum = `${formatCount(Math.round(eur.part))} EUR`;
  if (isFew(share)) return [formatCount(share.part), ...(eur.whole > 0 ? [sum] : [])];
  const money = eur.whole > 0 ? [`${sum}, ${percent(eur.part, eur.whole)}`] : [];
  return [formatCount(share.part), percent(share.part, share.whole), ...money];
}

function rightCell(share: Share, base: Share, eur: Share): Cell {
  if (share.whole === 0) return "nothing is blocked";
  const cases = `${formatCount(share.part)} of ${formatCount(share.whole)}`;
  if (isFew(share)) return [cases, liftText(share, base)];
  const money = eur.whole > 0 ? [`${percent(eur.part, eur.whole)} of the EUR`] : [];
  return [rateText(share), cases, liftText(share, base), ...money];
}

/** `+4`, `-1 240`, `0` */
function signed(difference: number, decimals: number = 0): string {
  const size = Math.abs(difference).toFixed(decimals);
  if (Number(size) === 0) return "0";
  return `${difference > 0 ? "+" : "-"}${decimals === 0 ? formatCount(Number(size)) : size}`;
}

/** Changes and their causes, the worst change and the most frequent cause first. */
function changeTables({ outcomes, comparison }: DecisionData): Table[] {
  const all = outcomes?.changes ?? comparison.matrix.map(unjudged);
  const causes = outcomes?.causes ?? comparison.causes.map(unjudged);
  const names = { good: "Good", bad: "Fraud", unlabelled: outcomes === null ? "Payments" : "No label" };
  const changes = WORST_FIRST.flatMap(({ was, now }) =>
    all.filter((each) => each.was === was && each.now === now && KINDS.some((kind) => each[kind].count > 0)),
  );
  const kinds = KINDS.filter((kind) => changes.some((change) => change[kind].count > 0));
  const heads = ["Change", ...kinds.map((kind) => names[kind])];
  const cells = (each: MovedPayments): Cell[] => [
    { was: each.was, now: each.now },
    ...kinds.map((kind) => worthCell(each[kind])),
  ];
  return [
    {
      title: "What changes",
      what: "Payments whose verdict differs, the most harmful change first.",
      heads,
      rows: changes.map(cells),
    },
    {
      title: "Why",
      what: "Changes by cause: the rule that decided and the one that decides now.",
      heads: [["Cause", "name"], ...heads],
      rows: causes.map((cause): Cell[] => [causeText(cause), ...cells(cause)]),
    },
  ];
}

const KINDS = ["good", "bad", "unlabelled"] as const satisfies readonly WorthKind[];

function worthCell(weighed: Weighed): Cell {
  if (weighed.count === 0) return "0";
  const worth = worthText(weighed);
  return worth === "" ? formatCount(weighed.count) : [formatCount(weighed.count), worth];
}

/** Rules that hit or have another mode, those that change most first; and the others that are not off. */
function activeRules(
  rules: readonly DecisionRule[],
): Readonly<Record<"active" | "quiet", readonly DecisionRule[]>> {
  const moved = ({ current, proposed }: DecisionRule): number =>
    current.mode === proposed.mode ? Math.abs(proposed.hits - current.hits) : Number.MAX_VALUE;
  const hits = ({ current, proposed }: DecisionRule): number => current.hits + proposed.hits;
  const active = rules
    .filter((rule) => hits(rule) + moved(rule) > 0)
    .sort((a, b) => moved(b) - moved(a) || hits(b) - hits(a));
  const quiet = rules.filter((rule) => !active.includes(rule) && rule.proposed.mode !== "off");
  return { active, quiet };
}

/** What rules have in common that never hit, or hit together; whole sentences. */
function ruleNotes({ rules, overlap }: Pick<DecisionData, "rules" | "overlap">): string[] {
  const { quiet } = activeRules(rules);
  return [
    ...(quiet.length === 0 ? [] : [`Never hit: ${quiet.map(({ code }) => code).join(", ")}.`]),
    ...overlap.together.map(
      ({ codes, count }) => `Always together, ${counted(count, "time")}: ${codes.join(", ")}.`,
    ),
    ...overlap.within.map(
      ({ code, other, count, otherCount }) =>
        `${code} (${counted(count, "time")}) never hits without ${other} (${counted(otherCount, "time")}).`,
    ),
  ];
}

function ruleTable({ rules, outcomes, overlap }: DecisionData): Table {
  const { active } = activeRules(rules);
  const worths = new Map(outcomes?.rules.map((rule) => [rule.code, rule]));
  const judged = outcomes !== null && isJudged(outcomes.current);
  const bad = outcomes === null ? 0 : worthOf(outcomes.current, "bad").count;
  const base = outcomes === null ? { part: 0, whole: 0 } : sideShares(outcomes.current).baseRate;
  const rows = active.map((rule): Cell[] => {
    const { current, proposed } = worths.get(rule.code) ?? { current: null, proposed: null };
    const [before, after] = [current, proposed].map((side) =>
      side === null ? { part: 0, whole: 0 } : precisionOf(side.hits),
    ) as [Share, Share];
    const [was, now] = [rateText(before), rateText(after)];
    const lift = liftText(after, base);
    const found = proposed?.hits.bad.count ?? 0;
    // A share of nothing is no news.
    const share = isFew({ part: found, whole: bad }) ? "" : ` (${percent(found, bad)})`;
    const recall = found === 0 ? "-" : `${formatCount(found)}${share}`;
    const change = changeText(rule);
    return [
      rule.code,
      hitsText(rule.current),
      [hitsText(rule.proposed), ...(change === null ? [] : [change])],
      rule.proposed.mode === "live" ? formatCount(rule.alone) : "-",
      ...(judged
        ? [[now, ...(lift === "" ? [] : [lift]), ...(was === now ? [] : [`today ${was}`])], recall]
        : []),
      ...(outcomes === null ? [] : [proposed === null ? "-" : worthCell(proposed.alone.bad)]),
    ];
  });
  return {
    title: "Rules",
    what: `Hits of each rule, the largest change first. Alone: of the proposed hits, those on which no other live rule hit.${judged ? ` Right: fraud among the labelled payments that the rule hit, and how many times the base rate that is (lift). Base rate: ${shareText(base)} of the labelled payments are fraud. Of all fraud: the part that the proposed rule hits. Fraud alone: fraud on which no other live rule hit.` : ""}`,
    heads: [
      "Rule",
      "Hits today",
      "Hits proposed",
      "Alone",
      ...(judged ? ["Right", "Of all fraud"] : []),
      ...(outcomes === null ? [] : ["Fraud alone"]),
    ],
    rows,
    isWhole: true,
    notes: ruleNotes({ rules, overlap }),
  };
}

/** Hits; those of a rule in shadow are marked, because they decide nothing. */
function hitsText({ mode, hits }: DecisionRule["current"]): string {
  if (mode === null || mode === "off") return mode ?? "-";
  return mode === "shadow" ? `${formatCount(hits)} in shadow` : formatCount(hits);
}

/** What changes for a rule; null where it hits the same payments. */
function changeText({ current, proposed, both }: DecisionRule): string | null {
  if (current.mode === null) return "new";
  if (proposed.mode === null) return "gone";
  if (current.mode !== proposed.mode) return `now ${proposed.mode}`;
  if (proposed.hits !== current.hits) return signed(proposed.hits - current.hits);
  // The same number of hits, on other transactions.
  return current.mode === "shadow" || both === current.hits ? null : "moved";
}

/** Named payments of each change: of either label, or of any. */
function caseTable({ outcomes, comparison, showPersonal }: DecisionData): Table {
  const privacy = createPrivacy(showPersonal);
  const kept =
    outcomes === null
      ? comparison.flips.map(({ was, now, after }) => ({ was, now, row: after, label: null }))
      : outcomes.changes.flatMap(({ was, now, cases }) =>
          [...cases.bad, ...cases.good].map(({ row, label }) => ({ was, now, row, label })),
        );
  const rows = WORST_FIRST.flatMap(({ was, now }) => {
    const here = kept.filter((each) => each.was === was && each.now === now && each.row !== null);
    return here.slice(0, outcomes === null ? CASES_KEPT : here.length).map(({ row, label }): Cell[] => {
      const { key, origin, request, result, time, at } = row!;
      return [
        key,
        { was, now },
        ...(outcomes === null ? [] : [label ?? "no label"]),
        formatMoney(request.amount, request.currency),
        formatUtc(time ?? at),
        privacy.text(origin, request),
        privacy.text(outcomeReason(result), request),
      ];
    });
  });
  return {
    title: "Cases",
    what: `Of each change the payments of the most money, at most three${outcomes === null ? "" : " of fraud and three good ones"}; ${ALL_ROWS}. Times in UTC.`,
    heads: [
      ["Payment", "key"],
      "Change",
      ...(outcomes === null ? [] : [["Label", ""] as const]),
      "Amount",
      ["Time", "whole"],
      ["Source", "origin"],
      ["Why", "why"],
    ],
    rows,
  };
}

/** What these numbers leave open; whole sentences. */
function unknowns(data: DecisionData): string[] {
  const { outcomes, labels, total, untimed, stepMs, outOfOrder, rejected, repeats, ratesAsOf } = data;
  const known = labels.asOf === null ? "now" : `on ${formatUtc(labels.asOf)} UTC`;
  return [
    ...(outcomes === null ? [] : judgedUnknowns(outcomes, total)),
    ...labelNotes(labels),
    outcomes !== null && `Labels are those known ${known}; a chargeback may come months later.`,
    outcomes !== null &&
      ratesAsOf !== null &&
      "Money is the whole amount of payments: neither the margin on a good one nor the fee of a chargeback. Good payments are taken to pass 3-D Secure.",
    ratesAsOf === null && "The rule file has no exchange rates, so nothing is said in EUR.",
    untimed > 0 && untimedText({ untimed, total, stepMs }),
    outOfOrder > 0 && sortedText(outOfOrder),
    rejected > 0 &&
      `${counted(rejected, "line or file of the sources holds no payment, and is", "lines or files of the sources hold no payment, and are")} left out.`,
    repeats > 0 && `${counted(repeats, "identical repeat")} within 60 s left out, as the service does.`,
    "Both sides count from zero, and the answers of customers to 3-D Secure are not known.",
  ].filter((text) => text !== false);
}

/** That times are made up, at least for some payments. */
export function untimedText({
  untimed,
  total,
  stepMs,
}: Pick<DecisionData, "untimed" | "total" | "stepMs">): string {
  const step = stepMs === 0 ? "at the time of" : `${formatDuration(stepMs)} after`;
  return `${untimed === total ? "No payment has a time of its own" : `${counted(untimed, "payment has", "payments have")} no time of their own`}: each comes ${step} the one before it (--step, --start-at), so counts by time are only as good as the order of the source.`;
}

/** Which labels were of no use, or are a guess; whole sentences. */
export function labelNotes(labels: UsedLabels): string[] {
  const { assumed, unused, idleTags, late, madeAfter, turnedBad, missed, asOf } = labels;
  const after = `after ${formatUtc(asOf ?? 0)} UTC (--as-of)`;
  return [
    assumed > 0 &&
      `${counted(assumed, "payment without a label is", "payments without a label are")} counted as good, because no complaint is known.`,
    unused > 0 &&
      `${counted(unused, "label of the list belongs", "labels of the list belong")} to no payment here.`,
    idleTags.length > 0 &&
      `No payment has the tag ${idleTags.map((tag) => `"${safe(tag, { max: 40 })}"`).join(", ")} (--label-tag).`,
    late > 0 &&
      `${counted(late, "label of the list is", "labels of the list are")} left out: known ${after}.`,
    madeAfter > 0 &&
      `${counted(madeAfter, "payment was", "payments were")} made ${after} and ${madeAfter === 1 ? "counts" : "count"} on neither side.`,
    turnedBad > 0 &&
      `${counted(turnedBad, "payment is", "payments are")} known as fraud only ${after} and ${turnedBad === 1 ? "counts" : "count"} on neither side.`,
    missed > 0 &&
      `${counted(missed, "label")} of identical repeats left out: too many payments stood between.`,
  ].filter((text) => text !== false);
}

function judgedUnknowns({ current, proposed, withoutRate }: Outcomes, total: number): (string | false)[] {
  const { caught, goodBlocked, precision } = sideShares(proposed);
  const open = addWeighed(Object.values(proposed.unlabelled)).count;
  const interval = (name: string, share: Share): string | false => {
    const text = intervalText(share);
    return text !== null && `${name}: ${text}.`;
  };
  return [
    interval("Fraud blocked under the proposed rules", caught),
    interval("Good payments blocked under the proposed rules", goodBlocked),
    isJudged(current) && interval("A block of the proposed rules is right", precision),
    open > 0 &&
      `${formatCount(open)} of ${counted(total, "payment")} (${percent(open, total)}) ${open === 1 ? "has" : "have"} no label and count on neither side. If fraud is labelled sooner than good payments, a block looks right more often than it is.`,
    withoutRate > 0 &&
      `${counted(withoutRate, "labelled payment")} of a currency without a rate: counted, but without money.`,
  ];
}

/** `, 2026-03-16 00:00 to 2026-03-17 00:00 UTC` */
function spanText({ from, to }: DecisionData): string {
  return from === null || to === null ? "" : `, ${formatUtc(from)} to ${formatUtc(to)} UTC`;
}

const CHANGES_SHOWN = 12;

/** What the proposed rules change, in one sentence. */
function changesText(ruleChanges: readonly string[]): string {
  const rest = ruleChanges.length - CHANGES_SHOWN;
  const more = rest > 0 ? `; and ${formatCount(rest)} more` : "";
  return `Changed: ${ruleChanges.slice(0, CHANGES_SHOWN).join("; ") || "nothing"}${more}.`;
}

/** How it was made, for one who makes it again. */
function provenance(data: DecisionData): Fact[] {
  const { current, proposed, sources, labels, total, ratesAsOf, riskLevel } = data;
  const privacy = createPrivacy(data.showPersonal);
  return [
    ["Proposed rules", `${proposed.name}, hash ${proposed.hash}`],
    ["Rules today", `${current.name}, hash ${current.hash}`],
    [
      "Payments",
      `${formatCount(total)} of ${sources.map((source) => privacy.source(source)).join(", ")}${spanText(data)}`,
    ],
    ["Data", `hash ${data.dataHash} of the payments with their times and labels`],
    ...(labels.origins.length === 0 ? [] : [["Labels", labels.origins.join(", ")] as const]),
    ["Risk level", riskLevel ?? "the level of each payment's project"],
    ...(data.gates.length === 0 ? [] : [["Limits", data.gates.join(", ")] as const]),
    ...(ratesAsOf === null ? [] : [["Exchange rates", `of the rule file, ${ratesAsOf}`] as const]),
    [
      "Method",
      "Back-test: both rule sets decided the same payments in the order of their times, each with its own counters; nothing was sent. The same input gives the same numbers.",
    ],
    ["Personal data", privacy.masked ? "masked" : "shown in clear; handle this accordingly"],
  ];
}
