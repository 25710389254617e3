// The rules of a tenant that all workers share: texts lie in the server under their digest, and the world names one of them.

import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleActivity, RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { createRuleSetHolder } from "#src/rules/rule-set-holder.ts";
import {
  loadStarter,
  readStarterText,
  STARTER,
  type WatchedRules,
} from "#src/sandbox/decisions/watched-rules.ts";
import type { Valkey } from "./connection.ts";
import { script } from "./scripts.ts";
import type { KnownWorld } from "./world.ts";

/** Key: the hits. Arguments: pairs of a field and what it grows by; a field of times gets the time. */
const ADD_HITS = script(`
for i = 1, #ARGV, 2 do
  if string.sub(ARGV[i], 1, 2) == 't ' then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  else redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
`);

/** Hits are gathered so long before they are added to those of the others. */
const GATHER_MS: Milliseconds = 500;

/** What messages call the text. */
const NAME = "rules.yaml";

export interface ValkeyRulesOptions {
  readonly valkey: Pick<Valkey, "send" | "run">;
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
  const startHolder = () => createRuleSetHolder({ ruleSet: starter, sourceName: STARTER }, realNow);
  let holder = startHolder();
  let error: RulesReading["error"] = null;
  let loadedAt = realNow();
  let fromFile = false;
  /** Compiled by a save of this worker. */
  let saved: RuleSet | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let gathered = new Map<string, number>();
  let gathering: NodeJS.Timeout | undefined;

  async function read(hash: string): Promise<string> {
    const text = await valkey.send(["GET", keyOf(hash)]);
    if (text !== null) return String(text);
    throw new Fault("storage", `${place} has lost its rules ${hash.slice(0, 12)}; save them again.`);
  }

  /** Rules that this worker cannot use change nothing here; its hash among the members tells. */
  async function take(): Promise<void> {
    const { rules } = known.world;
    try {
      if (rules === null) {
        holder = startHolder();
        error = null;
      } else {
        const text = saved?.hash === rules ? saved.text : await read(rules);
        const { error: fault } = await holder.reload(text, NAME, saved);
        if (fault !== null) throw fault;
        error = null;
      }
      fromFile = rules !== null;
      loadedAt = realNow();
    } catch (failure) {
      const { message } = failure as Error;
      error = { message, at: realNow() };
    }
  }

  function takeInTurn(): Promise<void> {
    const mine = turn.then(take);
    turn = mine;
    return mine;
  }

  function gather(field: string, by: number): void {
    gathered.set(field, (gathered.get(field) ?? 0) + by);
    gathering ??= setTimeout(() => void addHits().catch(() => undefined), GATHER_MS).unref();
  }

  async function addHits(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    if (gathered.size === 0) return;
    const fields = [...gathered].flatMap(([field, by]) => [field, String(by)]);
    gathered = new Map();
    await valkey.run(ADD_HITS, [hitsKey], fields);
  }

  const since = realNow();
  await valkey.send(["HSETNX", hitsKey, "since", String(since)]);
  await takeInTurn();
  known.onChange(async (now, before) => {
    if (now.rules === before.rules) return;
    await takeInTurn();
    onReload(error?.message ?? null);
  });

  return {
    get current() {
      return holder.current;
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
      const { name, hash, rules } = holder.current;
      const fields = rules.flatMap(({ code }) => ["h", "s", "n", "t"].map((kind) => `${kind} ${code}`));
      const reply = await valkey.send(["HMGET", hitsKey, "since", ...fields]);
      const [countedSince, ...numbers] = (reply as readonly (Buffer | null)[]).map((each) =>
        each === null ? null : Number(each),
      );
      return {
        name,
        hash,
        file: place,
        fromFile,
        loadedAt,
        countedSince: countedSince ?? since,
        error,
        rules: rules.map(({ code, mode }, index): RuleActivity => {
          const [hits, shadowHits, notEvaluated, lastHitAt] = numbers.slice(4 * index);
          return {
            code,
            mode,
            hits: hits ?? 0,
            shadowHits: shadowHits ?? 0,
            notEvaluated: notEvaluated ?? 0,
            lastHitAt: lastHitAt ?? null,
          };
        }),
      };
    },
    note({ rules }, outcomes) {
      for (let i = 0; i < rules.length; i++) {
        const { code, mode } = rules[i]!;
        if (outcomes[i] === "no_hit" || mode === "off") continue;
        if (outcomes[i] === "not_evaluated") gather(`n ${code}`, 1);
        else {
          gather(`${mode === "shadow" ? "s" : "h"} ${code}`, 1);
          gathered.set(`t ${code}`, realNow());
        }
      }
    },
    async reload() {
      await known.reload();
      await takeInTurn();
      onReload(error?.message ?? null);
    },
    async text() {
      const { rules } = known.world;
      return rules === null
        ? { text: await readStarterText(), fromFile: false }
        : { text: await read(rules), fromFile: true };
    },
    async save(text, name = NAME) {
      const loaded = await loadRules(text, name);
      await valkey.send(["SET", keyOf(loaded.hash), text, "NX"]);
      saved = loaded;
      await known.change((world) => ({ ...world, rules: loaded.hash }));
      await turn;
    },
    async remove() {
      await known.change((world) => ({ ...world, rules: null }));
      await turn;
    },
    close: () => clearTimeout(gathering),
  };
}
