// A context for tests of the console: real files in a temporary home, and a service that answers as the test says.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Service } from "#src/actions/action-context.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import type { Client } from "#src/client/client.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckResult, CredentialResult, RegisterResult } from "#src/contract/wire/outcome.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { answer } from "../storage/entries.ts";
import { noDamage } from "../storage/no-damage.ts";

export interface TestService {
  /** Recommended wait before the credential request, in seconds; the profile's unless told. */
  credentialWaitS?: number;
  /** Wall time, local and of the service; the present unless told. */
  now?: () => number;
  check?: (body: CheckRequest, signal: AbortSignal | undefined) => CheckResult | Promise<CheckResult>;
  register?: () => RegisterResult | Promise<RegisterResult>;
  credential?: () => CredentialResult | Promise<CredentialResult>;
  explain?: (decisionId: string) => Explanation | null;
}

export interface TestContext {
  readonly context: Context;
  readonly folder: string;
  remove(): Promise<void>;
}

export const TEST_SECRET = "c2VjcmV0LW9mLXRoZS10ZXN0LW5vdC1yZWFs";

/** What every answer of the service has. */
const { recommendation: _verdict, message: _message, rawCode: _code, ...CALL } = answer();

/** An answer with this recommendation, and anything of it replaced. */
export function answered(
  recommendation: CheckResult["recommendation"],
  change: Partial<CheckResult> = {},
): CheckResult {
  return answer({ recommendation, message: "Continue transaction processing", ...change });
}

export function registered(change: Partial<RegisterResult> = {}): RegisterResult {
  return { ...CALL, outcome: "answered", registered: true, message: "Registered", ...change };
}

export function credentialReady(change: Partial<CredentialResult> = {}): CredentialResult {
  return {
    ...CALL,
    outcome: "answered",
    state: "ready",
    credential: {
      keyId: "key-test-1",
      projectId: "project-test-1",
      algorithm: "hmac-sha256",
      secret: new Secret(TEST_SECRET),
    },
    message: null,
    ...change,
  };
}

/**
 * A context of the built-in sandbox profile, without a sandbox behind it: the functions given answer instead.
 * @param answers replaced at any time by assigning to its properties
 */
export async function testContext(answers: TestService = {}): Promise<TestContext> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-console-"));
  const real = await createContext({
    onProblem: noDamage,
    home: findHome({}, folder),
    env: {},
    profile: undefined,
    executable: [],
  });
  const now = (): number => answers.now?.() ?? Date.now();
  const client: Client = {
    check: async (body, _credential, options) => {
      options?.onFirstByte?.();
      return (await answers.check?.(body, options?.signal)) ?? answered("pass");
    },
    register: async () => (await answers.register?.()) ?? registered(),
    credential: async () => (await answers.credential?.()) ?? credentialReady(),
    close: () => Promise.resolve(),
  };
  const service: Service = {
    client,
    now,
    follow: () => undefined,
    takesTime: false,
    offsetMs: () => 0,
    assumeOffset: () => undefined,
    offeredKeys: () =>
      Promise.resolve([
        {
          keyId: "integration-test-1",
          companyId: "company-test-1",
          algorithm: "hmac-sha256",
          secret: new Secret(TEST_SECRET),
        },
      ]),
    explain: (id) => Promise.resolve(answers.explain?.(id) ?? null),
  };
  const { credentialWaitS = real.profile.credentialWaitS } = answers;
  const context: Context = {
    ...real,
    profile: { ...real.profile, credentialWaitS },
    now,
    service: () => Promise.resolve(service),
  };
  return {
    context,
    folder,
    async remove() {
      await real.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts the credential of a project into the vault. */
export async function putCredential(
  context: Context,
  projectKey: string,
  { keyId = "key-1", projectId = "project-1", secret = TEST_SECRET } = {},
): Promise<void> {
  const vault = await context.vault();
  const { baseUrl } = context.addresses();
  const owner = { profile: context.profile.name, projectKey, projectId, baseUrl };
  const key = { keyId, algorithm: "hmac-sha256", secret: new Secret(secret) };
  await vault.put({ kind: "project_credential", ...owner, ...key });
}

/** Puts a key that registers projects of a company into the vault. */
export async function putCompanyKey(
  context: Context,
  companyId: string,
  { keyId = "key-1", profile = context.profile.name, secret = TEST_SECRET } = {},
): Promise<void> {
  const vault = await context.vault();
  const owner = { profile, companyId, projectsUrl: context.addresses().projectsUrl };
  const key = { keyId, algorithm: "hmac-sha256", secret: new Secret(secret) };
  await vault.put({ kind: "integration_key", ...owner, ...key });
}

/** Writes checks into the history, in this order, those with a result settled. */
export async function putEntries(
  context: Pick<Context, "history">,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const history = await context.history();
  for (const entry of entries) {
    await history.intend(entry);
    if (entry.result !== null) await history.settle(entry);
  }
}
