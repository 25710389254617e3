// A world for the life of registrations: a service with a clock of its own, a disk in memory, and a console that is
// started, stopped and cut off over it. What the service gives out is written down, so that it can be looked for.

import type { Service } from "#src/actions/action-context.ts";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import type { Context } from "#src/app/context.ts";
import type { Client } from "#src/client/client.ts";
import { Fault, sentence } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import type { CredentialResult, RegisterResult } from "#src/contract/wire/outcome.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { openForm } from "#src/state/register/registrations-state.ts";
import { createRegistrations, type Registrations } from "#src/state/register/registrations.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { openProjects, type Projects } from "#src/storage/documents/projects.ts";
import { openVault, type Vault } from "#src/vault/vault.ts";
import { credentialReady, registered, TEST_SECRET, type TestContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { forgetfulDisk, type ForgetfulDisk } from "../storage/forgetful-disk.ts";
import { noDamage } from "../storage/no-damage.ts";
import { createFakeTime, type FakeTime } from "./fake-time.ts";

/** A whole second: the `Date` of an answer knows no smaller unit. */
export const START = Date.UTC(2026, 10, 21, 12, 0, 0);
export const WAIT_MS = 5_000;
/** The service makes a credential in so long. */
const MADE_AFTER_MS = 8_000;

/** `answer_lost`: requests arrive, and nobody hears of it. `down`: nothing arrives. */
export type Network = "up" | "down" | "answer_lost";
/** `full`: nothing can be written, which the probe finds. `fails_late`: the probe succeeds and the entry cannot be written. */
export type VaultDisk = "well" | "full" | "fails_late";

interface Known {
  readonly startedAt: number;
  readonly secret: string;
}

export interface World {
  readonly time: FakeTime;
  network: Network;
  vaultDisk: VaultDisk;
  /** Time of the service minus that of this machine. */
  clockError: number;
  /** Registered at the service, by key. */
  readonly known: ReadonlyMap<string, Known>;
  /** Credential requests that arrived or were tried, by key. */
  readonly asked: ReadonlyMap<string, number>;
  /** Secrets that reached this machine, by key. */
  readonly received: ReadonlyMap<string, string>;
  /** Credentials that the vault did not take and the user was shown. They die with the process. */
  readonly unsaved: Map<string, UnsavedCredential>;
  registrations(): Registrations;
  session(): Session;
  /** The secret that the vault holds for a project; null for none. */
  held(key: string): string | null;
  /** Whether a credential that was replaced can be put back. */
  keepsFormer(key: string): boolean;
  register(merchant: string): Promise<void>;
  /** Enters a credential by hand for the selected project. */
  enterByHand(secret: string): Promise<void>;
  /** Both clocks go on by whole seconds, and what they set off happens. */
  pass(seconds: number): Promise<void>;
  /** The machine sleeps. */
  suspend(seconds: number): Promise<void>;
  /** Somebody sets the clock of this machine back. */
  setBack(seconds: number): Promise<void>;
  /** @param keeps which unsynced changes reach the disk in a power cut; null for a console that is quit */
  restart(keeps: (() => boolean) | null): Promise<void>;
  close(): Promise<void>;
}

export async function createWorld({ context: base }: TestContext): Promise<World> {
  const time = createFakeTime(START);
  const known = new Map<string, Known>();
  const asked = new Map<string, number>();
  const received = new Map<string, string>();
  const unsaved = new Map<string, UnsavedCredential>();
  let disk: ForgetfulDisk = forgetfulDisk();
  let steady = 0;
  let process: Process;

  interface Process {
    readonly vault: Vault;
    readonly session: Session;
    readonly registrations: Registrations;
    /** Pulls the plug: nothing more is written. */
    die(): void;
  }

  const local = (): number => time.now() - world.clockError;
  const told = (): { httpStatus: number; serverDateMs: number } => ({
    httpStatus: 200,
    serverDateMs: Math.floor(time.now() / 1000) * 1000,
  });
  const unheard = (): Pick<RegisterResult, "outcome" | "httpStatus" | "serverDateMs" | "explanation"> => ({
    outcome: world.network === "down" ? "not_sent" : "unknown",
    httpStatus: null,
    serverDateMs: null,
    explanation: "Nobody answered.",
  });

  const client: Client = {
    check: () => Promise.reject(new Error("no check is sent here")),
    close: () => Promise.resolve(),
    register(body) {
      const key = `${body.merchant_id}/${body.risk_level}`;
      const isNew = !known.has(key);
      if (world.network !== "down" && isNew) {
        known.set(key, { startedAt: time.now(), secret: `secret-of-${body.merchant_id}-${known.size}` });
      }
      if (world.network !== "up") return Promise.resolve(registered({ registered: false, ...unheard() }));
      const conflict = { outcome: "refused", registered: false, explanation: "It exists." } as const;
      return Promise.resolve(
        isNew ? registered(told()) : registered({ ...told(), ...conflict, httpStatus: 409 }),
      );
    },
    credential(body) {
      const key = `${body.merchant_id}/${body.risk_level}`;
      asked.set(key, (asked.get(key) ?? 0) + 1);
      const answer = (change: Partial<CredentialResult>): Promise<CredentialResult> =>
        Promise.resolve(
          credentialReady({ outcome: "refused", credential: null, ...told(), httpStatus: 404, ...change }),
        );
      if (world.network !== "up") return answer({ state: "failed", ...unheard() });
      const project = known.get(key);
      if (project === undefined) return answer({ state: "failed", reason: "project_not_found" });
      const age = time.now() - project.startedAt;
      if (age >= CREDENTIAL_WINDOW_MS) return answer({ state: "closed", httpStatus: 410 });
      if (age < MADE_AFTER_MS) return answer({ state: "not_ready" });
      received.set(key, project.secret);
      const secret = new Secret(project.secret);
      const credential = { keyId: "key-1", projectId: `project-${key}`, algorithm: "hmac-sha256", secret };
      return Promise.resolve(credentialReady({ ...told(), credential }));
    },
  };

  /** As the program's own service counts. */
  function newService(): Service {
    let offset: number | null = null;
    return {
      client,
      now: () => local() + (offset ?? 0),
      follow(answer) {
        const at = answer.virtualTimeMs ?? answer.serverDateMs;
        if (at !== null) offset = at - local();
      },
      takesTime: false,
      offsetMs: () => offset,
      assumeOffset: (remembered) => void (offset ??= remembered),
      offeredKeys: () =>
        Promise.resolve([
          { keyId: "i", companyId: "c", algorithm: "hmac-sha256", secret: new Secret(TEST_SECRET) },
        ]),
      explain: () => Promise.resolve(null),
    };
  }

  async function start(): Promise<Process> {
    const storage = { fs: disk, newId: () => `id-${Math.random()}` };
    const projects: Projects = openProjects({ onProblem: noDamage, path: "/data/projects.json", fs: disk });
    const real = await openVault({
      onProblem: noDamage,
      documentPath: "/data/vault.json",
      keyPath: "/state/key",
      ...storage,
    });
    const refuse = (): Promise<never> => Promise.reject(new Fault("storage", sentence`the disk is full.`));
    const vault: Vault = {
      ...real,
      list: real.list,
      probe: () => (world.vaultDisk === "full" ? refuse() : real.probe()),
      put: (...entry) => (world.vaultDisk === "well" ? real.put(...entry) : refuse()),
    };
    const service = newService();
    const context: Context = {
      ...base,
      profile: { ...base.profile, credentialWaitS: WAIT_MS / 1000 },
      now: local,
      sleep: time.sleep,
      sandbox: () => null,
      service: () => Promise.resolve(service),
      vault: () => Promise.resolve(vault),
      projects: () => Promise.resolve(projects),
    };
    const session = createSession({ keyName, quit: () => undefined, after: time.after });
    const registrations = createRegistrations(context, session, {
      after: time.after,
      steady: () => steady,
      onUnsaved: (found) => void unsaved.set(found.projectKey, found),
    });
    const dying = disk;
    const next = { vault: real, session, registrations, die: () => dying.cutAfter(0) };
    await registrations.load();
    registrations.watch();
    return next;
  }

  const form = (): Registrations => process.registrations;
  async function fillIn(texts: Readonly<Record<string, string>>): Promise<void> {
    const focus = (): string => openForm(form().store.getState()).focus;
    while (focus() !== SUBMIT) form().move(1);
    for (form().move(1); focus() !== SUBMIT; form().move(1)) {
      const text = texts[focus()];
      if (text === undefined) continue;
      form().key("ctrl+u");
      form().enter(text);
    }
    await form().submit();
    await settled();
  }

  const world: World = {
    time,
    network: "up",
    vaultDisk: "well",
    clockError: 0,
    known,
    asked,
    received,
    unsaved,
    registrations: () => process.registrations,
    session: () => process.session,
    held(key) {
      if (!process.vault.list().some((entry) => "projectKey" in entry && entry.projectKey === key))
        return null;
      return process.vault.credential(base.profile.name, key, base.addresses().baseUrl).secret.expose();
    },
    keepsFormer: (key) =>
      process.vault.former().some((entry) => "projectKey" in entry && entry.projectKey === key),
    register: (merchant) => fillIn({ merchant_id: merchant, name: "Shop", currency: "UAH" }),
    enterByHand: async (secret) => {
      form().enterByHand();
      await fillIn({ key_id: "by-hand", project_id: "by-hand", secret });
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        steady += 1_000;
        time.pass(1_000);
        await settled();
      }
    },
    async suspend(seconds) {
      time.jump(seconds * 1_000);
      await world.pass(1);
    },
    async setBack(seconds) {
      world.clockError += seconds * 1_000;
      await world.pass(1);
    },
    async restart(keeps) {
      if (keeps !== null) process.die();
      await process.registrations.close();
      process.session.close();
      if (keeps !== null) disk = disk.afterPowerCut(keeps);
      // What was nowhere but in memory is gone with it; the user was told as much before.
      for (const key of unsaved.keys()) received.delete(key);
      unsaved.clear();
      process = await start();
      await settled();
    },
    async close() {
      await process.registrations.close();
      process.session.close();
    },
  };
  process = await start();
  return world;
}

/** The disk is memory and nothing else is waited for, so that a few turns are enough for all that was set off. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
