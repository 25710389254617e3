// Accounts of a tenant as a list of changes on a server, which each worker appends to when it knows all of them.

import type { AccountsChange, AccountsPlace } from "#src/sandbox/state/accounts.ts";
import type { Durability } from "./durability.ts";
import { listOf, saidOf } from "./replies.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { changeScript, IN_WORLD, type KnownWorld, type OnServer, type Rest } from "./world.ts";

/** Key id -> tenant, of all tenants. */
export const OWNERS = "v:keys";

/** Names in an epoch: the list of sealed changes, and the set of key ids in them. */
export const ACCOUNTS = { changes: "accounts", keys: "keys" } as const;

/** Changes that are read at once, so that a server is never silent for long. */
const PIECE = 1_000;

/**
 * Lua: appends changes to a list of a length. Keys: world, list, key ids, owners. Arguments: length, tenant, how many key ids,
 * key ids, sealed changes.
 * @param at of the first argument
 */
export const appendAccounts = (at: number): string => `
if call('LLEN', KEYS[2]) ~= tonumber(ARGV[${at}]) then return {'other'} end
local last = ${at + 2} + tonumber(ARGV[${at + 2}])
for i = ${at + 3}, last do
  call('SADD', KEYS[3], ARGV[i])
  call('HSET', KEYS[4], ARGV[i], ARGV[${at + 1}])
end
for i = last + 1, #ARGV do call('RPUSH', KEYS[2], ARGV[i]) end
`;

const APPEND = script(`${IN_WORLD}${appendAccounts(2)} return {'added'}`);
const APPEND_WITH_CLOCK = changeScript(appendAccounts(5));

/** Keys and arguments of `appendAccounts`. @param length null for one that no list has */
export function accountsRest(
  { known, name, sealingKey }: OnServer,
  epochPrefix: string,
  length: number | null,
  changes: readonly AccountsChange[],
): Rest {
  const ids = changes.flatMap(({ companies, project }) => {
    const keys = companies?.companies.flatMap(({ integrationKeys }) => integrationKeys) ?? [];
    return [...keys, ...(project === undefined ? [] : [project.credential])].map(({ keyId }) => keyId);
  });
  const sealed = changes.map((change, i) => sealValue(sealingKey, change, placeOf(known, (length ?? 0) + i)));
  return [
    [epochPrefix + ACCOUNTS.changes, epochPrefix + ACCOUNTS.keys, OWNERS],
    [String(length ?? -1), name, String(ids.length), ...ids, ...sealed],
  ];
}

/** What is copied to another epoch keeps its number. */
function placeOf({ prefix }: KnownWorld, number: number): string {
  return `${prefix}${ACCOUNTS.changes} ${number}`;
}

export function valkeyAccountsPlace(tenant: OnServer, confirmed: Durability): AccountsPlace {
  const { known, sealingKey } = tenant;
  return {
    get version() {
      return known.text;
    },
    clock: () => known.world.clock,
    async news(point) {
      let [epoch, version, count] = ["", "", 0];
      const [list] = await known.read((own) => {
        [epoch, version, count] = [own, known.text, own === point.epoch ? point.count : 0];
        return [["LRANGE", own + ACCOUNTS.changes, String(count), String(count + PIECE - 1)]];
      });
      const changes = listOf(list).map((each, i) => openValue(sealingKey, each, placeOf(known, count + i)));
      return {
        epoch,
        version,
        count,
        changes: changes as AccountsChange[],
        isPart: changes.length === PIECE,
      };
    },
    async add({ epoch, count }, change, clock) {
      const changes = change === null ? [] : [change];
      const rest = (own: string): Rest => {
        const isSame = own === epoch || epoch === "";
        return accountsRest(tenant, own, isSame ? count : null, changes);
      };
      if (clock !== undefined) {
        const isSame = change === null && JSON.stringify(known.world.clock) === JSON.stringify(clock);
        const along = { script: APPEND_WITH_CLOCK, rest: () => rest(known.epochPrefix) };
        return isSame || (await known.change((world) => ({ ...world, clock }), along)) === null;
      }
      const [said] = await known.step(APPEND, rest);
      if (saidOf(said, ["other", "added"]) === "other") return false;
      // Those that a tenant begins with are no answer to anybody.
      if (count > 0) await confirmed();
      return true;
    },
  };
}
