// Secrets of unusual shape go through a whole session with failures, crashes, reports, exports and a lock: afterwards they
// are nowhere, in no form. The same sweep finds each of them where one was put on purpose.

import { spawn } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, type Ran, testHomeOfTests } from "../cli/verdict-process.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { BAD_CREDENTIALS, leakyService, type LeakyService } from "./leaky-service.ts";
import { watchProcesses, type ProcessWatch } from "./process-watch.ts";
import { filesBelow, formsOf, sightings, type Place } from "./sightings.ts";

/** Printable, and changed by every encoding there is. */
const canary = (name: string): string =>
  `c@n%ry+/=~<&"${name}>?#[${name.split("").toReversed().join("")}]|{}0Oo1lI`;

const SECRETS = {
  "the integration key": canary("integration"),
  "the credential that came": canary("credential-1"),
  "the credential by hand": canary("by-hand-key-2"),
  "the key typed in the console": canary("typed-in-there"),
  "the first passphrase": canary("passphrase-one"),
  "the second passphrase": canary("passphrase-two"),
  "the passphrase of the export": canary("of-the-export-3"),
  "the passphrase of the proxy": "proxy-canary-7d1e9f42c0-of-the-proxy",
} as const;

/** Of the user, for other programs: in the environment of the commands, and nowhere else. */
const USERS_OWN = { "a secret of the user": canary("of-another-program") };

const BODY = JSON.stringify({ operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 });

describe.runIf(process.platform === "linux")("a canary", () => {
  const home = testHomeOfTests();
  let service: LeakyService;
  let watch: ProcessWatch;
  let umask: number;
  const told: Place[] = [];
  const terminals: PseudoTerminal[] = [];
  const secrets: Record<string, string> = { ...SECRETS };

  beforeAll(async () => {
    // Nothing of the modes comes from a careful umask.
    umask = process.umask(0);
    for (const folder of ["tmp", "cores", "diagnostics"])
      mkdirSync(join(home.folder, folder), { mode: 0o700 });
    service = await leakyService(SECRETS["the credential that came"]);
    watch = watchProcesses(home.folder);
  });
  afterAll(async () => {
    watch.stop();
    for (const terminal of terminals) await terminal.close();
    await service.close();
    process.umask(umask);
  });

  const environment = (): NodeJS.ProcessEnv => ({
    TMPDIR: join(home.folder, "tmp"),
    USERS_TOKEN: USERS_OWN["a secret of the user"],
  });

  function hear(name: string, { stdout, stderr }: Pick<Ran, "stdout" | "stderr">): void {
    told.push({ name: `what ${name} says`, bytes: Buffer.from(stdout) });
    told.push({ name: `what ${name} complains`, bytes: Buffer.from(stderr) });
  }

  async function run(
    words: string | readonly string[],
    codes: number | readonly number[] = 0,
    options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    const ran = await home.run(words, { ...options, env: { ...environment(), ...options.env } });
    const name = typeof words === "string" ? words : words.join(" ");
    hear(name, ran);
    expect([codes].flat(), `${name}: ${ran.stderr}`).toContain(ran.code);
    return ran;
  }

  /** A check that hangs at the service when something happens to its process. */
  async function crash(
    name: string,
    shell: string,
    env: NodeJS.ProcessEnv,
    strike: (pid: number) => void,
  ): Promise<number | NodeJS.Signals | null> {
    service.checks = "silent";
    const arrived = service.nextCheck();
    const words = ["check", "-", "--project", "shop/low"];
    const child = spawn("sh", ["-c", `${shell} exec "$0" "$@"`, process.execPath, PROGRAM, ...words], {
      cwd: join(home.folder, "cores"),
      env: { ...home.env, ...environment(), ...env },
      stdio: "pipe",
    });
    const heard = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (heard.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (heard.stderr += text));
    child.stdin.end(BODY);
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.on("close", (code, signal) => resolve(code ?? signal));
    });
    // Whoever ends before has not come as far as he should.
    expect(await Promise.race([arrived, ended]), heard.stderr).toBeUndefined();
    strike(child.pid!);
    const end = await ended;
    hear(name, heard);
    service.checks = "pass";
    return end;
  }

  const everything = (): Place[] => [
    ...filesBelow(home.folder),
    ...told,
    ...terminals.map((terminal, index) => ({
      name: `what the console draws (${index + 1})`,
      bytes: Buffer.from(terminal.written()),
    })),
    ...watch.places(),
  ];

  it("is found wherever it is planted, in every form", () => {
    const secret = SECRETS["the integration key"];
    const own = { "the integration key": secret };
    for (const { name, bytes } of formsOf(secret)) {
      const place = { name: "a plant", bytes: Buffer.concat([Buffer.from("{x"), bytes, Buffer.from("y}")]) };
      expect(sightings([place], own), name).toContain(`the integration key stands in a plant, ${name}`);
    }
    for (const shift of [0, 1, 2]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const text = Buffer.from(`${"-".repeat(shift)}${secret}--`).toString(encoding);
        const found = sightings([{ name: "a plant", bytes: Buffer.from(text) }], own);
        expect(found, `${encoding} ${shift}`).not.toEqual([]);
      }
    }
    const cut = { name: "a plant", bytes: Buffer.from(secret.slice(0, secret.length - 5)) };
    expect(sightings([cut], own)).not.toEqual([]);
    const others = { name: "another secret", bytes: Buffer.from(canary("some-other-one")) };
    expect(sightings([others], own)).toEqual([]);
  });

  it("goes through registration, checks, failures, replay, reports and payloads", async () => {
    await run(["profile", "add", "leaky", "--base-url", service.url, "--credential-wait", "0"]);
    await run("profile use leaky");
    await run("vault add --key-id int-1 --company-id c-1 --secret-stdin", 0, {
      input: `${SECRETS["the integration key"]}\n`,
    });
    const owner = ["--merchant-id", "shop", "--risk-level", "low"];
    await run(["register", ...owner, "--name", "Shop", "--currency", "UAH"]);
    for (let bad = 0; bad < BAD_CREDENTIALS; bad += 1) {
      await run(["credential", ...owner, "--verbose", ...(bad % 2 ? ["--json"] : [])], [5, 6, 7]);
    }
    await run(["credential", ...owner, "--json", "--verbose"]);
    const byHand = [
      "--merchant-id",
      "hand",
      "--risk-level",
      "high",
      "--key-id",
      "k-2",
      "--project-id",
      "p-2",
    ];
    await run(["vault", "add", ...byHand, "--secret-stdin"], 0, {
      input: SECRETS["the credential by hand"],
    });

    const file = join(home.folder, "payload.json");
    writeFileSync(file, BODY);
    await run(["check", file, "--project", "shop/low", "--json"]);
    await run(["check", file, "--project", "hand/high"]);
    await run(["check", file, "--project", "shop/low", "--dry-run"]);
    for (const [checks, code] of [
      ["500", 6],
      ["401", 5],
      ["cut", 6],
    ] as const) {
      service.checks = checks;
      await run(["check", file, "--project", "shop/low", "--verbose"], code);
      const [{ id }] = (await home.json("history --json --limit 1")) as unknown as [{ id: string }];
      const kept = await run(["history", "show", id, "--exchange"]);
      expect(kept.stdout).toContain("> POST /v1/check HTTP/1.1");
      await run(["history", "show", id, "--exchange", "--json"]);
    }
    // This recipe sends the secret itself, and the service sends it back.
    const byHeader = [
      "--base-url",
      service.url,
      "--recipe",
      "static",
      "--key-id",
      "k-3",
      "--project-id",
      "p-3",
    ];
    const input = SECRETS["the credential by hand"];
    for (const checks of ["echo", "pass"] as const) {
      service.checks = checks;
      await run(["init", "bare", ...byHeader, "--secret-stdin", "--verbose"], checks === "echo" ? 5 : 0, {
        input,
      });
    }
    service.checks = "echo";
    await run(["check", file, "--profile", "bare", "--verbose"], 5);
    const [{ id: echoed }] = (await home.json("history --json --limit 1")) as unknown as [{ id: string }];
    await run(["history", "show", echoed, "--exchange"]);
    service.checks = "pass";
    await run("profile use leaky");
    await run(["payload", "save", "kept", file, "--expect", "pass"]);
    await run("payload show kept --json");
    const reports = ["json=r.json", "html=r.html", "junit=r.xml"].flatMap((report) => ["--report", report]);
    await run(["replay", "kept", file, "--project", "shop/low", "--fresh-order-ids", ...reports]);
    await run("history --json --limit 100");
    await run("history export --format csv --output h.csv", [0, 2]);
    await run("history export --format json", [0, 2]);
    await run("projects --json");
    for (const words of ["vault list", "vault list --json", "doctor --verify", "doctor --verify --json"])
      await run(words);
    for (const { id } of await home.json("vault list --json")) {
      await run(["vault", "show", String(id)]);
      await run(["vault", "show", String(id), "--json"]);
    }
    await run("doctor", 0);
    await run("doctor --json", [0, 8], {
      env: {
        HTTPS_PROXY: `http://user:${SECRETS["the passphrase of the proxy"]}@proxy.example:3128`,
        NODE_DEBUG: "verdict-none",
      },
    });
    await run("vault add --secret-stdin --key-id", 2, {
      input: SECRETS["the credential by hand"],
    });
  });

  it("is typed into the console, and looked at there, masked", async () => {
    const terminal = openPseudoTerminal({
      cwd: home.folder,
      env: { ...home.env, ...environment() },
      columns: 100,
      rows: 30,
    });
    terminals.push(terminal);
    await terminal.until("› Send check");
    await terminal.type("\x1b[27u3").until(/secret +\*{8}/i);
    await terminal.type("a").until("› Kind");
    // There is an integration key already, so that a credential is what is most likely wanted.
    await terminal.type("\t").until("› Merchant id");
    await terminal.type("typed\t\tp-3\tk-3\t\t").until("› Secret");
    terminal.type(`\x1b[200~${SECRETS["the key typed in the console"]}\x1b[201~`);
    await terminal.until(/\*+ +\d+ characters/);
    await terminal.type("\t").until("› Save in the vault");
    await terminal.type("\r").until("typed/medium");
    await terminal.type("4").until("o-1");
    await terminal.type("\r").until(/request|Request/);
    await terminal.type("\x1b[27uq").exit;
    const held = (await home.json("vault list --json")).map((entry) => entry["project"]);
    expect(held).toContain("typed/medium");
  });

  it("survives crashes: killed, aborted with core dumps on, by an exception, and a diagnostic report", async () => {
    const kill = (signal: NodeJS.Signals) => (pid: number) => void process.kill(pid, signal);
    expect(await crash("a killed check", "", {}, kill("SIGKILL"))).toBe("SIGKILL");
    expect(await crash("an aborted check", "ulimit -c unlimited;", {}, kill("SIGABRT"))).toBe("SIGABRT");
    // Code of the user's own throws inside the program while the request is under way, with all it can get hold of.
    const bomb = join(home.folder, "bomb.mjs");
    writeFileSync(
      bomb,
      `process.on("SIGWINCH", () => { throw Object.assign(new Error("bomb"), { headers: { authorization: "none" } }); });`,
    );
    const folder = join(home.folder, "diagnostics");
    const diagnostics = `--report-uncaught-exception --report-on-fatalerror --report-directory=${folder}`;
    const end = await crash(
      "an exploded check",
      "",
      { NODE_OPTIONS: `--import=${bomb} ${diagnostics}` },
      kill("SIGWINCH"),
    );
    expect(end).toBe(1);
    const said = told.find(({ name }) => name === "what an exploded check complains")!.bytes.toString();
    expect(said).toMatch(/verdict failed with an internal error \(Error at bomb\.mjs:\d+:\d+\)/);
    expect(said).not.toContain("authorization");
    const reports = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".json"));
    const reported = await crash(
      "a check that reports on itself",
      "",
      { NODE_OPTIONS: `--report-on-signal --report-directory=${folder}` },
      (pid) => {
        process.kill(pid, "SIGUSR2");
        const waiting = setInterval(() => {
          if (reports().length === 0) return;
          clearInterval(waiting);
          process.kill(pid, "SIGKILL");
        }, 20);
      },
    );
    expect(reported).toBe("SIGKILL");
    // The intents of all of them are there, as unknown.
    const unknown = (await home.json("history --json --limit 4")).map((row) => row["outcome"]);
    expect(unknown).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  });

  it("is exported, and locked behind a passphrase", async () => {
    await run("vault export keys.age --secret-stdin", 0, {
      input: `${SECRETS["the passphrase of the export"]}\n`,
    });
    await run("vault import keys.age --dry-run --secret-stdin", 2, {
      input: SECRETS["the second passphrase"],
    });
    await run("vault passphrase --set --secret-stdin", 0, { input: `${SECRETS["the first passphrase"]}\n` });
    await run("vault passphrase --set --secret-stdin", 0, {
      input: `${SECRETS["the first passphrase"]}\n${SECRETS["the second passphrase"]}\n`,
    });
    await run("vault passphrase --set --secret-stdin", 3, {
      input: `${SECRETS["the first passphrase"]}\n${SECRETS["the second passphrase"]}\n`,
    });
    await run(["check", join(home.folder, "payload.json"), "--project", "shop/low"], 3);
    await run("vault list --json");
    await run("doctor --verify", [0, 8]);
    await run("doctor --json", [0, 8]);
  });

  it("is issued by the sandbox, whose log and journal do not know it", async () => {
    await run(
      "--profile sandbox register --merchant-id own --name Own --currency EUR --risk-level high",
      [0, 3],
    );
    const [panel] = (await home.json("--profile sandbox sandbox panel --json")) as unknown as [
      { companies: { integration_keys: { key_id: string }[] }[] },
    ];
    const keyId = panel.companies[0]!.integration_keys[0]!.key_id;
    // Given to a pipe on purpose, and so not among what was heard.
    const { stdout } = await home.run(["--profile", "sandbox", "sandbox", "panel", "--secret", keyId]);
    expect(stdout.trim()).toMatch(/^[0-9a-f]{64}$/);
    secrets["the sandbox's own integration key"] = stdout.trim();
    await run("sandbox status --json");
  });

  it("is nowhere: no file, no output, no screen, no environment and no argument", () => {
    const places = everything();
    expect(places.some(({ name }) => name.endsWith("verdict/data/vault.json"))).toBe(true);
    expect(places.some(({ name }) => name.endsWith("sandbox.log"))).toBe(true);
    expect(places.some(({ name }) => /diagnostics\/report\..*\.json$/.test(name))).toBe(true);
    expect(places.filter(({ name }) => name.startsWith("the environment of")).length).toBeGreaterThan(20);
    const proxy = { "the passphrase of the proxy": SECRETS["the passphrase of the proxy"] };
    const { ["the passphrase of the proxy"]: _, ...kept } = secrets;
    expect(sightings(places, kept)).toEqual([]);
    // The user has put it into the environment of that one command.
    const rest = places.filter(({ name }) => !name.startsWith("the environment of"));
    expect(sightings(rest, { ...proxy, ...USERS_OWN })).toEqual([]);
  });

  it("cannot come into the log of the sandbox, which has fields of a list alone", () => {
    const path = join(home.folder, "verdict", "state", "sandbox", "sandbox.log");
    const allowed =
      "at event request_id call status error reason latency_ms key_id decision recommendation repeat magic faults port leases virtual_time";
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)));
    expect([...fields].filter((field) => !allowed.split(" ").includes(field))).toEqual([]);
    expect(fields.size).toBeGreaterThan(5);
  });

  it("does not come to the sandbox in its environment, though the user's own secrets are in that of the command", () => {
    const environments = watch.environmentsOf("--embedded");
    expect(environments.length).toBeGreaterThan(0);
    const places = environments.map((bytes) => ({ name: "the environment of the sandbox", bytes }));
    expect(sightings(places, USERS_OWN)).toEqual([]);
    expect(sightings(watch.places(), USERS_OWN)).not.toEqual([]);
  });

  it("stands in a core dump no more than elsewhere, where this machine writes them into the folder", () => {
    const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8").trim();
    if (pattern.includes("/") || pattern.startsWith("|")) return;
    const cores = readdirSync(join(home.folder, "cores"));
    expect(cores.some((name) => name.startsWith("core"))).toBe(true);
  });

  it("would be seen in the same places if it were there", async () => {
    const secret = SECRETS["the integration key"];
    const own = { "the integration key": secret };
    const planted = [
      ["verdict/state/sandbox/sandbox.log", Buffer.from(secret).toString("base64")],
      ["verdict/data/planted.jsonl", JSON.stringify({ header: secret })],
      ["tmp/planted", Buffer.from(secret).toString("hex")],
      ["cores/planted", secret.slice(0, 40)],
    ] as const;
    for (const [name, text] of planted) {
      const path = join(home.folder, name);
      writeFileSync(path, text, { flag: "a" });
      chmodSync(path, 0o600);
      expect(sightings(everything(), own).join("\n"), name).toContain(basename(name));
    }
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)", secret], {
      env: { MARK: home.folder, LEAK: encodeURIComponent(secret) },
    });
    try {
      await expect
        .poll(() => sightings(watch.places(), own).join("\n"))
        .toMatch(/the command line of[^]*the environment of/);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("lies in files that are the owner's alone, under umask 000", () => {
    const kept = join(home.folder, "verdict");
    const names = readdirSync(kept, { recursive: true, encoding: "utf8" });
    const modes = names.map((name) => {
      const status = lstatSync(join(kept, name));
      return [name, (status.mode & 0o777).toString(8), status.isDirectory() ? "700" : "600"] as const;
    });
    for (const [name, mode, wanted] of modes) expect([name, mode]).toEqual([name, wanted]);
    for (const name of ["keys.age", "r.json", "r.html", "r.xml"]) {
      expect([name, (lstatSync(join(home.folder, name)).mode & 0o777).toString(8)]).toEqual([name, "600"]);
    }
    expect(lstatSync(kept).mode & 0o777).toBe(0o700);
    // The story has made what it was to make: the databases, the vault, a payload and the state of a sandbox.
    expect(names.map((name) => basename(name))).toEqual(
      expect.arrayContaining(["history.db", "runs.db", "vault.json", "kept.json", "state.db", "state.key"]),
    );
  });
});
