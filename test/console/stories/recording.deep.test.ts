// A talk that is recorded: what a player shows is what the audience saw, nothing personal is in any byte, and it ends well.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CANARY_STORY } from "../../canary-story.ts";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import { lastScreens, playCast, readCast, type ReadCast } from "../../terminal/cast-reader.ts";
import { KEY, openConsole, readyConsole } from "./stage.ts";

const CANARIES =
  /kanarek|zofia|kanarienvogel|canary|cage\.example|380997654321|203\.0\.113\.77|\b9173\b|2031|11\/31/i;

/** A canary in every field of a person or card, in the notes and in all that is said. */
const STORY = `${CANARY_STORY}    repeat: 2
  - say: Again, and now the card of CANARY KANARIENVOGEL has expired
    note: Say nothing of 9173
    change: { card.expiration_year: 20 }
`;

/** Raw bytes, and every screen on the way. */
async function expectNothingPersonal(path: string): Promise<void> {
  const bytes = readFileSync(path);
  expect(bytes.toString("utf8").replaceAll("\\u001b", "\x1b")).not.toMatch(CANARIES);
  for (const screen of await playCast(readCast(bytes))) expect(screen).not.toMatch(CANARIES);
}

/** A step with all of its keys, which are drawn a moment after it. */
const step =
  (number: number) =>
  (screen: string): boolean =>
    screen.includes(`step ${number} of 6`) && screen.includes("w what if");

const labels = ({ events }: ReadCast): string[] =>
  events.filter(({ code }) => code === "m").map(({ data }) => data);

describe("a recording", () => {
  const home = testHomeOfTests();
  const at = (name: string): string => join(home.folder, name);
  const read = (name: string): ReadCast => readCast(readFileSync(at(name)));
  beforeAll(() => {
    mkdirSync(at("tmp"));
    writeFileSync(at("story.yaml"), STORY);
  });

  it("is made without a terminal, in no time, with the times that an audience would see, the same each time", async () => {
    const run = (name: string) =>
      home.run([
        "demo",
        at("story.yaml"),
        "--auto",
        "20s",
        "--notes",
        "--record",
        at(name),
        "--size",
        "80x24",
      ]);
    const first = await run("one.cast");
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toMatch(/^The recording is in one\.cast, 1 min 25 s long;/);
    await run("two.cast");
    expect(readFileSync(at("two.cast"))).toEqual(readFileSync(at("one.cast")));
    expect(statSync(at("one.cast")).mode & 0o777).toBe(0o600);
    const cast = read("one.cast");
    expect(cast.header.term).toEqual({ cols: 80, rows: 24 });
    expect(labels(cast)).toEqual([
      expect.stringMatching(/^step 1 of 2: \S/),
      expect.stringMatching(/^step 2 of 2: Again, and now/),
      "the end",
    ]);
    expect(cast.events.filter(({ code }) => code === "m").map((event) => event.at)).toEqual([
      20_000, 60_000, 80_000,
    ]);
    expect(cast.events.at(-1)).toEqual({ at: 85_000, code: "x", data: "0" });
    const screens = await playCast(cast);
    // Nothing of how it was set up: the first screen that has anything is whole.
    expect(screens.find((screen) => screen.trim() !== "")).toContain("Ready. It begins by itself;");
    expect(screens.join()).not.toMatch(/Preparing|presenter/);
    await expectNothingPersonal(at("one.cast"));
  });

  it("keeps another file, and says so before anything is opened", async () => {
    writeFileSync(at("there.cast"), "mine");
    const refused = await home.run(["demo", "one-card", "--record", at("there.cast")]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/there\.cast exists already and is not overwritten; add --yes/);
    expect(readFileSync(at("there.cast"), "utf8")).toBe("mine");
    for (const [args, why] of [
      [["--size", "20x5", "--record", at("small.cast")], /--size takes columns and rows from 60x16/],
      [["--size", "80x24"], /--size needs --record/],
      [["--json", "--record", at("json.cast")], /leave one of them out/],
    ] as const) {
      const { code, stderr } = await home.run(["demo", "one-card", ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(why);
    }
    expect(existsSync(at("small.cast"))).toBe(false);
  });

  it("shows in a player what was on the terminal at each step, without notes", async () => {
    const terminal = openConsole(home, {
      args: ["demo", "one-card", "--record", at("live.cast"), "--notes"],
    });
    const title = await terminal.until("Ready. Space begins.");
    const first = await terminal.type(" ").until(step(1));
    await terminal.type("n").until(/verdict demo --follow" shows the notes/);
    const second = await terminal.type(" ").until(step(2));
    await terminal.type(" ").until(step(3));
    terminal.resize(60, 20);
    const small = await terminal.until(
      (screen) => screen.split("\n").length === 20 && screen.includes("step 3 of 6, attempt 1 of 2"),
    );
    await terminal.type("q").until("y end it");
    expect(await terminal.type("y").exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("The recording is in");
    const cast = read("live.cast");
    const last = await lastScreens(cast);
    expect(last.get("")).toBe(title);
    expect(last.get(labels(cast)[1]!)).toBe(second);
    expect(await playCast(cast)).toEqual(expect.arrayContaining([first, small]));
    expect(cast.events.map(({ code, data }) => code + data)).toContain("r60x20");
    expect(cast.events.at(-1)).toMatchObject({ code: "x", data: "0" });
  });

  it("is played up to the end of a program that is killed", async () => {
    const terminal = openConsole(home, {
      args: ["demo", "one-card", "--record", at("killed.cast")],
      // Its sandbox is left behind.
      env: { TMPDIR: at("tmp") },
    });
    await terminal.until("Ready. Space begins.");
    const first = await terminal.type(" ").until(step(1));
    terminal.kill("SIGKILL");
    await terminal.exit;
    const cast = read("killed.cast");
    expect((await playCast(cast)).at(-1)).toBe(first);
    expect(cast.events.at(-1)!.code).toBe("o");
  });

  it("is made of the console in presenter mode alone, and ends with it", async () => {
    const terminal = await readyConsole(home, { columns: 100, rows: 30 });
    const command = async (typed: string): Promise<void> => {
      await terminal.type(":").until("Palette");
      await terminal.type(typed).until(/record/);
      terminal.type(KEY.enter);
    };
    const open = terminal.screen();
    await command("record");
    await terminal.until("Recording works only in presenter mode");
    await terminal.type("p").until("PRESENTER");
    await command("record");
    await terminal.until("Record into");
    await terminal.type(`${at("zofia.cast")}\r`).until((screen) => !screen.includes("Record into"));
    await expect
      .poll(() => existsSync(at("zofia.cast")) && statSync(at("zofia.cast")).size)
      .toBeGreaterThan(500);
    await terminal.type("4").until("4 History");
    await terminal.type("/").until("Filter");
    await terminal.type("zofia kanarek").until("*****");
    await terminal.type(KEY.enter).until((screen) => !screen.includes("Filter"));
    await terminal.type("1").until("1 Check");
    expect(await terminal.type("p").until("The recording is in")).toMatch(/zofia\.cast, .* long/);
    await terminal.type("M").until("Messages");
    const cast = read("zofia.cast");
    expect(cast.events.at(-1)).toMatchObject({ code: "x", data: "0" });
    await expectNothingPersonal(at("zofia.cast"));
    const screens = (await playCast(cast)).filter((screen) => screen.trim() !== "");
    for (const screen of screens) expect(screen).toContain("PRESENTER");
    // What the form of a payment showed before.
    const personal = open.match(/\S+@\S+\.\w+|\b\d+\.\d+\.\d+\.\d+\b/g) ?? [];
    expect(personal.length).toBeGreaterThan(0);
    for (const each of personal) expect(screens.join("\n")).not.toContain(each);
  });
});
