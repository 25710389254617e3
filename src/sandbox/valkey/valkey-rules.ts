// The rules of a tenant that all workers share: texts lie in the server under their digest, and the world names one of them.

import { hash } from "node:crypto";
import { storage } from "#src/contract/fault.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { Hits, RulesPlace } from "#src/sandbox/state/active-rules.ts";
import type { Valkey } from "./connection.ts";
import { pairsOf, textOf, wholeOf } from "./replies.ts";
import { damaged } from "./sealed-values.ts";
import type { KnownWorld } from "./world.ts";

/** @param file what users are told in place of a path */
export function valkeyRulesPlace(valkey: Pick<Valkey, "send">, known: KnownWorld, file: string): RulesPlace {
  const hitsKey = `${known.prefix}hits`;
  /** Of this worker. */
  let saved: Pick<RuleSet, "hash" | "text"> | undefined;
  const keyOf = (digest: string): string => `${known.prefix}ruleset:${digest}`;

  return {
    file,
    name: "rules.yaml",
    isRequired: false,
    async read() {
      const { rules } = known.world;
      if (rules === null) return null;
      if (rules === saved?.hash) return saved.text;
      const found = await valkey.send(["GET", keyOf(rules)]);
      if (found === null) throw storage`${file} has lost its rules ${rules.slice(0, 12)}; save them again.`;
      const text = textOf(found);
      if (hash("sha256", text) !== rules) throw damaged(keyOf(rules));
      return text;
    },
    async write(ruleSet) {
      await valkey.send(["SET", keyOf(ruleSet.hash), ruleSet.text, "NX"]);
      saved = ruleSet;
      await known.change((world) => ({ ...world, rules: ruleSet.hash }));
    },
    remove: async () => void (await known.change((world) => ({ ...world, rules: null }))),
    watch(onChange) {
      known.onChange(async (now, before) => {
        if (now.rules !== before.rules) await onChange();
      });
      return () => undefined;
    },
    hits: {
      async add(gathered, since) {
        const commands = [...gathered].flatMap(([code, hits]) =>
          Object.entries(hits)
            .filter(([, number]) => number)
            .map(([kind, number]) => {
              const command = kind === "lastHitAt" ? "HSET" : "HINCRBY";
              return [command, hitsKey, `${kind} ${code}`, String(number)];
            }),
        );
        await Promise.all(
          [["HSETNX", hitsKey, "since", String(since)], ...commands].map((command) => valkey.send(command)),
        );
      },
      async read() {
        const [reply] = await known.read(() => [["HGETALL", hitsKey]]);
        const all = new Map<string, Partial<Hits> & { readonly since?: number }>();
        for (const [field, number] of pairsOf(reply)) {
          const [kind = "", code = ""] = field.split(" ");
          all.set(code, { ...all.get(code), [kind]: wholeOf(Buffer.from(number)) });
        }
        return { since: all.get("")?.since ?? null, hits: all };
      },
    },
  };
}
