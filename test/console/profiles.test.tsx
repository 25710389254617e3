// The Profiles screen, and the fences of a live and of a read-only profile, in terminals of several sizes.

import { KEY, openConsole, type Given } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import type { Profile } from "#src/contract/records/profile.ts";
import { agreeToBatch } from "#src/state/live-fence.ts";
import { widthOf } from "#src/ui/fit.ts";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { Mounted } from "./harness.tsx";
import { LIVE } from "./live-context.ts";

const { enter: ENTER, esc: ESC } = KEY;

async function shell(given: Given = {}) {
  const opened = await openConsole({ profile: { name: LIVE.name }, ...given });
  await opened.screen.until("Compose");
  return opened;
}

function expectWhole(screen: Mounted, columns: number, rows: number): void {
  const lines = screen.lines();
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(widthOf(line)).toBe(columns);
}

const SIZES = [
  [80, 24],
  [60, 20],
  [60, 16],
] as const;

it("fits list and details side by side, with a blank last column", async () => {
  const { screen } = await shell({ columns: 120, rows: 30 });
  await screen.press("8").until(/Profiles ━.*│ {2}\S+ ─+ *$/m);
  expectWhole(screen, 120, 30);
});

describe.each(SIZES)("a live profile at %i x %i", (columns, rows) => {
  it.each([true, false])("is framed on every screen, with colour: %s", async (color) => {
    const { screen } = await shell({ columns, rows, color, ascii: !color });
    const side = color ? " " : "#";
    for (const [key, title] of [
      ["1", "Compose"],
      ["2", "Register a project"],
      ["3", "Vault"],
      ["4", "History"],
      ["5", "Replay"],
      ["8", "Profiles"],
    ] as const) {
      screen.press(ESC);
      await screen.press(key).until(title);
      expectWhole(screen, columns, rows);
      const lines = screen.lines();
      for (const line of lines.slice(1, -1)) {
        expect(line.at(0)).toBe(side);
        expect(line.at(-1)).toBe(side);
      }
      expect(screen.frame()).toContain(color ? " LIVE " : "[LIVE]");
      expect(lines[0]).toMatch(
        color ? /^ {3}LIVE {3}\S*shop-live .*\[\d/ : /^# \[LIVE\] {2}\S*shop-live .*\[\d.*#$/,
      );
      if (rows > 16) expect(lines.at(-1)).toMatch(/Real payments: .*LIVE/);
      if (color) expect(screen.styledFrame().split("\n")[0]).toContain("\u001b[41m");
    }
  });
});

it("says LIVE on the button and over the verdict, and a deck is not framed", async () => {
  const { screen, model } = await shell();
  expect(screen.frame()).toContain("Send check to LIVE");
  expect(screen.frame()).toContain("LIVE Verdict");
  model.demo.open();
  expect(await screen.until("SANDBOX")).not.toContain("LIVE");
});

it("says over the verdict which other forms its answers may have", async () => {
  const { screen } = await shell({ profile: { name: LIVE.name, answers: ["html", "201"] } });
  expect(screen.frame()).toContain("LIVE Verdict (also accepted: html, 201)");
});

it("frames nothing but a live profile", async () => {
  const { screen } = await shell({ profile: { name: "shop-test", environment: "TEST" } });
  expect(screen.frame()).not.toContain("LIVE");
  expect(screen.frame()).toContain("Send check");
});

describe.each([
  [80, 24],
  [60, 20],
] as const)("the profiles at %i x %i", (columns, rows) => {
  it("are listed with what is told of one, and edited with what is wrong beside the field", async () => {
    const { screen } = await shell({ columns, rows });
    screen.press(ESC);
    const listed = await screen.press("8").until(/› shop-live .*here/);
    expect(listed).toMatch(/ {2}other +TEST +https:\/\/check\.example/);
    expect(listed).toMatch(/Environment +LIVE: checks are real payments/);
    await screen.press("/").until("letters of a name");
    await screen.press("oth").until(/› other/);
    await screen.press(ESC).until(/› shop-live .*here/);
    await screen.press("/").until("letters of a name");
    screen.press("zz");
    screen.press("\u0015slv");
    await screen.press(ENTER).until((frame) => !frame.includes("Find") && /› shop-live/.test(frame));
    await screen.press("e").until("Profile shop-live");
    expectWhole(screen, columns, rows);
    await screen.press("\t\t\t").until(/› Check address/);
    screen.press("\u0015");
    await screen.press("http://check.example").until(/must start with https:\/\//);
    await screen.press(ESC).until("› Save");
    screen.press(ENTER);
    await screen.until((frame) => frame.replaceAll(/\s+/g, " ").includes("is not right yet; change it."));
    expectWhole(screen, columns, rows);
    await screen.press(ESC).until("› Save");
    await screen.press(ESC).until(/› shop-live.*not saved/);
    expectWhole(screen, columns, rows);
    screen.press("k");
    await screen.press("k").until(/› sandbox/);
    screen.press("e");
    expectWhole(screen, columns, rows);
    expect(screen.frame()).not.toContain("Profile sandbox");
  });
});

describe("a typed confirmation", () => {
  const batch = (model: ConsoleModel, profile: Profile, run: () => void, typed?: string): void =>
    void agreeToBatch(model.session, profile, {
      what: "Send 40 checks again",
      yes: "send",
      ...(typed === undefined ? {} : { typed }),
    }).then((agreed) => agreed && run());

  it.each([
    [80, 24],
    [60, 20],
  ] as const)("wants the name of a live profile at %i x %i", async (columns, rows) => {
    const { screen, model } = await shell({ columns, rows });
    let ran = 0;
    batch(model, LIVE, () => (ran += 1));
    await screen.until("Type shop-live to continue:");
    expectWhole(screen, columns, rows);
    await screen.press(ENTER).until("That is not shop-live; nothing was done.");
    screen.press("y");
    await screen.press(ENTER).until("That is not shop-live; nothing was done.");
    expect(ran).toBe(0);
    screen.press("\u0015");
    await screen.press("shop-live").until(/: shop-live\n.*Enter send/);
    expectWhole(screen, columns, rows);
    screen.press(ENTER);
    await expect.poll(() => ran).toBe(1);
    await screen.until("Compose");
  });

  it("is left by Esc, and q is a letter in it", async () => {
    const { screen, model } = await shell();
    let ran = 0;
    batch(model, LIVE, () => (ran += 1), "40");
    await screen.until("Type 40 to continue:");
    await screen.press("q1").until("q1");
    await screen.press(ESC).until("Compose");
    expect(ran).toBe(0);
  });

  it("is no question on the sandbox, and one key on a test service", async () => {
    const { screen, model } = await shell();
    let ran = 0;
    batch(model, { ...LIVE, environment: "SANDBOX" }, () => (ran += 1));
    await expect.poll(() => ran).toBe(1);
    batch(model, { ...LIVE, environment: "TEST" }, () => (ran += 1));
    await screen.until("y send");
    screen.press("y");
    await expect.poll(() => ran).toBe(2);
  });
});

describe("a profile that was rolled back", () => {
  it("disables each key that sends, and says why", async () => {
    const { screen, model } = await shell({ profile: { name: LIVE.name, rolledBack: true } });
    expect(screen.frame()).toContain("✖ Nothing is sent.");
    expect(screen.frame()).not.toContain("read-only;");
    screen.press(ESC);
    const active = screen.dispatcher.active().filter(({ binding }) => binding.sends === true);
    expect(active.length).toBeGreaterThan(0);
    for (const { disabled } of active) expect(disabled).toContain("accept them");
    screen.press(ENTER);
    expect(model.checks.store.getState()).toMatchObject({ inFlight: null, entries: [] });
  });
});

describe("a read-only profile", () => {
  const READ_ONLY: Profile = { ...LIVE, readOnly: true };

  it("says so in the header, and why each key that sends does not work", async () => {
    const { screen, model } = await shell({ profile: READ_ONLY });
    expect(screen.frame()).toContain("READ-ONLY");
    expect(screen.frame()).toContain("Read-only: nothing is sent");
    expect(screen.frame()).toContain("Send check to LIVE ✖ disabled");
    const sends = BINDINGS.filter(({ sends }) => sends === true).map(({ id }) => id);
    expect(sends).toEqual(
      expect.arrayContaining([
        "check.send",
        "check.sendAnywhere",
        "check.field.send",
        "check.again",
        "register.submit",
        "register.fetch",
        "vault.test",
        "replay.goOn",
        "replay.setup.submit",
      ]),
    );
    screen.press(ESC);
    const active = screen.dispatcher.active().filter(({ binding }) => binding.sends === true);
    expect(active.length).toBeGreaterThan(0);
    for (const { disabled } of active) expect(disabled).toContain("is read-only");
    screen.press(ENTER);
    screen.press("\u0012");
    expect(model.checks.store.getState().inFlight).toBeNull();
    expect(model.checks.store.getState().entries).toEqual([]);
  });
});
