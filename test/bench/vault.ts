// Opening a vault that a passphrase protects: one derivation of the key, and little beside it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "#src/contract/secret.ts";
import { openVault } from "#src/vault/vault.ts";
import { noDamage } from "../storage/no-damage.ts";
import { runProcess, sideBySide, type Row } from "./measure.ts";

const ROUNDS = 7;

export async function* benchVault(root: string): AsyncGenerator<Row> {
  const home = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const env = { PATH: process.env["PATH"], HOME: home, VERDICT_HOME: join(home, "verdict") };
  const program = join(root, "dist/verdict.mjs");
  const passphrase = "correct horse battery staple";
  const run = (...words: readonly string[]): Promise<void> =>
    runProcess(process.execPath, [program, ...words], env, [0]);
  const derive =
    'crypto.scryptSync("correct horse battery staple", Buffer.alloc(16), 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 })';
  try {
    const open = (): ReturnType<typeof openVault> =>
      openVault({
        onProblem: noDamage,
        documentPath: join(home, "verdict/data/vault.json"),
        keyPath: join(home, "verdict/state/vault.key"),
        newId: () => "id",
      });
    await (
      await open()
    ).put({
      kind: "integration_key",
      profile: "sandbox",
      companyId: "c",
      projectsUrl: "https://check.example",
      keyId: "k",
      algorithm: "hmac-sha256",
      secret: new Secret("9f".repeat(32)),
    });
    await run("vault", "passphrase", "--command", "printf", passphrase);
    yield await sideBySide(
      {
        what: "verdict doctor --verify, unlocked by a command",
        yardstick: "node -e scryptSync(2^17)",
        budget: 1.6,
      },
      ROUNDS,
      () => run("doctor", "--verify"),
      () => runProcess(process.execPath, ["-e", derive], env, [0]),
    );
    const vault = await open();
    const { scryptSync } = await import("node:crypto");
    yield await sideBySide(
      { what: "unlock a vault with its passphrase", yardstick: "scryptSync(2^17)", budget: 1.2 },
      ROUNDS,
      async () => {
        vault.lock();
        await vault.unlock(new Secret(passphrase));
      },
      () => void scryptSync(passphrase, Buffer.alloc(16), 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
