// The state of a sandbox on a server: this process is one of the workers that share it.

import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { readGuarded, readGuardedBytes } from "#src/contract/guarded-file.ts";
import { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { DEFAULT_TENANT, ENDPOINT_FILE, LOCK_FILE } from "#src/contract/wire/sandbox-wire.ts";
import { DISK_MS } from "#src/sandbox/state/patience.ts";
import type { OwnOptions } from "#src/sandbox/state/tenant-folders.ts";
import { Tenants } from "#src/sandbox/state/tenants.ts";
import type { Tenant, TenantOptions } from "#src/sandbox/state/tenant.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import { openSealed, seal, SEALING_KEY_BYTES } from "#src/storage/documents/sealing.ts";
import { openChanges } from "./changes.ts";
import { connectValkey, type Valkey, type ValkeyOptions } from "./connection.ts";
import { openDurability } from "./durability.ts";
import { textOf } from "./replies.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { readStateAddress, type StateServer } from "./state-address.ts";
import { openServerClock } from "./valkey-clock.ts";
import { createMembers, digestOf, type OwnFacts } from "./valkey-members.ts";
import { openValkeyTenant, type ValkeyTenant } from "./valkey-tenant.ts";
import { openValkeyTenants } from "./valkey-tenants.ts";

/** What differs between the default tenant and the others beside their own options. */
type Surroundings = Omit<TenantOptions, keyof OwnOptions>;

export interface WorkerOptions {
  readonly server: StateServer;
  readonly worker: Pick<OwnFacts, "pid" | "version" | "startedAt"> & { readonly instance: string };
  readonly standardOptions: Omit<TenantOptions, "dir" | "store">;
  readonly othersOptions: (name: string) => Surroundings;
  /** Gets the steps that end it, to be run in reverse. */
  readonly undo: (() => Promise<unknown>)[];
}

/** @throws Fault `usage` for an address or a file that cannot be used, `storage` or `corrupt` for a server */
export async function openOnServer(options: WorkerOptions) {
  const { server, worker, standardOptions, othersOptions, undo } = options;
  const { instance, ...facts } = worker;
  const sealingKey = readSealingKey(server.keyFile);
  const connection: ValkeyOptions = {
    address: readStateAddress(server.address),
    password: server.passwordFile === undefined ? null : readPassword(server.passwordFile),
    ca: server.caFile && readGuarded(server.caFile, "The file of authorities", false),
  };
  const connect = async (more?: Pick<ValkeyOptions, "silentMs">): Promise<Valkey> => {
    const made = await connectValkey({ ...connection, ...more });
    undo.push(async () => made.close());
    return made;
  };
  const valkey = await connect();
  await requireSameKey(valkey, sealingKey, server.keyFile);
  const changes = await openChanges(await connect());
  const serverClock = await openServerClock(valkey);
  undo.push(async () => serverClock.close());
  const realNow = serverClock.now;
  const onProblem = (sentence: string): void => standardOptions.onProblem(sentence, false);
  const confirmed = await openDurability(valkey, () => connect({ silentMs: DISK_MS }), onProblem);

  const members = createMembers(valkey, instance, sealingKey);
  const serving = new Map<string, ValkeyTenant>();
  const beat = (): void => void members.beat().catch(() => undefined);

  async function open(own: Omit<OwnOptions, "dir" | "store"> & Surroundings): Promise<ValkeyTenant> {
    const note: Tenant["note"] = (event, more) => {
      own.note(event, more);
      // The others see at once by which rules it decides.
      if (event === "rules_read") beat();
    };
    const place = server.address;
    const tenant = await openValkeyTenant({
      ...own,
      note,
      realNow,
      valkey,
      changes,
      sealingKey,
      place,
      confirmed,
    });
    serving.set(own.name, tenant);
    tenant.known.onChange(beat);
    beat();
    return tenant;
  }
  const seed = await firstSeed(valkey, sealingKey, standardOptions.seed);
  const standard = await open({ ...standardOptions, seed });
  undo.push(() => standard.close());
  const place = openValkeyTenants({
    valkey,
    changes,
    open: (own) => open({ ...othersOptions(own.name), ...own }),
    members: (tenant) => members.list(tenant),
    sealingKey,
  });
  const tenants = await Tenants.open({ standard, place, realNow, onProblem });
  undo.push(() => tenants.close());
  return {
    tenants,
    /** Makes this process one of those that share them, when it listens. */
    async join(address: string): Promise<void> {
      const served = (name: string): boolean => name === DEFAULT_TENANT || tenants.record(name) !== null;
      await members.join(() => ({
        ...facts,
        host: hostname(),
        address,
        serves: Object.fromEntries(
          [...serving]
            .filter(([name]) => served(name))
            .map(([name, { known, rules }]) => [
              name,
              { world: digestOf(known.text), ruleSetHash: rules.current.hash },
            ]),
        ),
      }));
      // Without a word it is gone for the others after a while.
      undo.push(() => members.leave().catch(() => undefined));
    },
  };
}

/**
 * Removes the folders of workers that were killed, with the tokens and keys in them.
 * @param folder where workers have theirs
 */
export async function removeLeftFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const dir = join(folder, name);
    // One without an endpoint may be starting; the lock of one that lives is taken.
    if (!existsSync(join(dir, ENDPOINT_FILE))) continue;
    const lock = await tryLock(join(dir, LOCK_FILE));
    if (lock === null) continue;
    await rm(dir, { recursive: true, force: true });
    await lock.release();
  }
}

/** @throws Fault `usage` */
function readSealingKey(path: string): Buffer {
  const make = "make one with (umask 077; openssl rand 32 > FILE), and give it to every worker";
  const key = readGuardedBytes(path, "The key file", true, make);
  if (key.length === SEALING_KEY_BYTES) return key;
  throw usage`The key file ${path} must have 32 bytes; ${whole(make)}.`;
}

/** @throws Fault `usage` */
function readPassword(path: string): Secret {
  const password = readGuarded(path, "The password file", true).trim();
  if (password !== "") return new Secret(password);
  throw usage`The password file ${path} is empty; write the password to it.`;
}

const SEALED = "v:sealed";
/** What it is bound to; raised where a state of the form before cannot be read any more. */
const FORM = `${SEALED} 4`;
const FORM_BEFORE = `${SEALED} 3`;

/**
 * What one worker seals all others must be able to open.
 * @throws Fault `usage` where another worker has another key, or has written another form
 */
async function requireSameKey(valkey: Pick<Valkey, "send">, sealingKey: Buffer, path: string): Promise<void> {
  const own = JSON.stringify(seal(sealingKey, Buffer.from("verdict"), FORM));
  const first = await firstOf(valkey, SEALED, own);
  const opens = (form: string): boolean => openSealed(sealingKey, first.slice(1, -1), form) !== null;
  if (opens(FORM)) return;
  throw new Fault(
    "usage",
    whole(
      opens(FORM_BEFORE)
        ? "The state on the server was written by an earlier version, in a form that this one cannot read; use that version, or name an empty server or another database."
        : `The key file ${escapeText(path, 200)} did not seal the secrets on the server; use the key file of the other workers.`,
    ),
  );
}

const SEED = "v:seed";

async function firstSeed(
  valkey: Pick<Valkey, "send">,
  sealingKey: Buffer,
  own: number | null,
): Promise<number | null> {
  return openValue(sealingKey, await firstOf(valkey, SEED, sealValue(sealingKey, own, SEED)), SEED) as
    number | null;
}

/** What the worker that made the state has written there; this one does where there is nothing. */
async function firstOf(valkey: Pick<Valkey, "send">, key: string, own: string): Promise<string> {
  const first = await valkey.send(["SET", key, own, "NX", "GET"]);
  return first === null ? own : textOf(first);
}
