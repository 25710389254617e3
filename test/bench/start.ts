// How long whole processes take, against a Node that does nothing.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess, sideBySide, type Row } from "./measure.ts";

const ROUNDS = 25;

export async function* benchStart(root: string): AsyncGenerator<Row> {
  const home = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const env = { PATH: process.env["PATH"], HOME: home, VERDICT_HOME: join(home, "verdict") };
  const program = join(root, "dist/verdict.mjs");
  const payload = join(home, "payload.json");
  writeFileSync(
    payload,
    JSON.stringify({
      operation: "payment",
      order_id: "bench-1",
      amount: 12_000,
      currency: 980,
      description: "Bench",
    }),
  );
  const verdict = (args: readonly string[], expected: readonly number[] = [0]): Promise<void> =>
    runProcess(process.execPath, [program, ...args], env, expected);
  const nothing = (): Promise<void> => runProcess(process.execPath, ["-e", "0"], env, [0]);
  const row = (
    what: string,
    budget: number,
    args: readonly string[],
    expected?: readonly number[],
  ): Promise<Row> =>
    sideBySide({ what, yardstick: "node -e 0", budget }, ROUNDS, () => verdict(args, expected), nothing);

  try {
    yield bundle(join(root, "dist"));
    yield tarball(root, home);
    yield await row("verdict --version", 1.3, ["--version"]);
    yield await row("verdict --help", 1.3, ["--help"]);
    yield await row("verdict check --dry-run", 2, ["check", payload, "--dry-run"]);
    // Each check renews the sandbox's lease, so it stays up from here to the end.
    await verdict([
      "register",
      "--merchant-id",
      "bench",
      "--name",
      "Bench",
      "--currency",
      "UAH",
      "--risk-level",
      "low",
      "--wait",
    ]);
    yield await row("verdict check on a running sandbox", 3.5, ["check", payload], [0, 10, 11]);
    yield await row("verdict history", 2.5, ["history"]);
    yield await row("verdict rules list", 4, ["rules", "list"]);
  } finally {
    await verdict(["sandbox", "stop"], [0, 2, 4]);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Everything that the program runs from. */
function bundle(folder: string): Row {
  const files = readdirSync(folder).filter((name) => /\.[cm]js$/.test(name));
  const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return { what: "bundle", unit: "MB", measured: bytes / 1e6, budget: 2.5, rounds: 1 };
}

/** What an installation fetches: the program, the library and its types, and the documents. */
function tarball(root: string, folder: string): Row {
  // No scripts: what is measured is the build that the other rows run.
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
    stdio: "pipe",
  });
  const [name] = readdirSync(folder).filter((each) => each.endsWith(".tgz"));
  return {
    what: "packed npm tarball",
    unit: "MB",
    measured: statSync(join(folder, name!)).size / 1e6,
    budget: 1.5,
    rounds: 1,
  };
}
