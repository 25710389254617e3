// A credential that may come only once: not asked for while it could not be kept, and not lost when it could not after all.

import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

import { generateIdentity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import {
  fetchCredential,
  type CredentialEvent,
  type CredentialOutcome,
} from "#src/actions/register/fetch-credential.ts";
import { checkAgeFile } from "#src/actions/register/unsaved-credential.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";
import type { Project } from "#src/contract/records/project.ts";
import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";
import { HARD_LIMIT_MS } from "#src/vault/open-key.ts";
import { projectOf } from "../console/samples.ts";
import { credentialReady } from "../console/test-context.ts";
import type { Vault } from "#src/vault/vault.ts";
import { BASE, KEY, PASSPHRASE, place, PROJECTS, type Place } from "../vault/place.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const OFFSET = 5_000;
const SECRET = "0nly-0nce";

const READY = credentialReady({
  credential: { keyId: "k-2", projectId: "p-1", algorithm: "hmac-sha256", secret: new Secret(SECRET) },
});

const NOT_READY = credentialReady({
  outcome: "refused",
  httpStatus: 404,
  state: "not_ready",
  credential: null,
});

const PROJECT = projectOf({ profile: "live", merchantId: "m", riskLevel: "low", startedAt: START });

interface World {
  readonly where: Place;
  readonly vault: Vault;
  /** Requests that left. */
  readonly asked: number[];
  readonly events: CredentialEvent[];
  readonly noted: Project[];
  fetch(wait?: boolean): Promise<CredentialOutcome>;
}

/** @param during what happens between a request and its answer */
async function world(during: (world: World, attempt: number) => CredentialResult | void): Promise<World> {
  const where = place();
  const vault = await where.open({ askPassphrase: () => Promise.resolve(PASSPHRASE) });
  await vault.put(KEY);
  const noted: Project[] = [];
  const asked: number[] = [];
  const events: CredentialEvent[] = [];
  let now = START;
  const service = {
    client: {
      credential: () => {
        asked.push(now);
        return Promise.resolve(during(made, asked.length) ?? READY);
      },
    },
    now: () => now + OFFSET,
    follow: () => undefined,
    offsetMs: () => OFFSET,
    assumeOffset: () => undefined,
    offeredKeys: () => Promise.resolve([]),
  } as unknown as Service;
  const context = {
    profile: { ...SANDBOX_PROFILE, name: "live" },
    addresses: () => ({ baseUrl: BASE, projectsUrl: PROJECTS }),
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
    service: () => Promise.resolve(service),
    vault: () => Promise.resolve(vault),
    projects: () =>
      Promise.resolve({
        get: () => Promise.resolve(PROJECT),
        put: (project: Project) => {
          noted.push(project);
          return Promise.resolve();
        },
      }),
  } as unknown as ActionContext;
  const made: World = {
    where,
    vault,
    asked,
    events,
    noted,
    fetch: (wait = false) =>
      fetchCredential(
        context,
        { request: { merchant_id: "m", risk_level: "low" }, wait },
        new AbortController().signal,
        (event) => void events.push(event),
      ),
  };
  return made;
}

/** Nothing can be written to the vault from now on; returns how to end that. */
function blockWrites({ documentPath }: Place): () => void {
  mkdirSync(`${documentPath}.lock`);
  return () => rmdirSync(`${documentPath}.lock`);
}

it("is not asked for while the vault cannot be written", async () => {
  const { fetch, asked, where } = await world(() => undefined);
  blockWrites(where);
  await expect(fetch()).rejects.toMatchObject({ code: "storage" });
  expect(asked).toEqual([]);
});

it("is not asked for while the vault is locked and stays so", async () => {
  const { fetch, asked, where, vault } = await world(() => undefined);
  await vault.setPassphrase(PASSPHRASE);
  const another = await where.open();
  await expect(another.probe()).rejects.toMatchObject({ code: "vault_locked" });
  vault.lock();
  // This one can be opened: by asking.
  expect((await fetch()).notSaved).toBeNull();
  expect(asked).toHaveLength(1);
});

it("is kept although the limits of the vault were reached while its answer was on the way", async () => {
  const { fetch, where, vault } = await world(({ where }) => where.clock.pass(HARD_LIMIT_MS + 1));
  await vault.setPassphrase(PASSPHRASE);
  const { notSaved } = await fetch();
  expect(notSaved).toBeNull();
  const another = await where.open();
  await another.unlock(PASSPHRASE);
  expect(another.credential("live", "m/low", BASE).secret.expose()).toBe(SECRET);
  // The request is over, and so is the time of the vault.
  where.clock.pass(HARD_LIMIT_MS);
  expect(vault.lockState()).toBe("locked");
});

it("is not asked for again once the vault cannot be written any more, in the middle of waiting", async () => {
  const { fetch, asked } = await world(({ where }, attempt) => {
    if (attempt === 2) blockWrites(where);
    return NOT_READY;
  });
  await expect(fetch(true)).rejects.toMatchObject({ code: "storage" });
  expect(asked).toHaveLength(2);
});

it("stays in memory when it could not be saved, and is saved once that works again", async () => {
  let unblock = (): void => undefined;
  const { fetch, vault, noted } = await world(({ where }) => {
    unblock = blockWrites(where);
  });
  const { notSaved, result, project } = await fetch();
  expect(result.state).toBe("ready");
  expect(project).toBe(PROJECT);
  expect(notSaved).toMatchObject({ projectKey: "m/low", againUntil: START + 24 * HOUR - OFFSET });
  expect(notSaved?.fault.code).toBe("storage");
  expect(notSaved?.credential.secret.expose()).toBe(SECRET);
  expect(JSON.stringify(notSaved)).not.toContain(SECRET);
  expect(vault.list()).toHaveLength(1);
  expect(noted).toEqual([]);

  await expect(notSaved!.save()).rejects.toMatchObject({ code: "storage" });
  unblock();
  expect(await notSaved!.save()).toMatchObject({ state: "ready", projectId: "p-1" });
  expect(vault.credential("live", "m/low", BASE).secret.expose()).toBe(SECRET);
  expect(noted).toHaveLength(1);
});

it("is rescued into an age file, from which a vault takes it", async () => {
  const { fetch, where } = await world(({ where }) => void blockWrites(where));
  const { notSaved } = await fetch();
  const identity = await generateIdentity();
  const target = join(where.home, "rescued.age");
  await notSaved!.writeTo(target, { recipients: [await identityToRecipient(identity)] });
  await expect(notSaved!.writeTo(target, { passphrase: PASSPHRASE })).rejects.toMatchObject({
    code: "usage",
  });
  const other = await place().open();
  const plan = await other.importAge(readFileSync(target), { identities: new Secret(identity) });
  expect(await plan.apply({ replace: false })).toBe(1);
  expect(other.credential("live", "m/low", BASE)).toMatchObject({ keyId: "k-2", projectId: "p-1" });
  expect(other.credential("live", "m/low", BASE).secret.expose()).toBe(SECRET);
});

it("refuses a rescue that could not work before anything is sent", async () => {
  const { home } = place();
  await expect(checkAgeFile(home, [])).rejects.toMatchObject({ code: "usage" });
  await expect(checkAgeFile(join(home, "new.age"), ["age1nonsense"])).rejects.toMatchObject({
    code: "bad_input",
  });
  await checkAgeFile(join(home, "new.age"), [await identityToRecipient(await generateIdentity())]);
});
