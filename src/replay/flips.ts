// Adds up a comparison: flips (verdicts that changed against a baseline), the money behind them, and their causes.

import {
  decisiveRule,
  FLIPS_KEPT,
  sharedFlips,
  WORST_FIRST,
  type ComparedGroup,
  type Comparison,
  type Earlier,
  type EurPerUnit,
  type Flip,
  type FlipCell,
  type ItemChange,
} from "#src/contract/records/flip.ts";
import { trustedVerdict, type RunRow } from "#src/contract/records/run.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { inEur, MoneyTally, worthInEur } from "./money-tally.ts";

type Labels = Pick<Comparison, "baseline" | "run">;

/**
 * @param others items that are in one run only, and those without a trustworthy verdict on one side
 * @param flips as `Comparison` orders them
 */
export function comparisonOf(
  labels: Labels,
  groups: Iterable<ComparedGroup>,
  others: Readonly<Record<"new" | "missing" | "failed", number>>,
  flips: readonly Flip[],
  rates: EurPerUnit,
): Comparison {
  const cells = new Groups<FlipCell>(rates);
  for (const was of MILDEST_FIRST) for (const now of MILDEST_FIRST) cells.open(`${was} ${now}`, { was, now });
  const causes = new Groups<Comparison["causes"][number]>(rates);
  const projects = new Groups<Comparison["projects"][number]>(rates);
  const known = new Set<string | null>();
  for (const group of groups) {
    const { was, now, before, after, project } = group;
    cells.add(`${was} ${now}`, { was, now }, group);
    known.add(project);
    if (was === now) continue;
    if (before !== null && after !== null) {
      const cause = { was, now, before: before || null, after: after || null };
      causes.add(`${was} ${now} ${before} ${after}`, cause, group);
    }
    if (project !== null) projects.add(`${was} ${now} ${project}`, { was, now, project }, group);
  }
  const matrix = cells.read();
  const sum = (fits: (cell: FlipCell) => boolean): number =>
    matrix.filter(fits).reduce((all, { count }) => all + count, 0);
  const unchanged = sum(({ was, now }) => was === now);
  const flipped = sum(({ was, now }) => was !== now);
  return {
    ...labels,
    matrix,
    changes: { unchanged, flipped, ...others },
    compared: unchanged + flipped,
    newBlocks: sum(({ was, now }) => now === "block" && was !== "block"),
    released: sum(({ was, now }) => was === "block" && now !== "block"),
    causes: causes.read().sort(largestFirst),
    projects: known.size > 1 ? projects.read().sort(largestFirst) : [],
    flips,
  };
}

function largestFirst(a: FlipCell, b: FlipCell): number {
  return b.count - a.count || (b.eur ?? 0) - (a.eur ?? 0);
}

/** Counts and sums by name, in the order in which a name is first met. */
class Groups<C extends FlipCell> {
  readonly #rates: EurPerUnit;
  readonly #groups = new Map<
    string,
    { readonly of: Omit<C, "count" | "money" | "eur">; count: number; readonly money: MoneyTally }
  >();

  constructor(rates: EurPerUnit) {
    this.#rates = rates;
  }

  open(name: string, of: Omit<C, "count" | "money" | "eur">): { count: number; readonly money: MoneyTally } {
    let group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, (group = { of, count: 0, money: new MoneyTally() }));
    return group;
  }

  add(name: string, of: Omit<C, "count" | "money" | "eur">, part: ComparedGroup): void {
    const group = this.open(name, of);
    group.count += part.count;
    group.money.add(part.currency, part.amounts, part.amount);
  }

  read(): C[] {
    return [...this.#groups.values()].map(({ of, count, money }) => {
      const sums = money.sums();
      return { ...of, count, money: sums, eur: inEur(sums, this.#rates) } as unknown as C;
    });
  }
}

const LATEST_KEPT = 44;

/** Adds up rows as they arrive, in any order; each key of a run is taken once. */
export class FlipCounter {
  readonly #labels: Labels;
  readonly #rates: EurPerUnit;
  readonly #groups = new Map<string, ComparedGroup>();
  readonly #others = { new: 0, missing: 0, failed: 0 };
  readonly #kept: KeptFlips;
  #latest: readonly Flip[] = [];

  constructor(labels: Labels, rates: EurPerUnit) {
    this.#labels = labels;
    this.#rates = rates;
    this.#kept = new KeptFlips(rates);
  }

  /** @param earlier null for a row that the baseline does not have @param project null where all are of one */
  take(row: RunRow, earlier: Earlier | null, project: string | null = null): ItemChange {
    const was = earlier?.verdict ?? null;
    const now = trustedVerdict(row.result);
    const change = changeOf(earlier, now);
    if (change === "new" || change === "failed") this.#others[change] += 1;
    if (was === null || now === null) return change;
    const flipped = was !== now;
    const { amount, currency = null } = row.request;
    const exact = amount !== undefined && Number.isSafeInteger(amount);
    const before = flipped && earlier?.rules !== undefined ? (decisiveRule(was, earlier.rules) ?? "") : null;
    const after =
      flipped && row.result?.basis !== undefined ? (decisiveRule(now, row.result.basis.rules) ?? "") : null;
    const name = JSON.stringify([was, now, currency, before, after, project]);
    const held = this.#groups.get(name);
    this.#groups.set(name, {
      was,
      now,
      currency,
      before,
      after,
      project,
      count: (held?.count ?? 0) + 1,
      amounts: (held?.amounts ?? 0) + Number(exact),
      amount: (held?.amount ?? 0n) + BigInt(exact ? amount : 0),
    });
    if (!flipped) return change;
    const flip = { key: row.key, change, was, now, before: null, after: row };
    this.#kept.take(flip);
    this.#latest = [flip, ...this.#latest.slice(0, LATEST_KEPT - 1)];
    return change;
  }

  /** The flips that were taken last, the latest first. */
  get latest(): readonly Flip[] {
    return this.#latest;
  }

  /** So far; what is missing is not known. The earlier sides are null. */
  comparison(): Comparison {
    return comparisonOf(this.#labels, this.#groups.values(), this.#others, this.#kept.read(), this.#rates);
  }
}

/** The change of an item that is in the later run. @param earlier null for an item that the earlier one does not have */
export function changeOf(earlier: Earlier | null, now: Recommendation | null): ItemChange {
  if (earlier === null) return "new";
  if (earlier.verdict === null || now === null) return "failed";
  return earlier.verdict === now ? "unchanged" : "flipped";
}

/** Keeps the worst flips of each kind by their worth, then by their position in the sources. */
class KeptFlips {
  readonly #rates: EurPerUnit;
  readonly #kinds = WORST_FIRST.map(
    () => [] as { readonly flip: Flip; readonly eur: number; readonly seq: number }[],
  );

  constructor(rates: EurPerUnit) {
    this.#rates = rates;
  }

  take(flip: Flip): void {
    const { request, seq } = flip.after!;
    const eur = worthInEur(request, this.#rates) ?? -Infinity;
    const kind = this.#kinds[WORST_FIRST.findIndex(({ was, now }) => was === flip.was && now === flip.now)]!;
    const after = kind.findLastIndex((each) => each.eur > eur || (each.eur === eur && each.seq < seq));
    kind.splice(after + 1, 0, { flip, eur, seq });
    if (kind.length > FLIPS_KEPT) kind.pop();
  }

  read(): Flip[] {
    return sharedFlips(
      this.#kinds.flat().map(({ flip }) => flip),
      FLIPS_KEPT,
    );
  }
}
