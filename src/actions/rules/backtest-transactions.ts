// The transactions of a back-test, one by one in the order of their time: what happened, when, and in which project.

import { hash } from "node:crypto";
import type { ActionContext } from "#src/actions/action-context.ts";
import { oldestFirst } from "#src/actions/history/find-history.ts";
import { sourcePlaces } from "#src/actions/replay/replay-places.ts";
import { sorterOf } from "#src/actions/replay/time-order.ts";
import { interrupted } from "#src/contract/fault.ts";
import type { Label } from "#src/contract/records/label.ts";
import type { ThreeDsStops } from "#src/contract/records/outcome-shares.ts";
import { type AmountUnit, registrationNumbering } from "#src/contract/records/profile.ts";
import type { RejectedLine, RunItem } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import type { Recorded } from "#src/replay/sources/source-items.ts";
import { createTimeline } from "#src/replay/sources/timeline.ts";
import { readSources, type SourcePlaces } from "#src/replay/sources/source.ts";
import type { TimeSorter } from "#src/storage/database/time-sorter.ts";
import {
  createPaymentLabels,
  type LabelChoice,
  type LabelUse,
  type PaymentLabels,
} from "./payment-labels.ts";
import { inIso4217, inMinorUnits } from "#src/rules/decision/situation.ts";
import type { DecisionInput, ProjectFacts } from "#src/rules/decision/situation.ts";

/** Timers and signals have their turn after so many lines. */
const BATCH = 500;
/** An identical repeat within this time is the same payment, as for the service (2-contract: idempotent repeat). */
const REPEAT_MS: Milliseconds = 60_000;
/** Orders that are remembered at most, as the service does. */
const ORDERS_KEPT = 200_000;
/** Payments at most that wait for the label of an identical repeat. */
const HELD = 10_000;

/** Where the transactions of a back-test come from, and what is taken for those that do not say it. */
export interface TransactionsInput {
  /** As of a replay: files, folders, saved payloads, `history:<filter>`, `run:<id>`, `-`. */
  readonly sources: readonly string[];
  /** Decides for every transaction; null for the level of the project that it was sent to, medium where there is none. */
  readonly riskLevel: RiskLevel | null;
  /** Time of a first transaction without one, and from one to the next. */
  readonly startAt: Milliseconds;
  readonly stepMs: Milliseconds;
  /** Unit of the amounts of a profile. */
  readonly unitOf: (profile: string) => AmountUnit;
  /** True to stop at the first bad line. */
  readonly strict: boolean;
  readonly stdin: AsyncIterable<Uint8Array> | null;
  /** Columns of CSV sources that are left out. */
  readonly ignoredColumns?: readonly string[] | undefined;
  /** What became of the payments; absent for what they say themselves. */
  readonly labels?: LabelChoice | undefined;
  /** Shares of the fraud sent to 3-D Secure that it may stop; absent for none and all. */
  readonly threeDsStops?: ThreeDsStops | undefined;
}

interface Payment {
  /** Amounts are in minor units, whatever the unit of the profile; its label is the one that counts. */
  readonly item: RunItem;
  /** As the source has it, in the unit and numbering of the profile. */
  readonly sent: CheckRequest;
  readonly facts: DecisionInput;
  /** SHA-256 of its request: the same content has the same one. */
  readonly digest: string;
  /** Key of the project that it was sent to; null where nobody knows. */
  readonly project: string | null;
  /** False where nobody knew the time, and one was made up. */
  readonly timed: boolean;
}

interface Rejected {
  readonly rejected: RejectedLine;
}

export type BacktestLine =
  | Rejected
  | Payment
  /** The same order with the same content again: the service gives its stored answer and counts nothing. */
  | { readonly repeated: RunItem };

export interface BacktestReading {
  /**
   * @throws Fault("usage") for a source that is not there, Fault("bad_input") for a bad line when strict, Fault("interrupted")
   */
  readonly lines: AsyncIterable<BacktestLine>;
  /** Share of the sources that was read, 0..1; null where it cannot be known. */
  fraction(): number | null;
  /** Transactions before which their sources have a later one, so that all were sorted. */
  outOfOrder(): number;
  /** So far. */
  labels(): LabelUse;
}

/** A payment of a source, with its time. */
interface Taken {
  readonly item: RunItem;
  readonly place: Recorded["place"];
  readonly at: Milliseconds;
  readonly timed: boolean;
}

/** Reads the sources of a back-test, in flat memory. */
export function readTransactions(
  context: ActionContext,
  input: TransactionsInput,
  signal: AbortSignal,
): BacktestReading {
  const history = { started: false, done: 0, all: 0 };
  let fraction: () => number | null = () => null;

  const labels = createPaymentLabels(context, input, signal);
  let sorter: TimeSorter<Taken> | null = null;

  /** In the order of the sources. */
  async function* inPlace(places: SourcePlaces): AsyncGenerator<Rejected | Taken> {
    const reading = readSources(input.sources, places, { strict: input.strict, signal });
    const alone = input.sources.length === 1 && input.sources[0]!.startsWith("history:");
    fraction = alone
      ? () => (history.all === 0 ? null : history.done / history.all)
      : () => reading.fraction();
    const timeline = createTimeline(input);
    for await (const line of reading.lines) {
      if ("rejected" in line) yield line;
      else yield { item: line.item, place: line.recorded?.place ?? null, ...timeline.next(line.recorded) };
    }
  }

  /** In the order of their time, with bad lines before all others where they must be sorted. */
  async function* inTime(places: SourcePlaces): AsyncGenerator<Rejected | Taken> {
    sorter = await sorterOf(input.sources, places, input, signal);
    if (sorter === null) return yield* inPlace(places);
    try {
      for await (const line of inPlace(places)) {
        if ("at" in line) sorter.add(line.at, line);
        else yield line;
      }
      let done = 0;
      fraction = () => done / sorter!.count;
      for (const taken of sorter.sorted()) {
        yield taken;
        done += 1;
      }
    } finally {
      sorter.close();
    }
  }

  async function* lines(): AsyncGenerator<Rejected | Payment> {
    const projectOf = createProjects(context, input);
    let count = 0;
    for await (const line of inTime(await placesOf(context, input, history))) {
      if (count++ % BATCH === 0) await breathe(signal);
      if (!("at" in line)) {
        yield line;
        continue;
      }
      const { at, timed } = line;
      const { project: given, unit } = await projectOf(line.place);
      const onTheWire = { request: line.item.request, project: given, now: at };
      const { currencyNumbering = "iso-4217" } = context.profile;
      const read = inIso4217(onTheWire, currencyNumbering, registrationNumbering(context.profile));
      const facts = inMinorUnits(read, unit);
      const item = { ...line.item, request: facts.request };
      const digest = hash("sha256", JSON.stringify(facts.request), "base64");
      yield { item, sent: line.item.request, facts, digest, project: line.place?.project ?? null, timed };
    }
  }

  return {
    lines: labelled(lines(), labels, signal),
    fraction: () => fraction(),
    outOfOrder: () => sorter?.outOfOrder ?? 0,
    labels: () => labels.use(),
  };
}

/** Other events have their turn. @throws Fault("interrupted") */
async function breathe(signal: AbortSignal): Promise<void> {
  await systemClock.yieldToEvents();
  if (signal.aborted) throw interrupted`Stopped; nothing was sent, and nothing was changed.`;
}

/** A payment that waits for its label; without the payment once it has gone on, with the label that counts. */
interface Held {
  payment: Payment | null;
  label?: Label | undefined;
}

/** Leaves repeats out and gives payments their labels: some at a time, because the history is asked for them. */
async function* labelled(
  lines: AsyncIterable<Rejected | Payment>,
  labels: PaymentLabels,
  signal: AbortSignal,
): AsyncGenerator<BacktestLine> {
  for await (const rejected of labels.open()) yield { rejected };
  const firstOf = createRepeats();
  const held: Held[] = [];
  async function* release(): AsyncGenerator<BacktestLine> {
    await breathe(signal);
    const batch = held.splice(0, BATCH);
    const items = await labels.label(
      batch.map(({ payment }) => ({ item: payment!.item, at: payment!.timed ? payment!.facts.now : null })),
    );
    for (const [i, each] of batch.entries()) {
      const item = items[i]!;
      yield { ...each.payment!, item };
      Object.assign(each, { payment: null, label: item.label });
    }
  }
  for await (const line of lines) {
    if ("rejected" in line) {
      yield line;
      continue;
    }
    const { item, facts } = line;
    const waiting: Held = { payment: line };
    const first = firstOf(line, waiting);
    if (first !== null) {
      if (first.payment === null) labels.missed(item, first.label);
      else first.payment = { ...first.payment, item: withLabelOf(first.payment.item, item) };
      yield { repeated: item };
      continue;
    }
    held.push(waiting);
    const last = held[BATCH - 1]?.payment?.facts.now ?? facts.now;
    if (facts.now - last >= REPEAT_MS || held.length === HELD) yield* release();
  }
  while (held.length > 0) yield* release();
}

/** What a repeat says of its payment was written later. */
function withLabelOf(item: RunItem, { label = item.label, tags }: RunItem): RunItem {
  return { ...item, ...(label !== undefined && { label }), tags: [...new Set([...item.tags, ...tags])] };
}

/** The history from its oldest entry on and in flat memory. */
async function placesOf(
  context: ActionContext,
  input: TransactionsInput,
  progress: { started: boolean; done: number; all: number },
): Promise<SourcePlaces> {
  return {
    ...(await sourcePlaces(context, input.stdin)),
    ignoredColumns: input.ignoredColumns,
    async *history(filter) {
      const entries = oldestFirst(context, filter.trim() === "" ? undefined : filter, (done, all) => {
        // Before the first entry it is the search that goes on.
        if (progress.started) Object.assign(progress, { done, all });
      });
      for await (const entry of entries) {
        progress.started = true;
        yield entry;
      }
    },
  };
}

interface ProjectRead {
  readonly project: ProjectFacts;
  readonly unit: AmountUnit;
}

/** What rules may know of a project: from the registration, else from its key. Each is looked up once. */
function createProjects(
  context: ActionContext,
  { riskLevel, unitOf }: TransactionsInput,
): (place: Recorded["place"]) => Promise<ProjectRead> {
  const nowhere: ProjectRead = {
    project: { projectId: "back-test", riskLevel: riskLevel ?? "medium", currency: null },
    unit: context.profile.amountUnit,
  };
  const known = new Map<string, ProjectRead>();
  return async (place) => {
    if (place === null) return nowhere;
    const name = `${place.profile}\n${place.project}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const project = await (await context.projects()).get(place.profile, place.project);
    const facts = {
      projectId: project?.projectId ?? `${place.profile}:${place.project}`,
      riskLevel: riskLevel ?? project?.riskLevel ?? levelOf(place.project) ?? "medium",
      currency: project?.currency ?? null,
    };
    const read = { project: facts, unit: unitOf(place.profile) };
    known.set(name, read);
    return read;
  };
}

/** `<merchant_id>/<risk_level>` */
function levelOf(projectKey: string): RiskLevel | undefined {
  const last = projectKey.slice(projectKey.lastIndexOf("/") + 1);
  return RISK_LEVELS.find((level) => level === last);
}

/** Finds the payment that another one repeats; null for one that is new, which is remembered. */
function createRepeats(): (payment: Payment, held: Held) => Held | null {
  const orders = new Map<
    string,
    { readonly digest: string; readonly at: Milliseconds; readonly held: Held }
  >();
  return ({ facts: { request, project, now: at }, digest }, held) => {
    if (request.order_id === undefined) return null;
    const order = `${project.projectId}\n${request.order_id}`;
    const before = orders.get(order);
    if (before?.digest === digest && at >= before.at && at - before.at < REPEAT_MS) return before.held;
    orders.delete(order);
    orders.set(order, { digest, at, held });
    for (const [oldest, kept] of orders) {
      if (orders.size <= ORDERS_KEPT && at - kept.at < REPEAT_MS) break;
      orders.delete(oldest);
    }
    return null;
  };
}
