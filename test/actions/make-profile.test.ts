// A profile with its key is saved whole or not at all, whichever of the writes fails.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeProfile } from "#src/actions/profiles/make-profile.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import { Fault, storage } from "#src/contract/fault.ts";
import type { Key } from "#src/contract/records/key.ts";
import { NEW_PROFILE } from "#src/contract/records/profile-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";

const URL = "https://check.example";
const SHOP: Profile = { ...NEW_PROFILE, name: "shop", baseUrl: URL, projectsUrl: URL };

let folder: string;
let context: Context;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "verdict-test-"));
  context = await createContext({
    home: findHome({}, folder),
    env: {},
    profile: undefined,
    executable: ["false"],
    onProblem: () => undefined,
  });
});
afterEach(async () => {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

const SHARED = { keyId: "k", algorithm: "hmac-sha256", secret: new Secret("new") };
const CREDENTIAL: Key = { kind: "project_credential", projectKey: "p", projectId: "p", ...SHARED };
const KEYS: Readonly<Record<string, Key>> = {
  "a credential": CREDENTIAL,
  "a credential with a label": { ...CREDENTIAL, projectKey: "m/low" },
  "an integration key": { kind: "integration_key", companyId: "c", ...SHARED },
};

/** What a user can see of the three stores, with the secrets. */
async function everything(): Promise<unknown> {
  const [profiles, vault, projects] = await Promise.all([
    context.profiles(),
    context.vault(),
    context.projects(),
  ]);
  await vault.refresh();
  return {
    profiles: await profiles.list(),
    current: await profiles.current(),
    keys: vault.list().map((entry) => [entry.kind, entry.profile, entry.fingerprint]),
    former: vault.former().map(({ fingerprint }) => fingerprint),
    secrets: vault.list().map(({ id }) => vault.reveal(id).expose()),
    projects: await projects.list(),
  };
}

/** A context whose n-th write fails, counted over the stores. */
function failingAt(n: number): { context: Context; isReached(): boolean; heal(): void } {
  let writes = 0;
  let isHealed = false;
  const guarded = <T extends object>(store: T, names: readonly string[]): T =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== "function" || !names.includes(String(name))) return method;
        return (...given: unknown[]): unknown => {
          writes += 1;
          if (writes === n && !isHealed) return Promise.reject(storage`The disk is full.`);
          return Reflect.apply(method, target, given);
        };
      },
    });
  const failing: Context = {
    ...context,
    profiles: async () => guarded(await context.profiles(), ["put", "use", "remove"]),
    vault: async () => guarded(await context.vault(), ["put", "probe", "restore", "remove"]),
    projects: async () => guarded(await context.projects(), ["put", "remove"]),
  };
  return { context: failing, isReached: () => writes >= n, heal: () => void (isHealed = true) };
}

test.each(Object.entries(KEYS))("%s: each failing write leaves all as it was", async (_, key) => {
  const profiles = await context.profiles();
  for (const isReplaced of [false, true]) {
    if (isReplaced) {
      // Of a removed profile, whose keys have stayed.
      await makeProfile(context, SHOP, { ...key, secret: new Secret("old") });
      await profiles.use("sandbox");
      await profiles.remove(SHOP.name);
    }
    const was = await everything();
    let failures = 0;
    for (let n = 1; ; n += 1) {
      const failing = failingAt(n);
      const made = makeProfile(failing.context, SHOP, key);
      const done = await made.catch((error: unknown) => error);
      const isReached = failing.isReached();
      if (!isReached) {
        failing.heal();
        expect(done).not.toBeInstanceOf(Fault);
        await (done as Awaited<typeof made>).undo();
      } else {
        failures += 1;
        expect(done).toMatchObject({ code: "storage" });
      }
      expect(await everything(), `write ${n}`).toEqual(was);
      if (!isReached) break;
    }
    expect(failures).toBeGreaterThanOrEqual(4);
    expect(await profiles.get("shop")).toBeNull();
  }
});

test("what cannot be taken back is said", async () => {
  const { context: failing } = failingAt(3);
  const profiles = await context.profiles();
  const stuck: Context = {
    ...failing,
    profiles: async () => ({ ...profiles, remove: () => Promise.reject(storage`No room.`) }),
    vault: async () => ({
      ...(await context.vault()),
      put: () => Promise.reject(storage`The disk is full.`),
    }),
  };
  await expect(makeProfile(stuck, SHOP, CREDENTIAL)).rejects.toThrow(
    /^The disk is full\. .*could not be undone \(No room\.\).*profile show shop/,
  );
});

test("without a label the project id names the project, and no project is invented", async () => {
  const { former } = await makeProfile(context, SHOP, CREDENTIAL);
  expect(former).toBeNull();
  expect(await (await context.projects()).list("shop")).toEqual([]);
  expect((await context.vault()).credential("shop", "p", URL)).toMatchObject({ keyId: "k", projectId: "p" });
  expect((await (await context.profiles()).current()).name).toBe("shop");
});
