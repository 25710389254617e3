// What scripts rely on: errors as JSON, chosen fields, nothing asked, nothing said, short spellings.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { readCommandLine } from "#src/cli/command-line.ts";
import { HELP_GROUPS } from "#src/cli/help.ts";
import { openPseudoTerminal } from "../console/pty.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";
import { testHome } from "./verdict-process.ts";

const BODY = '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}';
let home: InProcessHome;
beforeAll(async () => {
  home = inProcessHome();
  await pointAt(home, "http://127.0.0.1:9");
  await home.run("payload save one - --tag a", BODY);
});
afterAll(() => home.remove());

describe("a failure with --json", () => {
  it.each([
    ["payload show nothing -j", 2, "usage", expect.anything()],
    ["payload bogus --json", 2, "usage", "verdict payload --help"],
    ["payload list --bogus -qj", 2, "usage", "verdict payload list --help"],
    ["nowhere --json", 2, "usage", "verdict --help"],
    ["sandbox --json", 2, "usage", "verdict sandbox --help"],
    ["project register --merchant-id m --json", 2, "usage", "verdict project register --help"],
  ])("is one object on standard error: %s", async (words, code, kind, hint) => {
    const { code: exit, stdout, stderr } = await home.run(words, BODY);
    expect({ exit, stdout, error: JSON.parse(stderr) as unknown }).toEqual({
      exit: code,
      stdout: "",
      error: { schema: 1, error: { code: kind, message: expect.any(String), hint } },
    });
  });

  it.each([
    ["keys", "help shortcuts"],
    ["help keys", "help shortcuts"],
    ["version --json", "--version"],
    ["sandbox magic", "help magic-orders"],
    ["history verify", "doctor --verify"],
    ["vault verify --json", "doctor --verify"],
  ])("offers what took the place of an earlier command: %s", async (words, command) => {
    const { code, stderr } = await home.run(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean")]);
    expect(stderr).toContain(`verdict ${command}`);
  });

  it("is a sentence without it", async () => {
    expect((await home.run("payload bogus")).stderr).toMatch(/^Unknown command "bogus"/);
    expect((await home.run("login")).stderr).toContain('Did you mean "verdict vault add"?');
    expect((await home.run("vault add credential --key-id k --secret-stdin")).stderr).toContain(
      'Did you mean "verdict vault add --project-id"?',
    );
    expect((await home.run("vault add integration-key")).stderr).toContain("vault add --company-id");
    expect((await home.run("sandbox rules list")).stderr).toContain('Did you mean "verdict rules"?');
  });
});

describe("--fields", () => {
  it("prints values with tabs, or objects of these fields alone", async () => {
    expect((await home.run("profile list --fields name,environment")).stdout).toBe(
      "sandbox\tSANDBOX\ntest\tTEST\n",
    );
    expect(await home.json("payload list --fields amount,name --json")).toEqual([
      { amount: 100, name: "one" },
    ]);
    expect(await home.run("payload show one --fields request.order_id,tags")).toMatchObject({
      code: 0,
      stdout: 'o-1\t["a"]\n',
    });
    expect(
      (await home.run("rules list starter --fields code,mode")).stdout.split("\n").length,
    ).toBeGreaterThan(5);
  });

  // The number of rows once became the exit code.
  it.each([
    "payload show one",
    "payload list",
    "profile show test",
    "profile list",
    "recipe show http-signatures",
    "rules list",
    "history",
  ])("leaves the exit code of %s as it is", async (words) => {
    const { code } = await home.run(`${words} --json`);
    expect(await home.run(`${words} --fields schema`)).toMatchObject({ code, stderr: "" });
  });

  it("names the fields that there are", async () => {
    const { code, stdout, stderr } = await home.run("profile list --fields nme");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('no field "nme"; there are name, environment');
  });
});

describe("what a command did, as JSON", () => {
  it.each([
    ["profile add shop --base-url http://127.0.0.1:9", { profile: "shop", saved: true, is_new: true }],
    ["profile use shop", { profile: "shop", in_use: true }],
    ["profile confirm-recipe shop", { profile: "shop", recipe_status: "confirmed" }],
    ["payload save two -", { name: "two", expect: null, tags: [], warnings: expect.any(Array) }],
    ["payload remove two --yes", { name: "two", removed: true }],
    ["profile use test", { profile: "test", in_use: true }],
    ["profile remove shop --yes", { profile: "shop", removed: true }],
    ["sandbox stop", { stopped: false, running: false }],
  ])("verdict %s", async (words, facts) => {
    const { code, stdout, stderr } = await home.run(`${words} --json`, BODY);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, ...facts });
  });
});

describe("a duration", () => {
  it.each([
    ["--deadline 5s", "5"],
    ["--deadline 1m30s", "90"],
    ["--deadline 7", "7"],
  ])("has a unit, or is in seconds: %s", async (option, seconds) => {
    await home.run(`profile add test ${option}`);
    expect((await home.run("profile show test --fields deadline_s")).stdout).toBe(`${seconds}\n`);
  });

  it("is refused with both forms named", async () => {
    const { code, stderr } = await home.run("serve --credential-delay soon");
    expect(code).toBe(2);
    expect(stderr).toMatch(/--credential-delay takes whole seconds .*, or a duration such as 90s/);
  });
});

it("asks nothing with --no-input, and names the option that answers", async () => {
  const onTerminal = testHome();
  onTestFinished(() => onTerminal.remove());
  await onTerminal.run("payload save one -", { input: BODY });
  const terminal = openPseudoTerminal({
    cwd: onTerminal.folder,
    env: onTerminal.env,
    args: ["payload", "remove", "one", "--no-input"],
  });
  expect((await terminal.exit).code).toBe(2);
  expect(terminal.screen()).toContain("add --yes");
});

it("overwrites a payload with --yes alone", async () => {
  expect(await home.run("payload save one -", BODY)).toMatchObject({ code: 2 });
  for (const option of ["--yes", "-y"])
    expect(await home.run(`payload save one - --tag a ${option}`, BODY)).toMatchObject({ code: 0 });
});

describe("options of every command", () => {
  it("are read before and after the command, by letters as well", () => {
    const globals = readCommandLine(["-qj", "history", "-p", "shop", "--home=x", "--", "--utc"], COMMANDS);
    expect(globals.plain).toEqual(["history", "--utc"]);
    expect([globals.value("--profile"), globals.value("--home")]).toEqual(["shop", "x"]);
    expect(["--quiet", "--json", "--utc"].map((name) => globals.has(name))).toEqual([true, true, false]);
    expect(readCommandLine(["-pshop", "--ascii"], COMMANDS)).toMatchObject({ isAlone: true });
    expect(readCommandLine(["-q", "-x"], COMMANDS)).toMatchObject({ isAlone: false });
    const negated = readCommandLine(["history", "--where", "-profile:live", "--where", "-query"], COMMANDS);
    expect([negated.value("--profile"), negated.has("--quiet")]).toEqual([undefined, false]);
  });

  it("leave out what is no error", async () => {
    const noisy = await home.run("check - --dry-run", BODY);
    expect(noisy.stderr).not.toBe("");
    expect(await home.run("check - -nq", BODY)).toEqual({ ...noisy, stderr: "" });
    expect((await home.run("payload show nothing -q")).stderr).not.toBe("");
  });

  it("show times in UTC, else with the offset of the zone", async () => {
    const env = { VERDICT_HOME: home.folder, TZ: "America/New_York" };
    const program = testHome();
    const [local, utc] = [
      await program.run("payload list", { env }),
      await program.run("payload list --utc", { env }),
    ];
    await program.remove();
    expect(local.stdout).toMatch(/\d\d:\d\d:\d\d -0[45]:00/);
    expect(utc.stdout).toMatch(/\d\d:\d\d:\d\d \+00:00/);
  });

  it.each([
    ["--color always help shortcuts", true],
    ["--color auto help shortcuts", false],
    ["--color always --no-color help shortcuts", false],
  ])("choose colours: %s", async (words, isColoured) => {
    const { stdout } = await inProcessHome({ VERDICT_HOME: home.folder }).run(words);
    expect(stdout.includes("\u001b[")).toBe(isColoured);
  });
});

describe("one grammar", () => {
  it.each([
    ["register --name N", "project register --name N"],
    ["--profile x credential -j", "--profile x project credential -j"],
    ["help register", "help project register"],
    ["projects", "projects list"],
    ["runs --json", "runs list --json"],
    ["payload -p x list", "payload -p x list"],
    ["vault", "vault list"],
    ["vault --help", "vault --help"],
    ["vault lst", "vault lst"],
    ["sandbox faults", "sandbox faults list"],
    ["sandbox", "sandbox"],
    ["history --json", "history --json"],
    ["history -p x list --json", "history -p x --json"],
    ["history ls", "history"],
    ["history --where list", "history --where list"],
    ["history lst", "history lst"],
    ["check list", "check list"],
    ["replay list", "replay list"],
    ["check projects", "check projects"],
  ])("brings %s into the present spelling", (words, present) => {
    expect(readCommandLine(words.split(" "), COMMANDS).spelledOut.join(" ")).toBe(present);
  });

  it.each([
    "projects --json",
    "project ls --json",
    "runs list",
    "run",
    "payloads view one",
    "payload rm one --yes",
    "profiles",
    "recipes ls",
    "rule list starter",
  ])("keeps verdict %s working", async (words) => {
    expect(await home.run(words)).toMatchObject({ code: 0, stderr: "" });
  });

  it("lists each command in a group of the help", () => {
    const grouped = HELP_GROUPS.flatMap(([, names]) => names);
    for (const { name } of COMMANDS) expect(grouped, name).toContain(name);
  });

  it("gives each command of the help an example", () => {
    const lacking = (specs: typeof COMMANDS, above = ""): string[] =>
      specs.flatMap((spec) => [
        ...(spec.load !== undefined && spec.examples === undefined ? [above + spec.name] : []),
        ...lacking(spec.children ?? [], `${above}${spec.name} `),
      ]);
    expect(lacking(COMMANDS)).toEqual([]);
  });
});
