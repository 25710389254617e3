// What became of the payments of a back-test: by a file, by the payments themselves, by their tags, else by the history.

import type { ActionContext } from "#src/actions/action-context.ts";
import { badInput, whole } from "#src/contract/fault.ts";
import { isBad, laterLabel, type Label, type OrderLabel } from "#src/contract/records/label.ts";
import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { formatCount } from "#src/display/count.ts";
import type { LabelCounts, UsedLabels } from "#src/replay/reports/decision-data.ts";
import { readLabels } from "#src/replay/sources/label-source.ts";

/** Which labels count. */
export interface LabelChoice {
  /** A file of labels, the most trusted ones; null for none. */
  readonly file: string | null;
  /** Words of a map for a file with columns of its own. */
  readonly map?: readonly string[] | undefined;
  /** Outcomes that tags stand for; of several tags of a payment the first here counts. */
  readonly tags: ReadonlyMap<string, Label>;
  /**
   * Labels that became known later do not count, nor do payments that were made later, and what is called fraud later is no
   * good payment; null for all.
   */
  readonly asOf: Milliseconds | null;
  /** Payments without a label are taken for good ones. */
  readonly restGood: boolean;
}

/** Numbers of payments by where their label came from. */
export interface LabelUse extends LabelCounts {
  readonly file: number;
  /** From their own `outcome`. */
  readonly own: number;
  readonly tag: number;
  readonly history: number;
  /** On neither side, for any reason. */
  readonly none: number;
  /** Lines of the file that hold no label. */
  readonly rejected: number;
}

/** A payment, and when it was made; null where that is unknown. */
export interface DatedItem {
  readonly item: RunItem;
  readonly at: Milliseconds | null;
}

export interface PaymentLabels {
  /**
   * Reads the file; its bad lines are returned.
   * @throws as `readLabels`, and Fault("bad_input") for a bad line when strict or when the rest is good
   */
  open(): AsyncGenerator<RejectedLine, void, undefined>;
  /** Gives payments their labels. */
  label(payments: readonly DatedItem[]): Promise<RunItem[]>;
  /** Counts a repeat that would have changed the label of its payment, which has gone on. */
  missed(repeat: RunItem, label: Label | undefined): void;
  use(): LabelUse;
}

/** What reports say of them, their sources as people read them; the file in any case. */
export function usedLabels({ file, asOf }: LabelChoice = NO_CHOICE, use: LabelUse): UsedLabels {
  const origins = [
    [file, use.file],
    ["their own label", use.own],
    ["their tags", use.tag],
    ["the history", use.history],
  ] as const;
  const named = origins.flatMap(([name, count]) =>
    name === null || (count === 0 && name !== file) ? [] : `${formatCount(count)} from ${name}`,
  );
  return { ...use, origins: named, asOf };
}

const NO_CHOICE: LabelChoice = { file: null, tags: new Map(), asOf: null, restGood: false };

export function createPaymentLabels(
  context: ActionContext,
  { labels, strict }: { readonly labels?: LabelChoice | undefined; readonly strict: boolean },
  signal: AbortSignal,
): PaymentLabels {
  const { file, map, tags, asOf, restGood } = labels ?? NO_CHOICE;
  const listed = new Map<string, OrderLabel>();
  const met = new Set<string>();
  /** The latest of those that became known too late. */
  const later = new Map<string, OrderLabel>();
  const idleTags = new Set(tags.keys());
  const counts = {
    file: 0,
    own: 0,
    tag: 0,
    history: 0,
    assumed: 0,
    none: 0,
    late: 0,
    madeAfter: 0,
    turnedBad: 0,
    missed: 0,
    rejected: 0,
  };
  type Said = readonly [origin: keyof typeof counts, label: Label | null];

  async function* open(): AsyncGenerator<RejectedLine, void, undefined> {
    if (file === null) return;
    for await (const line of readLabels(file, signal, undefined, map)) {
      if ("orderId" in line) {
        if (asOf !== null && line.at !== null && line.at > asOf) {
          counts.late += 1;
          later.set(line.orderId, laterLabel(later.get(line.orderId) ?? null, line, null)!);
        }
        const latest = laterLabel(listed.get(line.orderId) ?? null, line, asOf);
        if (latest !== null) listed.set(line.orderId, latest);
        continue;
      }
      // A label that is left out would make its payment a good one.
      if (strict || restGood) throw badInput`${line.origin}: ${whole(line.message)}`;
      counts.rejected += 1;
      yield line;
    }
  }

  /** By the file, else by the payment alone. */
  function known({ request: { order_id: order = "" }, label, tags: own }: RunItem): Said | null {
    const [found, next] = [listed.get(order), later.get(order)];
    if (turnsBad(found?.label, next?.label)) return ["turnedBad", null];
    if (found !== undefined) return ["file", found.label];
    // What the payment itself says may be what became known later.
    if (next !== undefined) return null;
    if (label !== undefined) return ["own", label];
    const tag = [...tags].find(([name]) => own.includes(name));
    return tag === undefined ? null : ["tag", tag[1]];
  }

  async function storedLabels(
    orders: readonly string[],
    known: Milliseconds | null,
  ): Promise<ReadonlyMap<string, Label>> {
    return orders.length === 0 ? new Map() : (await context.history()).labels.of(orders, known);
  }

  return {
    open,
    async label(payments) {
      const items = payments.map(({ item }) => item);
      const said = payments.map(({ item, at }): Said | null =>
        asOf !== null && at !== null && at > asOf ? ["madeAfter", null] : known(item),
      );
      for (const { tags: own, request } of items) {
        for (const tag of own) idleTags.delete(tag);
        if (listed.has(request.order_id ?? "")) met.add(request.order_id ?? "");
      }
      const asked = items.flatMap(({ request: { order_id: order } }, i) =>
        said[i] === null && order !== undefined ? [order] : [],
      );
      const stored = await storedLabels(asked, asOf);
      const final = asOf === null ? stored : await storedLabels(asked, null);
      const rest: Said = restGood ? ["assumed", "good"] : ["none", null];
      return items.map((item, i) => {
        const order = item.request.order_id ?? "";
        const past = stored.get(order);
        const turned: Said | null = turnsBad(past, final.get(order)) ? ["turnedBad", null] : null;
        const [origin, label] = said[i] ?? turned ?? (past === undefined ? rest : ["history", past]);
        counts[origin] += 1;
        if (label === null && origin !== "none") counts.none += 1;
        const { label: _, ...unlabelled } = item;
        return label === null ? unlabelled : { ...unlabelled, label };
      });
    },
    missed(repeat, label) {
      if (![null, label].includes(known(repeat)?.[1] ?? null)) counts.missed += 1;
    },
    use: () => ({ ...counts, unused: listed.size - met.size, idleTags: [...idleTags] }),
  };
}

/** Whether what was known then is good or nothing, and what became known later is bad. */
function turnsBad(then: Label | undefined, later: Label | undefined): boolean {
  return later !== undefined && isBad(later) && !(then !== undefined && isBad(then));
}
