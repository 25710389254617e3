// The Register screen in terminals of several sizes: the form, the list, both countdowns, and the form by hand.

import { openConsole } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import { RegisterScreen } from "#screens/register/register-screen.tsx";
import { registerView } from "#screens/register/view-model.ts";
import { footerKeys } from "#screens/shell/view-model.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { createRegistrationForm } from "#src/state/register/registration-form.ts";
import type { RegistrationsState } from "#src/state/register/registrations-state.ts";
import { halfText } from "#src/ui/big-text.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Band } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { entryOf } from "../captures/full-history.ts";
import { keyName } from "../keys/standard.ts";
import { projectOf } from "./samples.ts";
import { type TestService } from "./test-context.ts";

const START = Date.UTC(2026, 10, 21, 12, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SECRET = "5ec2e7".repeat(10);

const project = (change: Partial<Project> = {}): Project =>
  projectOf({ startedAt: START, provenStartAt: START, serviceOffsetMs: 0, ...change });

function stateOf(change: Partial<RegistrationsState> = {}): RegistrationsState {
  return {
    form: createRegistrationForm(),
    byHand: null,
    working: null,
    projects: [project()],
    filter: "",
    sort: { by: "added", turned: false },
    selectedKey: "demo-shop/medium",
    pointedKey: null,
    progress: {},
    now: START,
    ...change,
  };
}

function rowsOf(bands: readonly Band[]): string[] {
  const rows = bands.flatMap(({ panes }) => panes.flatMap((pane) => pane.rows));
  return rows.map((row) => row.map(({ text }) => text).join(""));
}

function linesOf(
  state: RegistrationsState,
  size = { columns: 80, rows: 22 },
  options: { ascii?: boolean; waitMs?: number } = {},
): string[] {
  const { ascii = false, waitMs = 180_000 } = options;
  const theme = createTheme({ keyName, color: true, ascii });
  return rowsOf(registerView(state, size, { theme, waitMs, environment: "TEST", byItself: true }));
}

it("the pointer stands on the project where Enter uses it, and on the button else", () => {
  const theme = createTheme({ keyName, color: true, ascii: false });
  const pointed = (usable: boolean): string[] => {
    const options = { theme, waitMs: 0, environment: "TEST", usable } as const;
    const view = registerView(stateOf(), { columns: 80, rows: 22 }, options);
    return rowsOf(view).filter((line) => line.startsWith("›"));
  };
  expect(pointed(true)).toEqual([expect.stringContaining("demo-shop/medium")]);
  expect(pointed(false)).toEqual([expect.stringContaining("Register")]);
});

const textAt = (age: number, change: Partial<RegistrationsState> = {}): string =>
  linesOf(stateOf({ now: START + age, ...change })).join("\n");

describe("the countdowns", () => {
  it("stand in the list, and for the selected project in big digits, as a bar and in words", () => {
    const text = textAt(19_000);
    for (const row of halfText("02:41")) expect(text).toContain(row);
    expect(text).toMatch(/can be fetched from \d\d:03:00/);
    expect(text).toMatch(/ ──┃━+ +of 03:00/);
    expect(text).toMatch(/Window closes 11-22 \d\d:00, in 23:59:41/);
    expect(text).toContain("fetched by itself then; f fetches it now");
    expect(text).toMatch(/demo-shop\/medium +┃━{23} +fetch in 02:41 +23:59:41/);
  });

  it("change their word at the thresholds", () => {
    const ready = textAt(3 * MINUTE);
    expect(ready).toMatch(/to fetch +23:57:00[\s\S]*Until the window closes/);
    for (const row of halfText("23:57:00")) expect(ready).toContain(row);
    expect(ready).toContain("credential to be fetched now");
    const late = textAt(CREDENTIAL_WINDOW_MS - 59 * MINUTE);
    expect(late).toContain("! last hour: fetch it now");
    for (const row of halfText("59:00")) expect(late).toContain(row);
    expect(textAt(CREDENTIAL_WINDOW_MS - 9 * MINUTE)).toContain("! last minutes: fetch it now");
    const closed = textAt(CREDENTIAL_WINDOW_MS);
    expect(closed).toContain("The 24 hours are over");
    expect(closed).toContain("press m");
    expect(closed).toMatch(/demo-shop\/medium +no check yet +✖ closed +from the panel/);
  });

  it("say what the request is doing", () => {
    const key = "demo-shop/medium";
    const age = 4 * MINUTE;
    expect(textAt(age, { progress: { [key]: { kind: "asking", attempt: 2 } } })).toContain("attempt 2");
    const until = START + age + 5_000;
    expect(textAt(age, { progress: { [key]: { kind: "waiting", until, why: null } } })).toContain(
      "will be requested in 00:05",
    );
    const busy = { kind: "waiting", until, why: "The service answered 503." } as const;
    expect(textAt(age, { progress: { [key]: busy } })).toContain("asks again in 00:05: The service answered");
    expect(textAt(age, { progress: { [key]: { ...busy, kind: "stopped", retryAt: until } } })).toContain(
      "asks again in 00:05: The service answered",
    );
    // Only what is in the vault is called ready elsewhere.
    expect(textAt(age)).not.toContain("ready");
    const stopped = { kind: "stopped", why: "No\u001b[31m way", retryAt: null } as const;
    expect(textAt(age, { progress: { [key]: stopped } })).not.toContain("\u001b");
  });

  it("are left out while the service's time is not known", () => {
    const text = textAt(0, { now: null });
    expect(text).toContain("registered");
    expect(text).not.toMatch(/can be fetched|[Ww]indow closes/);
  });
});

describe("the bars over the 24 hours", () => {
  const HOUR = 60 * MINUTE;

  it("read without colour and symbols, and say late and closed in words", () => {
    const ascii = (age: number): string =>
      linesOf(stateOf({ now: START + age }), { columns: 80, rows: 22 }, { ascii: true }).join("\n");
    expect(ascii(12 * HOUR)).toMatch(/Project +v {5}6 {5}12 {4}18 24h Credential/);
    expect(ascii(12 * HOUR)).toMatch(/demo-shop\/medium +-{12}\|={11} +to fetch +12:00:00/);
    expect(ascii(CREDENTIAL_WINDOW_MS - 59 * MINUTE)).toMatch(/-{23}\| +! last hour +59:00/);
    expect(ascii(CREDENTIAL_WINDOW_MS + 2 * HOUR)).toMatch(/ +x closed 2 h ago +from the panel/);
  });

  it.each([
    [100, 24],
    [120, 48],
    [200, 96],
  ])("have as many cells at %i columns as there is room for: %i", (columns, cells) => {
    const row = linesOf(stateOf({ now: START }), { columns, rows: 40 }).find((each) =>
      /demo-shop.*┃/.test(each),
    );
    expect(row).toMatch(new RegExp(`demo-shop/medium {2,26}┃━{${cells - 1}} \\S`));
  });

  it("give way to the last checks where nothing runs, and of a ready project say what was sent", async () => {
    const ready = { ...stateOf(), projects: [project({ state: "ready" })], now: START };
    const sent = Array.from({ length: 4 }, (_, age) => ({
      ...entryOf(age, { profile: "sandbox", project: "demo-shop/medium" }, START),
      project: "demo-shop/medium",
    }));
    const theme = createTheme({ keyName, color: true, ascii: false });
    const options = { theme, waitMs: 0, environment: "TEST", checks: sent } as const;
    const text = rowsOf(registerView(ready, { columns: 80, rows: 22 }, options)).join("\n");
    expect(text).toMatch(/Project +Last check +Credential/);
    expect(text).toMatch(/demo-shop\/medium +\S+ +. \S+ +✔ in the vault/);
    expect(text).toMatch(/4 of the newest 4 checks, \S+ % blocked/);
  });

  it("leave the whole list in sight while its steps are cut", () => {
    const five = Array.from({ length: 6 }, (_, index) => project({ merchantId: `shop-${index}` }));
    const text = linesOf(stateOf({ projects: five, selectedKey: five[0]!.key, now: START }), {
      columns: 80,
      rows: 21,
    }).join("\n");
    for (const { key } of five) expect(text).toContain(key);
    expect(text).toContain("fetch in 03:00");
  });
});

describe("the rows", () => {
  const many = Array.from({ length: 40 }, (_, index) => project({ merchantId: `商店-${index}\u202e` }));
  const sizes = [
    { columns: 60, rows: 14 },
    { columns: 60, rows: 18 },
    { columns: 80, rows: 22 },
    { columns: 99, rows: 30 },
    { columns: 100, rows: 22 },
    { columns: 200, rows: 58 },
  ];

  it.each(sizes)("fill $columns x $rows exactly, with the selected project among them", (size) => {
    for (const ascii of [false, true]) {
      const state = stateOf({ projects: many, selectedKey: many[33]!.key });
      const theme = createTheme({ keyName, color: true, ascii });
      const view = registerView(state, size, { theme, waitMs: 5_000, environment: "SANDBOX" });
      for (const { panes, height } of view) {
        for (const pane of panes) {
          expect(pane.rows).toHaveLength(height);
          for (const row of pane.rows) expect(widthOf(row.map(({ text }) => text).join(""))).toBe(pane.width);
        }
      }
      expect(view.reduce((sum, { height }) => sum + 1 + height, 0)).toBe(size.rows);
      expect(linesOf(state, size, { ascii }).join("\n")).toContain("店-33");
    }
  });
});

const show = (service: TestService, size: Size, projects: readonly Project[] = []) =>
  openConsole({
    service,
    ...size,
    projects,
    before: ({ session }) => session.go("register"),
    area: (area) => <RegisterScreen {...area} />,
  });

describe("the screen", () => {
  it("registers what is typed, and fetches the credential at the recommended time", async () => {
    let now = START;
    const { screen } = await show({ now: () => now }, { columns: 80, rows: 22 });
    await screen.until("No project is registered yet");
    await screen.press("\tdemo-shop\tDemo shop\t\tuah\t\x1b[C\r\r").until(/can be fetched from \d\d:00:05/);
    await screen.until(/demo-shop\/high +┃━+ +fetch in 00:05 +24:00:00/);
    now += 5_000;
    expect(await screen.until("credential in the vault")).toContain("in the vault");
  });

  it("says what is wrong beside the field, and what a currency means", async () => {
    const { screen } = await show({}, { columns: 80, rows: 22 });
    await screen.until("No project is registered yet");
    await screen.press("\r").until("Merchant id is required.");
    await screen.press("\t\t\t804").until("UAH is 980");
    await screen.press("\x7f\x7f\x7f980").until("UAH, 2 decimals");
  });

  it("says in one sentence what is missing, or what is wrong", async () => {
    const { screen, model } = await show({}, { columns: 80, rows: 22 });
    await screen.until("No project is registered yet");
    const said = (): string | undefined => model.session.store.getState().toasts.at(-1)?.text;
    screen.press("\r");
    await expect.poll(said).toBe("Merchant id, project name and currency are missing; fill them in.");
    await screen.press("shop\tShop\t\tzzz\x1b").until("› Register");
    screen.press("\r");
    await expect.poll(said).toMatch(/^Currency .*; change it\.$/);
  });

  it("offers first to enter the credential by hand after the window, and no fetching", async () => {
    const answers: TestService = { now: () => START + CREDENTIAL_WINDOW_MS + HOUR };
    const { screen } = await show(answers, { columns: 80, rows: 22 }, [project()]);
    await screen.until("The 24 hours are over");
    const { keys } = footerKeys(screen.dispatcher.active());
    expect(keys[0]).toEqual({ key: "m", label: "enter by hand" });
    expect(keys.map(({ key }) => key)).not.toContain("f");
  });

  it("takes a pasted secret by hand after the window, and never shows it", async () => {
    const answers: TestService = { now: () => START + CREDENTIAL_WINDOW_MS + HOUR };
    const { screen } = await show(answers, { columns: 80, rows: 22 }, [project()]);
    await screen.until("The 24 hours are over");
    await screen.press("m").until("Credential of demo-shop/medium");
    await screen.press(`key-7\tproject-7\t\t\x1b[200~${SECRET}\n\x1b[201~`).until("60 characters");
    expect(screen.frame()).not.toContain(SECRET);
    await screen.press("\r\r").until("credential in the vault, project id project-7");
    expect(screen.styledFrame()).not.toContain(SECRET);
  });

  it("filters and sorts the projects by letters on the button", async () => {
    const others = ["shoes", "books"].map((name) => project({ key: `${name}/low`, name }));
    const { screen, model } = await show({ now: () => START }, { columns: 100, rows: 24 }, others);
    await screen.until("1 of 2");
    await screen.press("oO").until(/shoes\/low[^]*books\/low/);
    model.registrations.setFilter("books");
    await screen.until(/Projects · books .*1 of 1/);
    await screen.press("\x1b").until("of 2");
    model.registrations.setFilter("nothing");
    await screen.until("No project matches the filter");
  });
});
