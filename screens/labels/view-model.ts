// The Labels screen as rows: the labelled orders, what is known of one, and how well the rules caught them. Pure.

import { isBad, LABELS, type Label, type LabelledOrder } from "#src/contract/records/label.ts";
import { allOf, precisionOf } from "#src/contract/records/outcome-shares.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { RuleRecords } from "#src/contract/records/rule-record.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { formatMoney } from "#src/display/money.ts";
import { liftFigure, rateText } from "#src/display/outcome-words.ts";
import { safe } from "#src/display/safe.ts";
import { formatMoment } from "#src/display/time.ts";
import { verdictKinds } from "#src/display/verdict.ts";
import type { LabelsState } from "#src/state/history/labels.ts";
import type { ListColumn } from "#src/ui/list.ts";
import { listingView, type Listing, type ListingView } from "#src/ui/listing-view.ts";
import { Page } from "#src/ui/page.ts";
import { textRows, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";

interface Options {
  readonly theme: Theme;
  readonly unit: Profile["amountUnit"];
  /** Local wall time in ms since the epoch. */
  readonly now: number;
}

/** @param state `listed` are the orders that the filter lets through: what an audience sees of its words finds nothing */
export function labelsView(
  state: LabelsState & { readonly listed: readonly LabelledOrder[] },
  size: Size,
  options: Options,
): ListingView {
  const { theme, now } = options;
  const { counts, filter, listed } = state;
  const selected = listed.find(({ orderId }) => orderId === state.selectedId) ?? listed[0] ?? null;
  const known = LABELS.filter((label) => counts[label] > 0);
  const sums = known.map((label) => `${formatCount(counts[label])} ${label}`).join(", ");
  const time = ({ at }: LabelledOrder): string => (at === null ? "no time" : formatMoment(at, now));
  const listing: Listing<LabelledOrder> = {
    items: listed,
    selected,
    columns: [
      {
        title: "Order",
        by: "order",
        share: 1,
        least: 12,
        cut: "start",
        cell: ({ orderId }) => safe(orderId, { max: 128 }),
      },
      { title: "Label", by: "label", width: 10, cell: ({ label }) => [{ text: label, role: roleOf(label) }] },
      { title: "As of", by: "time", width: 11, cell: time },
      { title: "Set", width: 4, from: 60, align: "right", cell: (order) => formatCount(order.known.length) },
    ],
    sort: state.sort,
    title: "Labels",
    filter,
    empty: emptyText(state, theme),
    facts: (columns) => (sums === "" ? [] : textRows(`${sums}.`, columns, theme)),
    detail: { title: selected === null ? "Rules" : safe(selected.orderId, { max: 60 }), cut: "start" },
    detailRows(columns) {
      const page = new Page(columns, theme);
      if (selected !== null) orderLines(page, selected, state.checks, options);
      if (state.records !== null) ruleLines(page, state.records, state.since);
      return page.rows;
    },
  };
  return listingView(listing, state, { least: 44, share: 0.5, most: 90 }, size, theme);
}

const roleOf = (label: Label): "warning" | null => (isBad(label) ? "warning" : null);

function emptyText({ orders, filter, fault }: LabelsState, { keyName }: Theme): string {
  if (fault !== null) return safe(fault, { max: 600 });
  if (orders === null) return "Reading the labels.";
  if (filter !== "") return `No label matches the filter; ${keyName("labels.back")} shows all.`;
  return (
    "No order has a label yet.\n\nA label says what became of a payment: fraud, chargeback, refund or good. " +
    "Labels show which rules catch fraud, and which rules disturb good customers.\n\n" +
    `${keyName("labels.actions")} imports a file of labels, or sets one label.`
  );
}

/** Its labels, the one in effect first, and its checks. */
function orderLines(page: Page, order: LabelledOrder, checks: LabelsState["checks"], options: Options): void {
  const { theme, unit, now } = options;
  const newest = order.known.toReversed().toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));
  for (const { label, at } of newest) {
    page.field(label, at === null ? "without a time" : `as of ${formatMoment(at, now)}`, roleOf(label));
  }
  page.heading("Checks");
  if (checks?.orderId !== order.orderId) return page.text("Reading the checks.");
  const own = checks.entries.filter(({ request }) => request.order_id === order.orderId);
  if (own.length === 0) page.text("The history has no check of this order.");
  for (const entry of own) {
    const { amount, currency } = entry.request;
    const hits =
      entry.explanation?.rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live") ?? [];
    page.spans([
      { text: `${formatMoment(entry.at, now)}  ` },
      ...verdictSpans(verdictKinds(entry), theme),
      { text: `  ${formatMoney(amount, currency, unit)}  ` },
      { text: hits.map(({ code }) => safe(code, { max: 40 })).join(", "), role: "quiet" },
    ]);
  }
}

/** The rules that hit, the most frequent one first: how many, and which part of the labelled ones was fraud. */
function ruleLines(page: Page, { labelled, checks, rules }: RuleRecords, since: string): void {
  const { bad, good } = labelled;
  page.heading(`Rules since ${safe(since)}`);
  page.text(
    `${counted(checks, "check")}: ${formatCount(bad)} fraudulent, ${formatCount(good)} good${bad * good === 0 ? "" : `; base rate ${percent(bad, bad + good)}`}.`,
  );
  const items = [...rules]
    .map(([code, { hits }]) => ({ code, hits, count: allOf(hits).count, share: precisionOf(hits) }))
    .toSorted((one, other) => other.count - one.count);
  if (items.length === 0) return page.text("No rule has hit since then.");
  const columns: readonly ListColumn<(typeof items)[number]>[] = [
    { title: "Rule", share: 1, least: 8, cell: ({ code }) => safe(code, { max: 60 }) },
    { title: "Hits", least: 4, align: "right", cell: ({ count }) => formatCount(count) },
    { title: "Bad", least: 3, align: "right", cell: ({ hits }) => formatCount(hits.bad.count) },
    { title: "Good", least: 4, align: "right", cell: ({ hits }) => formatCount(hits.good.count) },
    {
      title: "Fraud",
      least: 5,
      align: "right",
      cell: ({ share }) => (bad * good === 0 ? "-" : rateText(share)),
    },
    {
      title: "Lift",
      least: 4,
      align: "right",
      cell: ({ share }) => liftFigure(share, { part: bad, whole: bad + good }),
    },
  ];
  page.table(columns, items);
}
