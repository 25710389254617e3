// State of a tenant on a server: accounts, clock and used signatures. What is counted and decided is in valkey-decisions.ts.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import {
  addStoredKey,
  companiesOf,
  holderOf,
  holdersOf,
  makeCompanies,
  merchantKey,
  projectOf,
  storedProject,
  type StoredCompanies,
  type StoredProject,
} from "#src/sandbox/state/accounts.ts";
import { FINGERPRINT_BYTES } from "#src/sandbox/state/fingerprint-set.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import {
  QuotaReached,
  type Company,
  type KeyHolder,
  type SandboxProject,
  type SandboxState,
} from "#src/sandbox/state/sandbox-state.ts";
import type { SecretBox } from "#src/sandbox/state/secret-box.ts";
import type { Valkey } from "./connection.ts";
import { pairsOf, saidOf, textOf, wholeOf, type Reply } from "./replies.ts";
import { damaged, openValue, sealValue } from "./sealed-values.ts";
import type { Durability } from "./durability.ts";
import { script } from "./scripts.ts";
import { openValkeyDecisions } from "./valkey-decisions.ts";
import { changeScript, IN_WORLD, type KnownWorld } from "./world.ts";

/** Key id -> tenant, of all tenants. */
export const OWNERS = "v:keys";

/** Hashes of an epoch: accounts of it by project id, but for those that say otherwise. */
export const PROJECTS = {
  /** When it was registered, for scripts, and sealed StoredProject, without the age. */
  records: "projects",
  /** By key id: project id. */
  keys: "keys",
  /** By `merchantKey`: project id. */
  merchants: "merchants",
  /** Age floor; none is 0. */
  ages: "ages",
} as const;

/** Sealed StoredCompanies. */
export function accountsKey(prefix: string): string {
  return `${prefix}accounts`;
}

export interface ValkeyStateOptions {
  readonly valkey: Valkey;
  readonly known: KnownWorld;
  /** Of the tenant. */
  readonly name: string;
  /** The same for all workers. */
  readonly box: SecretBox;
  readonly issuer: Issuer;
  /** Companies made where there are none. */
  readonly companies: number;
  readonly limits: Pick<SandboxLimits, "repeatMs" | "replayCapacity">;
  /** How long a signature could be replayed, each way. */
  readonly windowMs: Milliseconds;
  readonly realNow: () => Milliseconds;
  readonly confirmed: Durability;
}

/**
 * Registers a project unless its merchant has one. Keys: world, merchants, records, keys, ages, owners. Arguments: world,
 * merchant, project id, record, key id, age, tenant, how many there may be. Answers `taken`, `full` or `registered`.
 */
const REGISTER = script(`${IN_WORLD}
if call('HEXISTS', KEYS[2], ARGV[2]) == 1 then return {'taken'} end
if call('HLEN', KEYS[3]) >= tonumber(ARGV[8]) then return {'full'} end
call('HSET', KEYS[2], ARGV[2], ARGV[3])
call('HSET', KEYS[3], ARGV[3], ARGV[4])
call('HSET', KEYS[4], ARGV[5], ARGV[3])
if ARGV[6] ~= '0' then call('HSET', KEYS[5], ARGV[3], ARGV[6]) end
call('HSET', KEYS[6], ARGV[5], ARGV[7])
return {'registered'}
`);

/** Replaces the companies, unless another worker was first. Keys: world, accounts, owners. Arguments: world, before, after, key id, tenant. */
const ADD_KEY = script(`${IN_WORLD}
if call('GET', KEYS[2]) ~= ARGV[2] then return {'other'} end
call('SET', KEYS[2], ARGV[3])
call('HSET', KEYS[3], ARGV[4], ARGV[5])
return {'added'}
`);

/** Keys: world, records, ages. Arguments: world, project id, age. */
const KEEP_AGE = script(`${IN_WORLD}
local before = tonumber(call('HGET', KEYS[3], ARGV[2]) or '0')
if call('HEXISTS', KEYS[2], ARGV[2]) == 1 and tonumber(ARGV[3]) > before then call('HSET', KEYS[3], ARGV[2], ARGV[3]) end
return {'kept'}
`);

/** Keys: world, records, ages. Argument beyond those of a change: the time at which each age is kept. */
const KEEP_AGES = changeScript(`
local records = call('HGETALL', KEYS[2])
for i = 1, #records, 2 do
  local age = tonumber(ARGV[5]) - tonumber(string.match(records[i + 1], '^%S+'))
  if age > tonumber(call('HGET', KEYS[3], records[i]) or '0') then
    call('HSET', KEYS[3], records[i], string.format('%.0f', age))
  end
end
`);

const FORGET_AGES = changeScript("call('DEL', KEYS[3])");

/**
 * Remembers a signature in the set of the minute that it was signed in, as UsedSignatures does. The hash beside the sets has how
 * many are in each, and the floor: a set that is not as large as that was lost, and then nobody knows what was in it.
 * Keys: world, that hash, whose name begins those of the sets. Arguments: world, fingerprint, its minute, the lowest minute of
 * the window, capacity, seconds to keep a set.
 */
const REMEMBER = script(`${IN_WORLD}
local minute, lowest = tonumber(ARGV[3]), tonumber(ARGV[4])
local sizes = call('HGETALL', KEYS[2])
local floor, total, raised = tonumber(call('HGET', KEYS[2], 'floor') or '0'), 0, false
for i = 1, #sizes, 2 do
  local each = tonumber(sizes[i])
  if each and each < lowest then
    call('UNLINK', KEYS[2] .. ':' .. sizes[i])
    call('HDEL', KEYS[2], sizes[i])
    if each >= floor then floor, raised = each + 1, true end
  elseif each then
    total = total + tonumber(sizes[i + 1])
  end
end
if raised then call('HSET', KEYS[2], 'floor', floor) end
if minute < floor then return {'forgotten'} end
local set = KEYS[2] .. ':' .. ARGV[3]
if call('SISMEMBER', set, ARGV[2]) == 1 then return {'seen'} end
if total >= tonumber(ARGV[5]) then return {'full'} end
call('SADD', set, ARGV[2])
local size = call('HINCRBY', KEYS[2], ARGV[3], 1)
if size == 1 then
  call('EXPIRE', set, ARGV[6])
elseif size ~= call('SCARD', set) then
  call('HSET', KEYS[2], 'floor', minute + 1)
  return {'forgotten'}
end
return {'new'}
`);

const MINUTE_MS: Milliseconds = 60_000;

/** @throws Fault `storage`, or `corrupt` for secrets that are sealed with another key */
export async function openValkeyState(options: ValkeyStateOptions): Promise<SandboxState> {
  const { valkey, known, name: tenant, box, issuer, limits, windowMs, confirmed } = options;
  const ownAccounts = accountsKey(known.prefix);
  const seenKey = `${known.prefix}seen`;
  /** Found before, and valid for as long as the epoch. */
  const holders = new Map<string, KeyHolder>();
  const projects = new Map<string, SandboxProject>();
  let companies: readonly Company[] = [];
  let integrationKeys = new Map<string, KeyHolder>();
  let accountsText = "";

  const made = sealValue(box, makeCompanies(issuer, options.companies), ownAccounts);
  await valkey.send(["SET", ownAccounts, made, "NX"]);
  const stored = takeAccounts(await valkey.send(["GET", ownAccounts]));
  const owned = [...integrationKeys.keys()].flatMap((keyId) => [keyId, tenant]);
  if (owned.length > 0) await valkey.send(["HSET", OWNERS, ...owned]);

  const decisions = openValkeyDecisions({
    valkey,
    known,
    secret: stored.countingSecret,
    issuer,
    repeatMs: limits.repeatMs,
    realNow: options.realNow,
  });

  function takeAccounts(reply: Reply | undefined): StoredCompanies {
    const text = String(reply);
    const taken = openValue(box, text, ownAccounts) as StoredCompanies;
    if (text !== accountsText) {
      companies = companiesOf(taken);
      integrationKeys = holdersOf(companies);
      accountsText = text;
    }
    return taken;
  }

  known.onChange((now, before) => {
    // With the clock go the ages.
    projects.clear();
    if (now.epoch !== before.epoch) holders.clear();
  });

  const placeOf = (projectId: string): string => `${known.prefix}${PROJECTS.records} ${projectId}`;

  /** @param record of PROJECTS. @param age its floor */
  function read(projectId: string, record: Reply | undefined, age: Reply | undefined): SandboxProject {
    const [registeredAt, sealed = null] = textOf(record).split(" ");
    const stored = openValue(box, sealed, placeOf(projectId)) as StoredProject;
    if (registeredAt !== String(stored.registeredAt)) throw damaged(placeOf(projectId));
    return projectOf({ ...stored, ageFloorMs: age == null ? 0 : wholeOf(age) });
  }

  async function byId(projectId: string): Promise<SandboxProject | null> {
    const [record, age] = await known.read((own) => [
      ["HGET", own + PROJECTS.records, projectId],
      ["HGET", own + PROJECTS.ages, projectId],
    ]);
    return record === null ? null : read(projectId, record, age);
  }

  /** Keeps what is found, unless it may be of an epoch that is over. */
  async function cached<T>(
    cache: Map<string, T>,
    id: string,
    find: (id: string) => Promise<T | null>,
  ): Promise<T | null> {
    const there = cache.get(id);
    if (there !== undefined) return there;
    const { text } = known;
    const found = await find(id);
    if (found !== null && known.text === text) cache.set(id, found);
    return found;
  }

  async function findHolder(keyId: string): Promise<KeyHolder | null> {
    const [text, projectId] = await known.read((own) => [
      ["GET", ownAccounts],
      ["HGET", own + PROJECTS.keys, keyId],
    ]);
    takeAccounts(text);
    if (projectId === null) return integrationKeys.get(keyId) ?? null;
    const project = await cached(projects, textOf(projectId), byId);
    if (project === null) return null;
    if (project.credential.keyId !== keyId) throw damaged(`${known.epochPrefix}${PROJECTS.keys} ${keyId}`);
    return holderOf(project);
  }

  return {
    ...decisions,
    key: (keyId) => cached(holders, keyId, findHolder),
    async project(companyId, merchantId, riskLevel) {
      const merchant = merchantKey({ companyId, merchantId, riskLevel });
      const [id] = await known.read((own) => [["HGET", own + PROJECTS.merchants, merchant]]);
      const project = id === null ? null : await byId(textOf(id));
      if (project === null || merchantKey(project) === merchant) return project;
      throw damaged(`${known.epochPrefix}${PROJECTS.merchants} ${merchant}`);
    },
    projectById: (projectId) => cached(projects, projectId, byId),
    async companies() {
      takeAccounts(await valkey.send(["GET", ownAccounts]));
      return companies;
    },
    async addKey(companyId) {
      for (let said = "other"; said === "other";) {
        const before = textOf(await valkey.send(["GET", ownAccounts]));
        const data = takeAccounts(Buffer.from(before));
        const { key } = addStoredKey(data, issuer, companyId);
        const reply = await known.step(ADD_KEY, () => [
          [ownAccounts, OWNERS],
          [before, sealValue(box, data, ownAccounts), key.keyId, tenant],
        ]);
        said = saidOf(reply[0], ["other", "added"]);
      }
      await confirmed();
    },
    async projects() {
      const [records, ages] = await known.read((own) => [
        ["HGETALL", own + PROJECTS.records],
        ["HGETALL", own + PROJECTS.ages],
      ]);
      const floors = pairsOf(ages);
      return [...pairsOf(records)]
        .map(([id, record]) => read(id, Buffer.from(record), Buffer.from(floors.get(id) ?? "0")))
        .toSorted((a, b) => a.registeredAt - b.registeredAt);
    },
    async register(project, most = Number.MAX_SAFE_INTEGER) {
      const { projectId, ageFloorMs, credential } = project;
      const sealed = sealValue(box, storedProject(project), placeOf(projectId));
      const record = `${project.registeredAt} ${sealed}`;
      const { merchants, records, keys, ages } = PROJECTS;
      const [said] = await known.step(REGISTER, (own) => [
        [...[merchants, records, keys, ages].map((name) => own + name), OWNERS],
        [merchantKey(project), projectId, record, credential.keyId, String(ageFloorMs), tenant, String(most)],
      ]);
      const is = saidOf(said, ["taken", "full", "registered"]);
      if (is === "taken") return false;
      if (is === "full") throw new QuotaReached();
      await confirmed();
      return true;
    },

    savedClock: async () => known.world.clock,
    async saveClock(clock, ages) {
      const isSame = JSON.stringify(known.world.clock) === JSON.stringify(clock);
      if (isSame && ages === undefined) return;
      await known.change(
        (world) => ({ ...world, clock }),
        ages && {
          script: ages.do === "keep" ? KEEP_AGES : FORGET_AGES,
          rest: () => [recordsAndAges(known.epochPrefix), ages.do === "keep" ? [String(ages.from)] : []],
        },
      );
    },
    async keepAge(projectId, ageMs) {
      const [said] = await known.step(KEEP_AGE, (own) => [recordsAndAges(own), [projectId, String(ageMs)]]);
      saidOf(said, ["kept"]);
      projects.delete(projectId);
    },

    async signatureCount() {
      const [reply] = await known.read(() => [["HGETALL", seenKey]]);
      const sizes = pairsOf(reply);
      sizes.delete("floor");
      return [...sizes.values()].reduce((sum, size) => sum + wholeOf(Buffer.from(size)), 0);
    },
    async rememberSignature(identity, signedAt, realNow) {
      const fingerprint = hash("sha256", identity, "buffer").subarray(0, FINGERPRINT_BYTES);
      const minutes = [signedAt, realNow - windowMs].map((at) => String(Math.floor(at / MINUTE_MS)));
      // From the first of a minute to the end of the window after its last, and a minute for clocks.
      const keptS = Math.ceil((2 * windowMs) / 1000) + 120;
      const [said] = await known.step(REMEMBER, () => [
        [seenKey],
        [fingerprint, ...minutes, String(limits.replayCapacity), String(keptS)],
      ]);
      const state = saidOf(said, ["new", "seen", "forgotten", "full"]);
      return state === "new" ? { state, durable: Promise.resolve() } : { state };
    },

    isWritable: () => valkey.problem === null,
    close: async () => undefined,
  };
}

function recordsAndAges(epochPrefix: string): string[] {
  return [PROJECTS.records, PROJECTS.ages].map((name) => epochPrefix + name);
}
