// A vault in a folder of its own, with a clock that only the test moves and a cheap scrypt.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { Secret } from "#src/contract/secret.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { VaultClock } from "#src/vault/open-key.ts";
import { openVault } from "#src/vault/vault.ts";
import type { NewVaultEntry, Vault, VaultOptions } from "#src/vault/vault.ts";

export const BASE = "https://check.example";
export const PROJECTS = "https://projects.example";
export const SECRET = "c4n4ry-5ec2e7-of-unusual-shape";
export const PASSPHRASE = new Secret("correct horse battery staple");
export const OTHER = new Secret("wrong horse battery staple");

export const KEY = {
  kind: "integration_key",
  profile: "live",
  companyId: "company-1",
  keyId: "hmac-sha256-1",
  algorithm: "hmac-sha256",
  projectsUrl: PROJECTS,
  secret: new Secret(SECRET),
} as const satisfies NewVaultEntry;

export const CREDENTIAL = {
  kind: "project_credential",
  profile: "live",
  projectKey: "merchant-7/low",
  projectId: "project-1",
  keyId: "hmac-sha256-2",
  algorithm: "hmac-sha256",
  baseUrl: BASE,
  secret: new Secret(`${SECRET}-2`),
} as const satisfies NewVaultEntry;

export interface Place {
  readonly home: string;
  readonly documentPath: string;
  readonly keyPath: string;
  readonly settingsPath: string;
  readonly clock: FakeClock;
  open(options?: Partial<VaultOptions>): Promise<Vault>;
  /** Every file below the home, by its path. */
  files(): Map<string, Buffer>;
}

export function place(): Place {
  const home = mkdtempSync(join(tmpdir(), "verdict-vault-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const documentPath = join(home, "data/vault.json");
  const keyPath = join(home, "state/vault.key");
  const settingsPath = join(home, "config/vault.json");
  const clock = fakeClock();
  let ids = 0;
  const newId = (): string => `id-${(ids += 1)}-${Math.random().toString(36).slice(2)}`;
  return {
    home,
    documentPath,
    keyPath,
    settingsPath,
    clock,
    open: (options = {}) =>
      openVault({
        documentPath,
        keyPath,
        settingsPath,
        newId,
        // Of a vault's own damage its check tells.
        onProblem: () => undefined,
        clock,
        // A thousandth of the real cost: what is tested here is not how long it takes.
        scryptLogN: 4,
        fs: nodeFileSystem,
        ...options,
      }),
    files: () =>
      new Map(
        readdirSync(home, { recursive: true, encoding: "utf8" })
          .map((name) => join(home, name))
          .filter((path) => statSync(path).isFile())
          .map((path) => [path, readFileSync(path)]),
      ),
  };
}

export interface FakeClock extends VaultClock {
  /** Both clocks go on, and timers that are due run. */
  pass(ms: number): void;
  /** The machine sleeps: only the wall clock goes on, and no timer runs. */
  suspend(ms: number): void;
  /** The wall clock is set, by so much. */
  set(ms: number): void;
  readonly timers: number;
}

export function fakeClock(): FakeClock {
  let wall = Date.UTC(2026, 0, 1);
  let steady = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    wall: () => wall,
    steady: () => steady,
    after(delayMs, run) {
      const timer = { at: steady + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(ms) {
      const end = steady + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        wall += next.at - steady;
        steady = next.at;
        next.run();
      }
      wall += end - steady;
      steady = end;
    },
    suspend(ms) {
      wall += ms;
    },
    set(ms) {
      wall += ms;
    },
    get timers() {
      return timers.size;
    },
  };
}
