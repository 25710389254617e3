// The workers that share a sandbox, and what each has taken of a tenant.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { SandboxMember } from "#src/contract/wire/sandbox-wire.ts";
import type { Valkey } from "./connection.ts";
import { listOf, textOf } from "./replies.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";

const BEAT_MS: Milliseconds = 2_000;
const GONE_MS: Milliseconds = 10_000;

const MEMBERS = "v:members";

/**
 * Notes that a worker lives, by the time of the server, and forgets those that have not said so for long.
 * Key: the members. Arguments: instance, facts, for how long one lives. Answers instance, time and facts of each.
 */
const BEAT = script(`
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', now, ARGV[2]))
local all, found = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  local at, facts = string.match(all[i + 1], '^(%d+) (.*)$')
  if not at or now - at > tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], all[i])
  else for _, each in ipairs({all[i], at, facts}) do found[#found + 1] = each end end
end
return found
`);

/** What a worker says of itself. */
export interface OwnFacts extends Pick<SandboxMember, "host" | "pid" | "version" | "startedAt" | "address"> {
  /** Of each tenant that it serves: digests of the world and of the rules that it knows. */
  readonly serves: Readonly<Record<string, Pick<SandboxMember, "world" | "ruleSetHash">>>;
}

export function createMembers(valkey: Pick<Valkey, "send" | "run">, instance: string, sealingKey: Buffer) {
  const placeOf = (member: string): string => `${MEMBERS} ${member}`;
  let own: (() => OwnFacts) | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** @returns instance, time and facts of each */
  async function beat(): Promise<string[]> {
    if (own === null) return [];
    const facts = sealValue(sealingKey, own(), placeOf(instance));
    return listOf(await valkey.run(BEAT, [MEMBERS], [instance, facts, String(GONE_MS)])).map(textOf);
  }

  function beatOn(): void {
    timer = setTimeout(
      () =>
        void beat()
          .catch(() => undefined)
          .finally(beatOn),
      BEAT_MS,
    ).unref();
  }

  return {
    /** Joins them, and says from then on what it is. */
    async join(facts: () => OwnFacts): Promise<void> {
      own = facts;
      await beat();
      beatOn();
    },
    /** Says it now, as it is news. */
    beat,
    /** With what each knows of a tenant. */
    async list(tenant: string): Promise<SandboxMember[]> {
      const words = await beat();
      return Array.from({ length: Math.floor(words.length / 3) }, (_, i): SandboxMember => {
        const [member, seenAt, stored] = words.slice(3 * i) as [string, string, string];
        const { serves, ...facts } = openValue(sealingKey, stored, placeOf(member)) as OwnFacts;
        const { world = null, ruleSetHash = null } = serves[tenant] ?? {};
        return { instance: member, seenAt: Number(seenAt), ...facts, world, ruleSetHash };
      }).sort((a, b) => a.startedAt - b.startedAt || (a.instance < b.instance ? -1 : 1));
    },
    async leave(): Promise<void> {
      clearTimeout(timer);
      if (own === null) return;
      own = null;
      await valkey.send(["HDEL", MEMBERS, instance]);
    },
  };
}

/** Short: it is only compared. */
export function digestOf(world: string): string {
  return hash("sha256", world).slice(0, 12);
}
