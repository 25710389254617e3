// verdict/sandbox: the service in this process, for tests of programs that call it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "#src/app/version.ts";
import { createSandboxAdmin, type SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { FaultOrder, FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import type { ClockChange, JournalEntry, RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { runSandbox } from "#src/sandbox/run-sandbox.ts";
import { createClient } from "./client.ts";
import { recipeOf } from "./keys.ts";

export { Fault } from "#src/contract/fault.ts";
export { Secret } from "#src/contract/secret.ts";
export type { Explanation, FaultOrder, FaultReading, IntegrationKey, JournalEntry, ProjectCredential };

/** As the options of `verdict serve`. */
export interface SandboxOptions {
  /** 0, the default, for any free one. */
  readonly port?: number;
  /** The same seed gives the same ids and secrets. */
  readonly seed?: number;
  /** Virtual time at the start: a date, or ms since the epoch; the real time when absent. */
  readonly startAt?: Date | Milliseconds;
  /** Id of a built-in signing recipe, or path of a recipe document; `http-signatures` when absent. */
  readonly recipe?: string;
  /** From a registration until its credential is ready, in virtual seconds; 0 when absent. */
  readonly credentialDelay?: number;
  /** Path of a rule file; the starter rules when absent. */
  readonly rules?: string;
  /** Dotted paths of the fields that a check must have. */
  readonly require?: readonly string[];
  /** False: order ids force no answers. */
  readonly magic?: boolean;
  /** Folder of a state that is kept; without one it lies in a temporary folder that is removed at the end. */
  readonly state?: string;
}

export interface SandboxClock {
  /** Virtual time. */
  now(): Promise<Date>;
  /** @param by a duration such as `25h` or `90s`, or ms */
  advance(by: string | Milliseconds): Promise<Date>;
  set(at: Date | Milliseconds): Promise<Date>;
  freeze(): Promise<Date>;
  resume(): Promise<Date>;
  /** Back to real time. */
  reset(): Promise<Date>;
}

export interface SandboxFaults {
  /** Every request of the call is met, without an end, where `rate` and `count` are absent. */
  add(order: Pick<FaultOrder, "on" | "effect"> & Partial<FaultOrder>): Promise<FaultReading>;
  list(): Promise<readonly FaultReading[]>;
  /** Ends one fault, or all of them. */
  clear(id?: string): Promise<void>;
}

export interface SandboxRules {
  /** The active rule file. */
  text(): Promise<string>;
  /** Decides by this rule file from now on. @throws Fault("bad_input") with line and column; the former rules stay */
  use(text: string): Promise<RulesReading>;
  /** Back to the starter rules. */
  remove(): Promise<RulesReading>;
}

export interface Sandbox extends AsyncDisposable {
  /** Base URL of all three calls, on 127.0.0.1. */
  readonly url: string;
  readonly companyId: string;
  /** Integration keys of the company. */
  readonly keys: readonly IntegrationKey[];
  /**
   * Registers a project and fetches its credential; a `credentialDelay` passes on the virtual clock.
   * @param project what differs from a project of medium risk in UAH
   * @throws Fault("sandbox") when the service refuses, e.g. because the merchant has a project of this risk level
   */
  register(project?: Partial<RegistrationRequest>): Promise<ProjectCredential>;
  readonly clock: SandboxClock;
  readonly faults: SandboxFaults;
  readonly rules: SandboxRules;
  /** Why a check was decided as it was. @param decisionId of its result; null for one that is not known */
  explain(decisionId: string): Promise<Explanation | null>;
  /** The newest requests, the oldest first. */
  journal(limit?: number): Promise<readonly JournalEntry[]>;
  /** Forgets decisions, counts and faults, and shows real time; projects and credentials stay. */
  reset(): Promise<void>;
  /** Answers running requests, and ends. */
  stop(): Promise<void>;
}

/**
 * Starts a sandbox on 127.0.0.1. It keeps the process running until it is stopped.
 * @throws Fault("usage" | "bad_input") for an option that cannot be used, Fault("sandbox") when the state is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = null, startAt, credentialDelay = 0, rules, state, magic } = options;
  const recipe = recipeOf(options.recipe);
  const temporary = state === undefined ? temporaryFolder() : null;
  const forget = (): void => {
    if (temporary !== null) removeTemporary(temporary);
  };
  const running = await runSandbox({
    host: "127.0.0.1",
    port,
    adminPort: 0,
    stateDir: state ?? temporary!,
    embedded: false,
    ephemeral: temporary !== null,
    seed,
    startAt: startAt === undefined ? undefined : Number(startAt),
    recipe,
    credentialDelayS: credentialDelay,
    credentialUnsigned: false,
    require: options.require ?? [],
    magic,
    rulesFile: rules,
    version: VERSION,
    log: () => undefined,
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  void running.ended.then(forget, forget);
  const admin = createSandboxAdmin(running);
  const url = `http://127.0.0.1:${running.port}`;
  const [company] = await admin.panel().then(
    ({ companies }) => companies,
    async (error: unknown) => {
      // Nobody else can.
      await running.stop();
      throw error;
    },
  );
  const { companyId, integrationKeys } = company!;
  const keys = integrationKeys.map(({ keyId, algorithm, secret }) => ({
    keyId,
    companyId,
    algorithm,
    secret: new Secret(secret),
  }));
  const clock = clockOf(admin);

  return {
    url,
    companyId,
    keys,
    async register(project) {
      const body = {
        merchant_id: "shop",
        name: "Shop",
        currency: 980,
        risk_level: "medium",
        ...project,
      } as const;
      await using client = createClient({
        baseUrl: url,
        key: keys[0]!,
        ...(options.recipe === undefined ? {} : { recipe: options.recipe }),
      });
      const { registered, explanation } = await client.register(body);
      if (!registered) throw new Fault("sandbox", whole(explanation));
      if (credentialDelay > 0) await clock.advance(credentialDelay * 1000);
      const result = await client.credential({ merchant_id: body.merchant_id, risk_level: body.risk_level });
      if (result.credential === null) throw new Fault("sandbox", whole(result.explanation));
      return result.credential;
    },
    clock,
    faults: {
      add: (order) => admin.addFault({ rate: 1, count: null, ...order }),
      list: () => admin.faults(),
      async clear(id) {
        await admin.clearFaults(id);
      },
    },
    rules: {
      text: async () => (await admin.rulesText()).text,
      use: (text) => admin.saveRules(text),
      remove: () => admin.removeRules(),
    },
    explain: (decisionId) => admin.decision(decisionId),
    journal: async (limit = 100) => (await admin.journal(limit)).entries,
    reset: () => admin.reset({ keepProjects: true }),
    stop: () => running.stop(),
    [Symbol.asyncDispose]: () => running.stop(),
  };
}

/** Folders of running sandboxes, which are removed at the latest when the process exits. */
const temporaryFolders = new Set<string>();

function temporaryFolder(): string {
  if (temporaryFolders.size === 0) process.on("exit", removeAll);
  const folder = mkdtempSync(join(tmpdir(), "verdict-sandbox-"));
  temporaryFolders.add(folder);
  return folder;
}

function removeTemporary(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  temporaryFolders.delete(folder);
  if (temporaryFolders.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
  for (const folder of temporaryFolders) removeTemporary(folder);
}

function clockOf(admin: SandboxAdmin): SandboxClock {
  const change = async (what: ClockChange): Promise<Date> =>
    new Date((await admin.changeClock(what)).virtualTime);
  return {
    now: async () => new Date((await admin.clock()).virtualTime),
    async advance(by) {
      const byMs = typeof by === "number" ? by : parseDuration(by);
      if (byMs !== null) return change({ do: "advance", byMs });
      throw usage`"${by}" is no duration such as 25h, 90s or 1d2h.`;
    },
    set: (at) => change({ do: "set", at: Number(at) }),
    freeze: () => change({ do: "freeze" }),
    resume: () => change({ do: "resume" }),
    reset: () => change({ do: "reset" }),
  };
}
