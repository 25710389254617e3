// The rules of a tenant that all workers share: texts lie in the server under their digest, and the world names one of them.

import { storage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleActivity, RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { loadStarter, readStarterText, type WatchedRules } from "#src/sandbox/state/watched-rules.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import type { Valkey } from "./connection.ts";
import { listOf, textOf, wholeOf } from "./replies.ts";
import { damaged } from "./sealed-values.ts";
import type { KnownWorld } from "./world.ts";

/** Hits are gathered so long before they are added to those of the others. */
const GATHER_MS: Milliseconds = 500;

/** What fields of hits begin with, before the code of their rule. */
const FIELDS = ["h ", "s ", "n ", "t "] as const;
const [HITS, SHADOW, UNEVALUATED, LAST] = FIELDS;

/** What messages call the text. */
const NAME = "rules.yaml";

export interface ValkeyRulesOptions {
  readonly valkey: Pick<Valkey, "send">;
  readonly known: KnownWorld;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet | undefined;
  /** What users are told in place of a path. */
  readonly place: string;
  readonly realNow: () => Milliseconds;
  /** Called after every change, with the error of the text or null. */
  readonly onReload: (problem: string | null) => void;
}

/** @throws Fault `storage` */
export async function openValkeyRules(options: ValkeyRulesOptions): Promise<WatchedRules> {
  const { valkey, known, place, realNow, onReload } = options;
  const keyOf = (hash: string): string => `${known.prefix}ruleset:${hash}`;
  const hitsKey = `${known.prefix}hits`;
  const starter = options.ruleSet ?? (await loadStarter());
  const since = realNow();
  let current = starter;
  let error: RulesReading["error"] = null;
  let loadedAt = since;
  let fromFile = false;
  /** Compiled by a save of this worker. */
  let saved: RuleSet | undefined;
  const { inTurn, idle } = createTurns();
  let gathered = new Map<string, number>();
  let gathering: NodeJS.Timeout | undefined;

  async function read(hash: string): Promise<string> {
    const text = await valkey.send(["GET", keyOf(hash)]);
    if (text !== null) return textOf(text);
    throw storage`${place} has lost its rules ${hash.slice(0, 12)}; save them again.`;
  }

  async function ruleSetOf(hash: string): Promise<RuleSet> {
    const ready = [current, saved].find((each) => each?.hash === hash);
    if (ready !== undefined) return ready;
    const loaded = await loadRules(await read(hash), NAME);
    if (loaded.hash !== hash) throw damaged(keyOf(hash));
    return loaded;
  }

  /** Rules that this worker cannot use change nothing here; its hash among the members tells. */
  async function take(): Promise<void> {
    const { rules } = known.world;
    try {
      current = rules === null ? starter : await ruleSetOf(rules);
      error = null;
      fromFile = rules !== null;
      loadedAt = realNow();
    } catch (failure) {
      error = { message: (failure as Error).message, at: realNow() };
    }
  }

  function gather(field: string, by: number): void {
    gathered.set(field, (gathered.get(field) ?? 0) + by);
    gathering ??= setTimeout(() => void addHits().catch(() => undefined), GATHER_MS).unref();
  }

  async function addHits(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    const fields = [...gathered];
    gathered = new Map();
    await Promise.all(
      fields.map(([field, by]) =>
        valkey.send([field.startsWith(LAST) ? "HSET" : "HINCRBY", hitsKey, field, String(by)]),
      ),
    );
  }

  await valkey.send(["HSETNX", hitsKey, "since", String(since)]);
  await inTurn(take);
  known.onChange(async (now, before) => {
    if (now.rules === before.rules) return;
    await inTurn(take);
    onReload(error?.message ?? null);
  });

  return {
    get current() {
      return current;
    },
    file: place,
    get fromFile() {
      return fromFile ? place : null;
    },
    get error() {
      return error;
    },
    async reading() {
      await addHits();
      const { name, hash, rules } = current;
      const fields = rules.flatMap(({ code }) => FIELDS.map((field) => field + code));
      const reply = await valkey.send(["HMGET", hitsKey, "since", ...fields]);
      const [countedSince, ...numbers] = listOf(reply).map((each) => (each === null ? null : wholeOf(each)));
      return {
        name,
        hash,
        file: place,
        fromFile,
        loadedAt,
        countedSince: countedSince ?? since,
        error,
        rules: rules.map(({ code, mode }, index): RuleActivity => {
          const [hits, shadowHits, notEvaluated] = numbers.slice(4 * index).map((number) => number ?? 0);
          const lastHitAt = numbers[4 * index + 3] ?? null;
          return { code, mode, hits: hits!, shadowHits: shadowHits!, notEvaluated: notEvaluated!, lastHitAt };
        }),
      };
    },
    note({ rules }, outcomes) {
      for (let i = 0; i < rules.length; i++) {
        const { code, mode } = rules[i]!;
        if (outcomes[i] === "no_hit" || mode === "off") continue;
        if (outcomes[i] === "not_evaluated") gather(UNEVALUATED + code, 1);
        else {
          gather((mode === "shadow" ? SHADOW : HITS) + code, 1);
          gathered.set(LAST + code, realNow());
        }
      }
    },
    async reload() {
      await known.reload();
      await inTurn(take);
      onReload(error?.message ?? null);
    },
    async text() {
      const { rules } = known.world;
      const text = rules === null ? await readStarterText() : await read(rules);
      return { text, fromFile: rules !== null };
    },
    async save(text, name = NAME) {
      const loaded = await loadRules(text, name);
      await valkey.send(["SET", keyOf(loaded.hash), text, "NX"]);
      saved = loaded;
      await known.change((world) => ({ ...world, rules: loaded.hash }));
      await idle();
    },
    async remove() {
      await known.change((world) => ({ ...world, rules: null }));
      await idle();
    },
    close: () => clearTimeout(gathering),
  };
}
