// What scripts rely on: errors as JSON, chosen fields, nothing asked, nothing said, short spellings.

import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { readCommandLine } from "#src/cli/command-line.ts";
import { HELP_GROUPS } from "#src/cli/help.ts";
import { openPseudoTerminal } from "../console/pty.ts";
import { homeOfTests, pointAt } from "./in-process.ts";
import { testHome } from "./verdict-process.ts";

const BODY = '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}';
const home = homeOfTests();
beforeAll(async () => {
  await pointAt(home, "http://127.0.0.1:9");
  await home.run("payload save one - --tag a", BODY);
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
