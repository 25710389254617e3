// State of a tenant on a server. Accounts are in valkey-accounts.ts, what is counted and decided in valkey-decisions.ts.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Accounts } from "#src/sandbox/state/accounts.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { type Remembered, FINGERPRINT_BYTES } from "#src/sandbox/state/used-signatures.ts";
import type { Durability } from "./durability.ts";
import { pairsOf, saidOf, wholeOf } from "./replies.ts";
import { script } from "./scripts.ts";
import { valkeyAccountsPlace } from "./valkey-accounts.ts";
import { ValkeyDecisions } from "./valkey-decisions.ts";
import { IN_WORLD, type OnServer } from "./world.ts";

export interface ValkeyStateOptions extends OnServer {
  readonly confirmed: Durability;
  readonly issuer: Issuer;
  /** Companies made where there are none. */
  readonly companies: number;
  readonly limits: Pick<SandboxLimits, "repeatMs" | "replayCapacity">;
  /** How long a signature could be replayed, each way. */
  readonly windowMs: Milliseconds;
  readonly realNow: () => Milliseconds;
}

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

/** @throws Fault `storage` */
export async function openValkeyState(options: ValkeyStateOptions): Promise<SandboxState> {
  const { issuer, companies, confirmed } = options;
  const accounts = await Accounts.open(valkeyAccountsPlace(options, confirmed), issuer, companies);
  return new ValkeyState(options, accounts);
}

class ValkeyState extends ValkeyDecisions implements SandboxState {
  readonly accounts: Accounts;
  readonly #options: ValkeyStateOptions;
  readonly #seenKey: string;

  constructor(options: ValkeyStateOptions, accounts: Accounts) {
    super({ ...options, secret: accounts.countingSecret, repeatMs: options.limits.repeatMs });
    this.accounts = accounts;
    this.#options = options;
    this.#seenKey = `${options.known.prefix}seen`;
  }

  async signatureCount(): Promise<number> {
    const [reply] = await this.#options.known.read(() => [["HGETALL", this.#seenKey]]);
    const sizes = pairsOf(reply);
    sizes.delete("floor");
    return [...sizes.values()].reduce((sum, size) => sum + wholeOf(Buffer.from(size)), 0);
  }

  async rememberSignature(
    identity: string,
    signedAt: Milliseconds,
    realNow: Milliseconds,
  ): Promise<Remembered> {
    const { known, limits, windowMs } = this.#options;
    const fingerprint = hash("sha256", identity, "buffer").subarray(0, FINGERPRINT_BYTES);
    const minutes = [signedAt, realNow - windowMs].map((at) => String(Math.floor(at / MINUTE_MS)));
    // From the first of a minute to the end of the window after its last, and a minute for clocks.
    const keptS = Math.ceil((2 * windowMs) / 1000) + 120;
    const [said] = await known.step(REMEMBER, () => [
      [this.#seenKey],
      [fingerprint, ...minutes, String(limits.replayCapacity), String(keptS)],
    ]);
    const state = saidOf(said, ["new", "seen", "forgotten", "full"]);
    return state === "new" ? { state, durable: Promise.resolve() } : { state };
  }

  isWritable(): boolean {
    return this.#options.valkey.problem === null;
  }

  async close(): Promise<void> {}
}
