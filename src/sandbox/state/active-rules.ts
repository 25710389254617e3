// The active rule set of a tenant and hit counts of its rules, wherever its text and the counts are kept.

import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleOutcome } from "#src/contract/wire/explanation.ts";
import type { RuleActivity, RulesReading, RulesText } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { createTurns } from "./turns.ts";

/** What a rule did. */
export type Hits = Omit<RuleActivity, "code" | "mode">;

/** Where a tenant's own text of rules is kept, for one process or several. */
export interface RulesPlace {
  /** What users are told: a path, or the address of a server. */
  readonly file: string;
  /** What messages call its text. */
  readonly name: string;
  /** Whether there must be a valid one at the start. */
  readonly isRequired: boolean;
  /** Null where there is none, and the starter rules are active. @throws Fault */
  read(): Promise<string | null>;
  /** Resolves when the listener of `watch` was called. */
  write(ruleSet: RuleSet): Promise<void>;
  /** As `write`. @throws Fault `usage` where it may not be */
  remove(): Promise<void>;
  /** The listener resolves when a change is taken. @returns ends it */
  watch(onChange: () => Promise<void>): () => void;
  /** The last valid text, which is active after a restart while there is none; undefined where no text was. */
  readonly lastGood?: { readonly text: string | undefined; save(text: string | undefined): Promise<void> };
  /** Adds up the hits of all processes, by code. Without it those of this one are counted alone. */
  readonly hits?: {
    add(gathered: ReadonlyMap<string, Hits>, since: Milliseconds): Promise<void>;
    read(): Promise<{ since: Milliseconds | null; hits: ReadonlyMap<string, Partial<Hits>> }>;
  };
}

export interface ActiveRulesOptions {
  readonly place: RulesPlace;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet | undefined;
  readonly realNow: () => Milliseconds;
  /** Called after every change of the text, with its error or null. */
  readonly onReload: (problem: string | null) => void;
}

const STARTER = "starter-rules.yaml";
/** Hits are gathered so long before they are added to those of other processes. */
const GATHER_MS: Milliseconds = 500;
const NO_HITS: Hits = { hits: 0, shadowHits: 0, notEvaluated: 0, lastHitAt: null };

export class ActiveRules {
  readonly #place: RulesPlace;
  readonly #options: ActiveRulesOptions;
  readonly #starter: RuleSet;
  readonly #turns = createTurns();
  readonly #openedAt: Milliseconds;
  #current: RuleSet;
  #isOwn = false;
  #loadedAt: Milliseconds;
  #error: RulesReading["error"] = null;
  /** Compiled by a save: a large one takes a second. */
  #saved: RuleSet | undefined;
  #lastGood: string | undefined;
  #hits = new Map<string, { -readonly [K in keyof Hits]: Hits[K] }>();
  #gathering: NodeJS.Timeout | undefined;
  readonly #unwatch: () => void;

  private constructor(options: ActiveRulesOptions, starter: RuleSet) {
    this.#options = options;
    this.#place = options.place;
    this.#starter = this.#current = starter;
    this.#openedAt = this.#loadedAt = options.realNow();
    this.#lastGood = this.#place.lastGood?.text;
    this.#unwatch = this.#place.watch(() => this.reload());
  }

  /** @throws Fault where there must be a valid text */
  static async open(options: ActiveRulesOptions): Promise<ActiveRules> {
    const opened = new ActiveRules(options, options.ruleSet ?? (await loadStarter()));
    const first = opened.#turns.inTurn(() => opened.#takeFirst());
    first.catch(() => opened.close());
    await first;
    return opened;
  }

  /** The active rule set; read it for each decision. */
  get current(): RuleSet {
    return this.#current;
  }

  /** Null while the starter rules are active. */
  get fromFile(): string | null {
    return this.#isOwn ? this.#place.file : null;
  }

  /** Why the present text is not active; null when it is. */
  get error(): RulesReading["error"] {
    return this.#error;
  }

  async reading(): Promise<RulesReading> {
    const { name, hash, rules } = this.#current;
    await this.#addHits();
    const { since, hits } = (await this.#place.hits?.read()) ?? { since: null, hits: this.#hits };
    return {
      name,
      hash,
      file: this.#place.file,
      fromFile: this.#isOwn,
      loadedAt: this.#loadedAt,
      countedSince: since ?? this.#openedAt,
      error: this.#error,
      rules: rules.map(({ code, mode }) => ({ code, mode, ...NO_HITS, ...hits.get(code) })),
    };
  }

  /** Counts the outcomes of one decision, by rule index. */
  note({ rules }: RuleSet, outcomes: readonly RuleOutcome[]): void {
    for (let i = 0; i < rules.length; i++) {
      const { code, mode } = rules[i]!;
      const outcome = outcomes[i];
      if (outcome === "no_hit" || mode === "off") continue;
      let done = this.#hits.get(code);
      if (done === undefined) this.#hits.set(code, (done = { ...NO_HITS }));
      if (outcome === "not_evaluated") {
        done.notEvaluated += 1;
        continue;
      }
      if (mode === "shadow") done.shadowHits += 1;
      else done.hits += 1;
      done.lastHitAt = this.#options.realNow();
    }
    if (this.#place.hits === undefined) return;
    this.#gathering ??= setTimeout(() => void this.#addHits().catch(() => undefined), GATHER_MS).unref();
  }

  async #addHits(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#place.hits === undefined || this.#hits.size === 0) return;
    const gathered = this.#hits;
    this.#hits = new Map();
    await this.#place.hits.add(gathered, this.#openedAt);
  }

  /** Reads the text again. A wrong one changes nothing; without one the starter rules become active. */
  reload(): Promise<void> {
    return this.#turns.inTurn(async () => {
      await this.#take();
      this.#options.onReload(this.#error?.message ?? null);
    });
  }

  /** Text of the active rules, or the wrong one. */
  async text(): Promise<RulesText> {
    const text = await this.#place.read();
    return { text: text ?? (await readStarterText()), fromFile: text !== null };
  }

  /**
   * Replaces the text.
   * @param name of the text in messages; that of the place when absent
   * @throws Fault, with line and column, for invalid rules; then nothing is changed
   */
  async save(text: string, name = this.#place.name): Promise<void> {
    this.#saved = await loadRules(text, name);
    await this.#place.write(this.#saved);
    await this.#turns.idle();
  }

  /** Removes the text. @throws Fault `usage` when it was given as an option */
  async remove(): Promise<void> {
    await this.#place.remove();
    await this.#turns.idle();
  }

  close(): void {
    clearTimeout(this.#gathering);
    this.#unwatch();
  }

  /** @returns why the text is not active */
  async #take(): Promise<Fault | null> {
    const { realNow } = this.#options;
    try {
      const text = await this.#place.read();
      this.#current = text === null ? this.#starter : await this.#loaded(text);
      if (text !== null || this.#isOwn) this.#loadedAt = realNow();
      this.#isOwn = text !== null;
      this.#error = null;
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.#error = { message: fault.message, at: realNow() };
      return fault;
    }
    await this.#keepLastGood();
    return null;
  }

  /**
   * A sandbox may restart between two commands: the last valid rules stay active while the text is wrong. Where it cannot be
   * read, nobody knows whether it is.
   */
  async #takeFirst(): Promise<void> {
    const fault = await this.#take();
    if (fault === null) return;
    if (this.#place.isRequired || fault.code === "storage") throw fault;
    if (this.#lastGood === undefined) return;
    const found = await this.#loaded(this.#lastGood).catch(() => null);
    this.#current = found ?? this.#starter;
    this.#isOwn = found !== null;
  }

  async #loaded(text: string): Promise<RuleSet> {
    const ready = [this.#current, this.#saved].find((each) => each?.text === text);
    return ready ?? (await loadRules(text, this.#place.name));
  }

  /** After a failure the next start falls back to the starter rules. */
  async #keepLastGood(): Promise<void> {
    const text = this.#isOwn ? this.#current.text : undefined;
    if (text === this.#lastGood) return;
    this.#lastGood = text;
    await this.#place.lastGood?.save(text).catch(() => undefined);
  }
}

let starterSet: Promise<RuleSet> | undefined;

/** Once for all tenants: its own tests run when it is loaded. */
function loadStarter(): Promise<RuleSet> {
  return (starterSet ??= readStarterText().then((text) => loadRules(text, STARTER)));
}

export async function readStarterText(): Promise<string> {
  return (await import("#src/rules/rule-file/starter-rules.yaml")).default;
}
