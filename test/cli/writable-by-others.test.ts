// What another account may write to, or exchange: not obeyed, and said in one sentence that names the way out.

import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeAuthority } from "../client/certificates.ts";
import { intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { runsIn } from "../storage/open-runs.ts";
import { header } from "../storage/run-samples.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

const OTHER = 65_534;
const isRoot = process.geteuid?.() === 0;

let home: InProcessHome;

beforeEach(async () => {
  home = inProcessHome();
  onTestFinished(() => home.remove());
  for (const words of [
    "profile add shop --base-url https://shop.example",
    "profile use shop",
    "vault add --key-id k-1 --company-id c-1 --secret-stdin",
    "vault passphrase --command touch ran",
  ]) {
    await home.run(words.replace(" ran", ` ${join(home.folder, "ran")}`), "9f".repeat(32));
  }
});

describe.skipIf(process.platform === "win32")("a document that others may write", () => {
  it.each([
    ["config/profiles.json", 0o620, "profile list", "chmod 600"],
    ["config/profiles.json", 0o602, "vault list", "chmod 600"],
    ["config", 0o707, "profile show shop", "chmod go-w"],
    ["config", 0o770, "profile list", "chmod 700"],
    ["data/vault.json", 0o606, "vault list", "chmod 600"],
    ["data/history.db", 0o666, "history", "chmod 600"],
    ["data/history.db", 0o620, "history export --format json", "chmod 600"],
    ["data/runs.db", 0o602, "run list", "chmod 600"],
    ["data/payloads/kept.json", 0o666, "payload show kept", "chmod 600"],
  ])("(%s, %o) is not read by %j", async (name, mode, words, advice) => {
    const path = join(home.folder, name);
    await historyIn(join(home.folder, "data")).intend(intent("e1"));
    await (await runsIn(join(home.folder, "data")).create(header("a1"))).close();
    await home.run(["payload", "save", "kept", "-"], '{"operation":"payment"}');
    chmodSync(path, mode);
    const { code, stderr } = await home.run(words);
    expect(code).toBe(74);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(`${path} can be written by other accounts`);
    expect(stderr).toContain(advice);
    const doctor = await home.run("doctor");
    expect(doctor.code).toBe(8);
    expect(doctor.stdout).toContain(`${path} can be written by other accounts`);
  });

  it.each([
    ["config/keys.yaml", "check.fresh: f7\n", 0o666, "help shortcuts"],
    ["config/keys.yaml", "check.fresh: f7\n", 0o622, "help shortcuts"],
    ["config/commands.yaml", "see:\n  key: f7\n  label: see\n  run: [less]\n", 0o622, "help shortcuts"],
    ["config/settings.yaml", "ascii: true\n", 0o602, "recipe list"],
    ["config/recipes/own.yaml", "recipe: own\n", 0o606, "recipe list"],
    ["config/recipes", null, 0o707, "recipe list"],
  ])("(%s, written by hand %j, %o) is not obeyed by %j", async (name, text, mode, words) => {
    const path = join(home.folder, name);
    mkdirSync(join(home.folder, "config/recipes"));
    if (text === null) writeFileSync(join(path, "own.yaml"), "recipe: own\n", { mode: 0o600 });
    else writeFileSync(path, text);
    chmodSync(path, mode);
    const { stdout, stderr } = await home.run(words);
    expect(stderr + stdout).toContain(`${path} can be written by other accounts`);
    expect(stdout).not.toContain("f7");
    const doctor = await home.run("doctor");
    expect(doctor.code).toBe(8);
    expect(doctor.stdout).toContain(`${path} can be written by other accounts`);
  });

  it("is obeyed where its editor gave it to the private group of the account", async () => {
    const path = join(home.folder, "config/keys.yaml");
    writeFileSync(path, "check.fresh: f7\n");
    chmodSync(path, 0o664);
    const { stderr, stdout } = await home.run("help shortcuts");
    expect(stdout + stderr).not.toContain("may be written");
  });

  it("is read in a folder where each may replace its own files alone", async () => {
    chmodSync(join(home.folder, "config"), 0o1777);
    expect((await home.run("profile list")).code).toBe(0);
  });
});

it.skipIf(process.platform === "win32")("follows a folder that is a link, and says so", async () => {
  const moved = mkdtempSync(join(tmpdir(), "verdict-moved-"));
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  renameSync(join(home.folder, "config"), join(moved, "config"));
  symlinkSync(join(moved, "config"), join(home.folder, "config"));
  expect((await home.run("profile list")).stdout).toContain("shop");
  const { stdout } = await home.run("doctor");
  expect(stdout).toContain(`${join(home.folder, "config")} is a link to a folder; verdict follows the link`);
  expect(stdout).not.toContain("is not followed");
});

describe.skipIf(process.platform === "win32")("an authority file that others may write", () => {
  it("is refused", async () => {
    const file = join(home.folder, "company.pem");
    writeFileSync(file, (await makeAuthority()).certificate, { mode: 0o644 });
    const add = `profile add own --base-url https://a.example --ca ${file}`;
    expect((await home.run(add)).code).toBe(0);
    chmodSync(file, 0o666);
    const { code, stderr } = await home.run(add);
    expect([code, stderr]).toEqual([2, expect.stringContaining("can be written by other accounts")]);
  });
});

describe.skipIf(process.platform === "win32")("a home below a folder", () => {
  function below(): { readonly top: string; readonly run: InProcessHome["run"] } {
    const top = mkdtempSync(join(tmpdir(), "verdict-above-"));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    mkdirSync(join(top, "between/home"), { recursive: true, mode: 0o755 });
    const run: InProcessHome["run"] = (words) =>
      home.run([...(words as string).split(" "), "--home", join(top, "between/home")]);
    return { top, run };
  }

  it.each([
    ["between", 0o777, 74],
    ["between/home", 0o777, 74],
    ["between", 0o757, 74],
    ["between", 0o1777, 0],
    ["between", 0o775, 0],
    ["between", 0o755, 0],
  ])("(%s, %o) ends with %i", async (name, mode, exit) => {
    const { top, run } = below();
    chmodSync(join(top, name), mode);
    const { code, stderr } = await run("profile list");
    expect(code, stderr).toBe(exit);
    if (exit === 0) return;
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(`${join(top, name)} can be written by other accounts`);
    expect((await run("serve --port 0")).stderr).toContain(join(top, name));
    expect((await run("doctor")).stdout).toContain(`${join(top, name)} can be written by other accounts`);
  });

  it("is looked at where links lead, too", async () => {
    const { top } = below();
    chmodSync(join(top, "between"), 0o777);
    symlinkSync(join(top, "between/home"), join(top, "link"));
    const { code, stderr } = await home.run(["profile", "list", "--home", join(top, "link")]);
    expect([code, stderr]).toEqual([74, expect.stringContaining(`${join(top, "between")} can be written`)]);
  });

  it.skipIf(!isRoot)("of another account is refused, and one of a shared group", async () => {
    const { top, run } = below();
    chownSync(join(top, "between"), OTHER, OTHER);
    const { code, stderr } = await run("profile list");
    expect([code, stderr]).toEqual([74, expect.stringContaining("belongs to another account")]);
    chownSync(join(top, "between"), 0, OTHER);
    expect((await run("profile list")).code).toBe(0);
    chmodSync(join(top, "between"), 0o775);
    expect((await run("profile list")).code).toBe(74);
  });
});
