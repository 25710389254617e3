// The 24 hours of a credential with clocks that are moved under real processes, by libfaketime of Debian.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, type Ran, testHomeOfTests } from "../cli/verdict-process.ts";

const [LIBRARY] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
if (LIBRARY === undefined)
  process.stderr.write(
    "The tests with moved clocks are skipped: they need the Debian package libfaketime.\n",
  );

/** Far longer than anything that is not a wait for a clock. */
const SOON_MS = 60_000;

/** A clock that stands at a time, in the words of faketime. */
const at = (day: number, time: string): string => `2026-03-${String(day).padStart(2, "0")} ${time}`;

describe.runIf(LIBRARY !== undefined)("the 24 hours", () => {
  const home = testHomeOfTests();
  let server: ChildProcess;
  let clocks: { readonly client: string; readonly service: string };

  /** Time comes from the file from now on, also while the process runs; clocks that only go forward are left alone. */
  const under = (file: string): NodeJS.ProcessEnv => ({
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    TZ: "UTC",
  });
  const set = (what: { readonly client?: string; readonly service?: string }): void => {
    if (what.client !== undefined) writeFileSync(clocks.client, `${what.client}\n`);
    if (what.service !== undefined) writeFileSync(clocks.service, `${what.service}\n`);
  };
  const setBoth = (time: string): void => set({ client: time, service: time });

  const run = (words: readonly string[], input?: string): Promise<Ran> =>
    home.run(words, { env: under(clocks.client), ...(input === undefined ? {} : { input }) });
  const owner = (merchant: string): string[] => ["--merchant-id", merchant, "--risk-level", "low"];
  const register = async (merchant: string): Promise<void> => {
    const { code, stderr } = await run([
      "register",
      ...owner(merchant),
      "--name",
      "Shop",
      "--currency",
      "UAH",
    ]);
    expect(code, stderr).toBe(0);
  };
  const fetchNow = (merchant: string): Promise<Ran> => run(["credential", ...owner(merchant)]);
  const projectOf = async (merchant: string): Promise<Record<string, unknown>> => {
    const { stdout } = await run(["projects", "--json"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return rows.find((row) => row["merchant_id"] === merchant)!;
  };

  /** A `credential --wait` that is waiting, and how it ends. */
  async function waiting(merchant: string): Promise<{ child: ChildProcess; ended: Promise<number | null> }> {
    const child = spawn(process.execPath, [PROGRAM, "credential", ...owner(merchant), "--wait", "--json"], {
      cwd: home.folder,
      env: { ...home.env, ...under(clocks.client) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said = once(child.stderr, "data");
    const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
    expect(String((await said)[0])).toContain("Waiting");
    // Asleep: it goes on by its clock.
    await expect
      .poll(() => readFileSync(`/proc/${child.pid}/wchan`, "utf8"), { timeout: SOON_MS })
      .toMatch(/epoll|poll|^0$/);
    return { child, ended };
  }

  /** Whether it ends before its own timers could have brought it there. */
  const soon = (ended: Promise<number | null>): Promise<number | null | "late"> =>
    Promise.race([
      ended,
      new Promise<"late">((resolve) => setTimeout(() => resolve("late"), SOON_MS).unref()),
    ]);

  beforeAll(async () => {
    clocks = { client: join(home.folder, "client-clock"), service: join(home.folder, "service-clock") };
    setBoth(at(1, "12:00:00"));
    const words = ["serve", "--port", "0", "--credential-delay", "0", "--state", join(home.folder, "served")];
    server = spawn(process.execPath, [PROGRAM, ...words], {
      env: { ...home.env, ...under(clocks.service) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    await new Promise<void>((resolve, reject) => {
      server.on("exit", (code) => reject(new Error(`serve ended with ${code}`)));
      server.stdout!.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("Ctrl-C ends it.")) resolve();
      });
    });
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0];
    const { companies } = JSON.parse(readFileSync(/Integration keys: (\S+) /.exec(said)![1]!, "utf8")) as {
      companies: { company_id: string; integration_keys: { key_id: string; secret: string }[] }[];
    };
    const [company] = companies;
    const [key] = company!.integration_keys;
    await run(["profile", "add", "moved", "--base-url", url, "--credential-wait", "75"]);
    await run(["profile", "use", "moved"]);
    const ids = ["--key-id", key!.key_id, "--company-id", company!.company_id];
    const added = await run(["vault", "add", ...ids, "--secret-stdin"], key!.secret);
    expect(added.code, added.stderr).toBe(0);
  });
  afterAll(() => {
    server.kill("SIGKILL");
  });

  it("are open at 23:59:59", async () => {
    setBoth(at(1, "12:00:00"));
    await register("just-in-time");
    setBoth(at(2, "11:59:59"));
    const { code, stderr } = await fetchNow("just-in-time");
    expect(code, stderr).toBe(0);
    expect(await projectOf("just-in-time")).toMatchObject({ state: "ready", credential_in_vault: true });
  });

  it("are over at 24:00:00, and stay over when the clocks go back", async () => {
    setBoth(at(3, "12:00:00"));
    await register("too-late");
    setBoth(at(4, "12:00:00"));
    const late = await fetchNow("too-late");
    expect(late.code).toBe(5);
    expect(late.stderr + late.stdout).toMatch(/panel/);
    expect(await projectOf("too-late")).toMatchObject({ state: "closed", credential_in_vault: false });
    set({ client: at(4, "10:00:00") });
    expect(await projectOf("too-late")).toMatchObject({ state: "closed" });
    const { stdout } = await run(["projects"]);
    expect(stdout).toMatch(/too-late\/low.*window closed/);
  });

  it("are counted by the service when the clock here is two hours back, which is said", async () => {
    setBoth(at(5, "12:00:00"));
    await register("two-hours");
    set({ client: at(5, "10:00:00") });
    const { stdout } = await run(["projects"]);
    // Nobody is promised more than there ever is.
    expect(stdout).toMatch(/two-hours\/low.*window closes in (1 d|23 h)(?! 2 h)/);
    const refused = await fetchNow("two-hours");
    expect(refused.code).toBe(5);
    expect(refused.stderr + refused.stdout).toMatch(/clock/);
    // Refused is not lost: with the clock right again it comes.
    set({ client: at(5, "12:00:01"), service: at(5, "12:00:01") });
    const { code, stderr } = await fetchNow("two-hours");
    expect(code, stderr).toBe(0);
  });

  it("do not make a wait two hours longer when the clock is set back during it", async () => {
    setBoth("+0");
    await register("waiter");
    const { child, ended } = await waiting("waiter");
    set({ client: "-7200s" });
    // 75 s of its own time, whatever the clock says; then the service refuses a signature that is two hours old.
    const code = await Promise.race([
      ended,
      new Promise<"late">((resolve) => setTimeout(() => resolve("late"), 3 * SOON_MS).unref()),
    ]);
    child.kill("SIGKILL");
    expect(code).toBe(5);
    setBoth("+0");
    expect((await fetchNow("waiter")).code).toBe(0);
  });

  it("go on while a process is suspended: it asks at once when it wakes after the recommended wait", async () => {
    setBoth("+0");
    await register("sleeper");
    const { child, ended } = await waiting("sleeper");
    child.kill("SIGSTOP");
    setBoth("+120s");
    child.kill("SIGCONT");
    expect(await soon(ended)).toBe(0);
    expect(await projectOf("sleeper")).toMatchObject({ state: "ready" });
  });

  it("are over when a process wakes a day later, and it says so instead of waiting on", async () => {
    setBoth("+0");
    await register("long-sleeper");
    const { child, ended } = await waiting("long-sleeper");
    child.kill("SIGSTOP");
    setBoth("+25h");
    child.kill("SIGCONT");
    expect(await soon(ended)).toBe(5);
    expect(await projectOf("long-sleeper")).toMatchObject({ state: "closed", credential_in_vault: false });
  });
});
