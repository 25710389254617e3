import { type Given, openConsole, WINDOWS } from "./driver.tsx";
import { describe, expect, it, vi } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { SCREENS } from "#screens/shell/screen-list.ts";
import { footerKeys, foundKeys, helpRows, paletteEntries } from "#screens/shell/view-model.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { findCollisions } from "#src/keys/binding.ts";
import { createLook } from "#src/state/look.ts";
import { keyName } from "../keys/standard.ts";
import { answered } from "./test-context.ts";

async function shell({ service = {}, ...given }: Given = {}) {
  const opened = await openConsole({ service: { credentialWaitS: 0, ...service }, ...given });
  await opened.screen.until("Compose");
  return opened;
}

describe("the key table", () => {
  it("has no two bindings of one scope on the same key, and no id twice", () => {
    expect(findCollisions(BINDINGS)).toEqual([]);
    const ids = BINDINGS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("takes answers that cannot be undone only from a key that comes alone", () => {
    const alone = BINDINGS.filter((binding) => binding.alone === true).map(({ id }) => id);
    expect(alone).toEqual(["check.question.yes", "check.question.no", "confirm.yes", "confirm.no"]);
  });

  it("leaves the keys of the shell free on every screen", () => {
    const shellKeys = BINDINGS.filter(({ scope }) => scope === "shell").flatMap(({ keys }) => keys);
    const screens = ["check", "register", "vault", "history"];
    const taken = BINDINGS.filter(({ scope }) => screens.includes(scope)).flatMap(({ keys }) => keys);
    expect(taken.filter((key) => shellKeys.includes(key))).toEqual([]);
  });
});

describe("the frame", () => {
  it.each([
    [80, 24],
    [60, 16],
    [60, 20],
    [120, 40],
    [200, 60],
  ])("is exactly %i x %i on every screen and under every overlay", async (columns, rows) => {
    const { screen, model } = await shell({ columns, rows });
    for (const [key, sign] of [
      ["2", "Register a project"],
      ["3", "Vault"],
      ["4", "History"],
      ["1", "Compose"],
      ["?", "Keys"],
    ] as const) {
      await screen.press(key).until(sign);
      screen.expectWhole();
    }
    await screen.press("\x1b").until("Compose");
    await screen.press(":").until("Palette");
    screen.expectWhole();
    await screen.press("\x1b").until("Compose");
    void model.session.agree({ text: "Remove it?", yes: "remove" });
    await screen.until("y remove");
    screen.expectWhole();
  });

  it("follows the window, says what it needs when that is too small, and q works there", async () => {
    const { screen, asked } = await shell();
    screen.resize(59, 24);
    await screen.until("verdict needs 60x16, and this is 59x24");
    screen.expectWhole();
    screen.resize(80, 15);
    await screen.until("this is 80x15");
    screen.press("q");
    await vi.waitFor(() => expect(asked.quit).toHaveBeenCalledOnce());
    screen.resize(100, 30);
    await screen.until("1 Check");
    screen.expectWhole();
  });

  it("has nothing but ASCII where the terminal has no more", async () => {
    const { screen } = await shell({ ascii: true, color: false });
    for (const [key, sign] of [
      ["2", "Register a project"],
      ["3", "Vault"],
      ["4", "History"],
      ["?", "Keys"],
    ] as const) {
      screen.press(key);
      // oxlint-disable-next-line no-control-regex
      expect(await screen.until(sign)).toMatch(/^[\x20-\x7e\n]*$/);
    }
  });
});

describe("keys of the shell", () => {
  it("go to each screen, and the header shows which", async () => {
    const { screen, model } = await shell();
    await screen.press("3").until("Vault · sandbox");
    expect(model.session.store.getState().screen).toBe("vault");
    expect(screen.styledFrame().split("\n")[0]).toContain("\u001b[1m3 Vault\u001b[22m");
  });

  it("q asks on every screen before it ends what is under way", async () => {
    const { screen, model, asked } = await shell();
    const { sweeps, session } = model;
    await screen.until("1 Check");
    sweeps.store.setState({ progress: { field: "amount", done: 1, planned: 9 } });
    // On Demo the key leads back to the screen before.
    for (const { name, key, label } of SCREENS.filter((each) => each.name !== "demo")) {
      session.go(name);
      await screen.until(`${key} ${label}`);
      await screen.press("q").until("A sweep is under way. Leaving stops that.");
      await screen.press("n").until((frame) => !frame.includes("Leave anyway?"));
    }
    expect(asked.quit).not.toHaveBeenCalled();
    await screen.press("q").until("Leave anyway?");
    screen.press("y");
    await vi.waitFor(() => expect(asked.quit).toHaveBeenCalledOnce());
  });

  it("q leaves, Ctrl-C interrupts from everywhere, Ctrl-Z suspends", async () => {
    const { screen, asked } = await shell();
    screen.press("q");
    await vi.waitFor(() => expect(asked.quit).toHaveBeenCalledOnce());
    screen.press("\x1a");
    await vi.waitFor(() => expect(asked.suspend).toHaveBeenCalledOnce());
    await screen.press(":").until("Palette");
    screen.press("\x03");
    await vi.waitFor(() => expect(asked.interrupt).toHaveBeenCalledOnce());
    await screen.press("q").until("Find q");
    expect(asked.quit).toHaveBeenCalledOnce();
  });

  it("Ctrl-C first cancels a check that is under way", async () => {
    let abandoned = false;
    const { screen, model, asked } = await shell({
      service: {
        check: (_body, signal) =>
          new Promise((resolve) => {
            signal?.addEventListener("abort", () => {
              abandoned = true;
              resolve(answered(null, { outcome: "unknown", reason: "cancelled" }));
            });
          }),
      },
    });
    await model.start();
    await screen.until("demo-shop/medium");
    await vi.waitFor(() => expect(model.session.store.getState().project).toBe("demo-shop/medium"));
    screen.press("\r");
    await vi.waitFor(() => expect(model.checks.store.getState().inFlight?.id).toBeTruthy());
    await screen.press("\x03").until("cancelled");
    expect(abandoned).toBe(true);
    expect(asked.interrupt).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(model.checks.store.getState().inFlight).toBeNull());
    screen.press("\x03");
    await vi.waitFor(() => expect(asked.interrupt).toHaveBeenCalledOnce());
  });
});

describe("a paste without marks", () => {
  it("goes into the composer, and answers no question", async () => {
    const { screen, model, asked } = await shell();
    screen.press('{\r "operation": "payout", "order_id": "A-7", "amount": 5, "currency": 978\r}\r');
    await screen.until("A-7");
    const agreed = model.session.agree({ text: "Remove it?", yes: "remove" });
    await screen.until("Enter no");
    screen.press("anybody");
    await screen.press("y\r").until("Compose");
    expect(await agreed).toBe(false);
    expect(asked.quit).not.toHaveBeenCalled();
  });
});

describe("confirmation", () => {
  async function confirm() {
    const shown = await shell();
    const agreed = shown.model.session.agree({ text: "Remove the key?", yes: "remove" });
    await shown.screen.until("Enter no");
    return { ...shown, agreed };
  }

  it("is Yes by y, or by choosing it, and nothing below hears a key", async () => {
    const { screen, agreed, asked, model } = await confirm();
    screen.press("4q");
    await screen.press("\t").until("Enter remove");
    expect(asked.quit).not.toHaveBeenCalled();
    await screen.press("\r").until("Compose");
    expect(await agreed).toBe(true);
    expect(model.session.store.getState().screen).toBe("check");
  });

  it("leaves the screen where it is, without its pointer", async () => {
    const { screen, model } = await shell();
    await screen.until("› Send check");
    const before = screen.lines();
    void model.session.agree({ text: "Remove the key?", yes: "remove" });
    await screen.until("› Remove the key?");
    const behind = screen.lines().slice(0, -2);
    const isMoved = behind.filter((line, row) => !/Send check/.test(line) && line !== before[row]);
    expect(isMoved).toEqual([]);
    expect(behind.join("\n")).not.toContain("›");
    expect(behind.join("\n")).toContain("answer first");
    model.session.answer(false);
    await screen.until("› Send check");
  });

  it("shows untrusted text visibly", async () => {
    const { screen, model } = await shell();
    void model.session.agree({ text: "a\u001b[31mb x\u200by?", yes: "remove" });
    expect(await screen.until("y remove")).toMatch(/a\\x1b\[31mb[^]*x\\u200by/);
  });
});

describe("prompt", () => {
  it("goes on with what was typed after a question that came over it", async () => {
    const { screen, model } = await shell();
    const { session } = model;
    const line = session.askUntil({ label: "Filter", initial: "ab" });
    await screen.until("Filter ab");
    await screen.press("cd").until("Filter abcd");
    const agreed = session.agree({ text: "Leave it?", yes: "leave" });
    await screen.until("Leave it?");
    screen.press("n");
    expect(await agreed).toBe(false);
    await screen.until("Filter abcd");
    screen.press("e\r");
    expect(await line).toBe("abcde");
  });

  it("forgets on Esc, masks a secret, and starts anew when asked again", async () => {
    const { screen, model } = await shell();
    const { session } = model;
    const secret = session.askUntil({ label: "Secret", masked: true });
    await screen.until("Secret");
    expect(await screen.press("hush").until("****")).not.toContain("hush");
    screen.press("\x1b");
    expect(await secret).toBeNull();
    const line = session.askUntil({ label: "Secret" });
    await screen.until("Secret");
    screen.press("x\r");
    expect(await line).toBe("x");
  });
});

describe("the letters of a form", () => {
  it.each(WINDOWS)("stand in front of the fields at %i x %i, and move nothing", async (columns, rows) => {
    const { screen, model } = await shell({ columns, rows });
    const before = screen.lines();
    await screen.press("'").until("a Operation");
    screen.expectWhole();
    const { lines } = screen;
    const form = lines().findIndex((line) => line.includes("a Operation"));
    expect(lines()[form]!.slice(1)).toBe(before[form]!.slice(1));
    await screen.press("\u001b").until("Nothing is missing");
    expect(model.composer.store.getState().focus).toBe("submit");
  });

  it("lead to every field and back to the button, and what is typed behind one goes into its field", async () => {
    const { screen, model } = await shell();
    await screen.until("Nothing is missing");
    const { composer } = model;
    const focus = (): string => composer.store.getState().focus;
    const letters = "asdfghjklqwertyuio".split("").slice(0, CHECK_FIELDS.length);
    for (const [index, letter] of letters.entries()) {
      screen.press(`'${letter}`);
      await vi.waitFor(() => expect(focus()).toBe(CHECK_FIELDS[index]!.path));
      screen.press("\u001b");
      await vi.waitFor(() => expect(focus()).toBe("submit"));
    }
    for (const nowhere of ["7", "\u001b"]) {
      screen.press("'");
      await vi.waitFor(() => expect(focus()).toBe("jump"));
      screen.press(nowhere);
      await vi.waitFor(() => expect(focus()).toBe("submit"));
    }
    screen.press("'d77");
    await vi.waitFor(() => expect(composer.store.getState().fields["amount"]!.text).toMatch(/77$/));
    screen.press("\u001b");
    await screen.press("2").until("Register a project");
    screen.press("'s");
    await screen.press("shop").until(/Project name +shop/);
    expect(model.checks.store.getState()).toMatchObject({ inFlight: null, latest: null });
  });
});

describe("palette", () => {
  it("finds by letters, runs what it found, and is one event per key even in one chunk", async () => {
    const { screen, model } = await shell();
    await screen.press(":vaul\r").until("Vault · sandbox");
    await screen.press(":").until("Palette");
    await screen.press("zzzz").until("No command matches; Ctrl-U clears the text.");
    await screen.press("\x15scr").until("screen Register");
    screen.press("\x1b[B\x1b[B\x1b[B\r");
    await vi.waitFor(() => {
      expect(model.session.store.getState()).toMatchObject({ screen: "history", palette: false });
    });
  });

  it.each([
    ["at once", ":"],
    ["behind blanks", ":  "],
    ["behind letters that were deleted again", ":se\x7f\x7f"],
    ["on another screen", "4:"],
  ])("marks nothing by itself, and Enter does nothing: %s", async (_when, keys) => {
    const { screen, model } = await shell();
    await screen.press(keys).until("Palette");
    await screen.press("\r").until((frame) => /Find\s*$/m.test(frame) && !frame.includes("Enter do it"));
    expect(screen.frame()).not.toContain("›");
    expect(model.session.store.getState()).toMatchObject({ palette: true });
    await screen.press("\x1b[A").until((frame) => frame.includes("›") && frame.includes("Enter do it"));
  });

  it("chooses a theme where the terminal has colours, and offers none elsewhere", async () => {
    const look = createLook({ theme: "default", colors: {} });
    const { screen } = await shell({ options: { look } });
    await screen.press(":contr").until(/theme high-contrast +Everywhere/);
    await screen.press("\r").until((frame) => !frame.includes("Palette"));
    expect(look.getState().theme).toBe("high-contrast");
    const offered = (await shell()).model.verbs.list();
    expect(offered.some(({ label }) => label.startsWith("theme"))).toBe(false);
  });

  it("puts the closest first and offers nothing of its own", () => {
    const active = BINDINGS.filter(({ scope }) => scope === "shell" || scope === "palette").map(
      (binding) => ({
        binding,
        disabled: null,
      }),
    );
    const ids = (typed: string): string[] =>
      paletteEntries(active, typed).flatMap((entry) => (entry.kind === "key" ? [entry.binding.id] : []));
    expect(ids("quit")[0]).toBe("shell.quit");
    expect(ids("SCREEN V")).toEqual(["shell.vault"]);
    // By another word for what it shows.
    expect(ids("hits")).toEqual(["shell.rules"]);
    expect(ids("log")).toContain("shell.messages");
    // By what its screen does, from another one.
    expect(ids("export").toSorted()).toEqual(["shell.history", "shell.replay", "shell.vault"]);
    expect(ids("delete").toSorted()).toEqual(["shell.profiles", "shell.replay", "shell.vault"]);
    expect(ids("")).not.toContain("shell.palette");
    expect(ids("").some((id) => id.startsWith("palette."))).toBe(false);
  });

  it.each(WINDOWS)("leaves the lower half of the screen where it is at %i x %i", async (columns, rows) => {
    const { screen } = await shell({ columns, rows });
    // The pointer is in the list.
    const before = screen.lines().map((line) => line.replace("›", " "));
    await screen.press(":").until("Palette");
    const half = Math.ceil(rows / 2) + 1;
    const MESSAGE_AND_KEYS = 3;
    expect(screen.lines().slice(half, -MESSAGE_AND_KEYS)).toEqual(before.slice(half, -MESSAGE_AND_KEYS));
    await screen.press("zzzz").until("No command matches; Ctrl-U clears the text.");
    expect(screen.lines().slice(half, -MESSAGE_AND_KEYS)).toEqual(before.slice(half, -MESSAGE_AND_KEYS));
  });

  it("lists no key that only moves", () => {
    const active = BINDINGS.filter(({ scope }) => scope !== "check.field").map((binding) => ({
      binding,
      disabled: null,
    }));
    const labels = paletteEntries(active, "").flatMap((entry) =>
      entry.kind === "key" ? [entry.binding.label] : [],
    );
    expect(
      labels.filter((label) => /^(?:next|previous|first|last|older|newer|down|up)\b/.test(label)),
    ).toEqual([]);
  });
});

describe("help", () => {
  it("lists every binding of the table, scrolls, and closes", async () => {
    const { screen, asked } = await shell();
    await screen.press("?").until(/Keys ━+ 1-19 of/);
    await screen.press("j").until(/Keys ━+ 2-20 of/);
    await screen.press("G").until((frame) => !/Keys ━+ 2-20/.test(frame));
    await screen.press("g").until(/Keys ━+ 1-19 of/);
    await screen.press("q").until("Compose");
    expect(asked.quit).not.toHaveBeenCalled();
    const text = helpRows(BINDINGS, [], 76)
      .map((row) => row.map((span) => span.text).join(""))
      .join("\n");
    for (const { label } of BINDINGS) expect(text).toContain(label);
  });

  it("lists the keys of elsewhere behind those that can be used", () => {
    const near = BINDINGS.filter(({ scope }) => scope === "demo");
    const headings = helpRows(
      BINDINGS,
      near.map((binding) => ({ binding, disabled: null })),
      76,
    ).flatMap((row) => (row.length === 1 ? [row[0]!.text] : []));
    const groups = new Set(near.map(({ group }) => group));
    expect(headings.slice(0, groups.size)).toEqual([...groups]);
    expect(headings.slice(groups.size).every((heading) => heading.startsWith("Elsewhere: "))).toBe(true);
  });

  it.each([
    [60, 20, 1],
    [80, 24, 1],
    [120, 40, 2],
    [200, 60, 3],
  ])("stands at %i x %i in %i columns, with the screens on its first page", async (columns, rows, across) => {
    const { screen } = await shell({ columns, rows });
    await screen.press("?").until(` 1-${(rows - 5) * across} of `);
    screen.expectWhole();
    const page = screen.lines().slice(2).join(" ");
    for (const tab of ["1 Check", "4 History", "8 Profiles"]) expect(page).toContain(tab);
    expect(page.indexOf("send from anywhere")).toBeLessThan(page.indexOf("fresh order id"));
    if (across > 1) expect(page).toContain("switch project");
  });

  it("finds keys while it is typed, and Esc brings all back", async () => {
    const { screen } = await shell();
    await screen.press("?").until(/Keys ━+ 1-19 of/);
    screen.press("G");
    await screen.press("/presen").until(/Find presen[^]*p +presenter mode, on and off +Everywhere/);
    screen.expectWhole();
    await screen.press("\x15ctrl-z").until("suspend");
    await screen.press("\u001b").until(/Keys ━+ 1-19 of/);
    await screen.press("\u001b").until("Compose");
    expect(
      foundKeys(BINDINGS, "Ctrl-Z", 76)[0]!
        .map(({ text }) => text)
        .join(""),
    ).toContain("suspend");
    expect(foundKeys(BINDINGS, "no such key", 76)).toEqual([]);
  });

  it("says why something does not work now", () => {
    const binding = BINDINGS.find(({ id }) => id === "shell.vault")!;
    const rows = helpRows([binding], [{ binding, disabled: "not now" }], 76);
    expect(
      rows
        .at(-1)!
        .map((span) => span.text)
        .join(""),
    ).toContain("screen Vault (not now)");
  });
});

describe("toasts and footer", () => {
  it("shows what was said above the keys, made safe", async () => {
    const { screen, model } = await shell();
    await screen.until("? help");
    model.session.say("bad\u0007thing", "error");
    const rows = (await screen.until("✖ bad\\x07thing")).split("\n");
    expect(rows.at(-2)).toContain("✖ bad\\x07thing");
    expect(rows.at(-1)).toContain("? help");
    screen.expectWhole();
    model.session.dismissToasts();
    await screen.until((frame) => !frame.includes("bad"));
    screen.expectWhole();
  });

  it.each([
    [60, 16],
    [80, 24],
  ])(
    "keeps the frame whole at %i x %i with a long toast, a line in the background and a prompt",
    async (columns, rows) => {
      const { screen, model } = await shell({ columns, rows });
      for (const key of ["1", "2", "3", "4"]) {
        screen.press(key);
        model.session.setBusy("busy ".repeat(20));
        model.session.say(`start ${"word ".repeat(60)}`, "error");
        await screen.until("start word");
        screen.expectWhole();
        expect(screen.lines().at(-1)).toContain("quit");
      }
      void model.session.askUntil({ label: "Filter" });
      await screen.until(/Filter/);
      screen.expectWhole();
      expect(screen.lines().at(-2)).toContain("Filter");
      expect(screen.lines().at(-1)).toContain("Esc cancel");
    },
  );

  it.each(WINDOWS.slice(0, 3))(
    "moves nothing at %i x %i when a message comes or goes",
    async (columns, rows) => {
      const { screen, model } = await shell({ columns, rows });
      const { session } = model;
      await model.start();
      await screen.until("Nothing sent yet");
      session.dismissToasts();
      await screen.until((frame) => !frame.includes("is in the vault"));
      const still = screen.lines();
      session.say("A short one.", "note");
      await screen.until("A short one.");
      expect(screen.lines().toSpliced(-2, 1)).toEqual(still.toSpliced(-2, 1));
      session.say("word ".repeat(70), "error");
      await screen.until("word word");
      // Its second row lies over the last one of the screen.
      expect(screen.lines().toSpliced(-3, 2)).toEqual(still.toSpliced(-3, 2));
      expect(screen.lines().at(-2)).toContain("… M shows all");
      session.dismissToasts();
      await screen.until((frame) => !frame.includes("word word"));
      expect(screen.lines()).toEqual(still);
    },
  );

  it("keeps an error in sight, however much is said after it", async () => {
    const { screen, model } = await shell();
    await screen.until("? help");
    model.session.say("The disk is full.", "error");
    for (const text of ["First.", "Second.", "Third.", "Fourth."]) model.session.say(text, "note");
    expect(await screen.until("✖ The disk is full.")).not.toContain("Fourth.");
  });

  it("keeps what was said on a page of its own, above the journal of the sandbox", async () => {
    const { screen, model } = await shell();
    const { session } = model;
    await model.start();
    await screen.until("Nothing sent yet");
    session.say(`The project was not saved: ${"the disk is full, ".repeat(12)}free some space.`, "error");
    for (let count = 0; count < 30; count += 1) session.say("Switched.", "done");
    const page = await screen.press("M").until("No request has reached the sandbox yet.");
    expect(page).toMatch(/Switched\.\n {2}\d\d:\d\d:\d\d {2}✖ The project was not saved: the disk/);
    expect(page.split("Switched.")).toHaveLength(2);
    expect(page.replaceAll(/\s+/g, " ")).toContain("free some space.");
    screen.expectWhole();
    for (const line of screen.lines()) expect(line.slice(79).trim(), "the last column stays blank").toBe("");
    expect(screen.lines().at(-2)?.trim()).toBe("");
    screen.press("/disk");
    await screen.until((frame) => /Messages .* 1 of \d/.test(frame) && !frame.includes("Switched"));
    screen.expectWhole();
    await screen.press("\x1b").until("Switched.");
    await screen.press("M").until("Send check");
  });

  it("has verdicts of the journal in their colours", async () => {
    const { screen, model } = await shell();
    await screen.until("Send check");
    await screen.press("M").until("Sandbox journal");
    const entry = {
      number: 1,
      at: "2026-11-21T12:30:00Z",
      call: "check",
      status: 200,
      latency_ms: 4,
      error: null,
      reason: null,
      decision: "dec-1",
      recommendation: "block",
      repeat: false,
      magic: null,
      faults: [],
    } as unknown as JournalEntry;
    model.journal.store.setState({ entries: [entry] });
    await screen.until("check       ✖ BLOCK  dec-1");
    expect(screen.styledFrame().replaceAll("\x1b", "^")).toMatch(/\^\[31m(?:\^\[\d+m)*✖ BLOCK +\^/);
    const { checks } = model;
    const request = { operation: "payment", order_id: "o-1041", amount: 12_000, currency: 980 };
    const sent = { id: "n1", request, result: { decisionId: "dec-1" } } as unknown as HistoryEntry;
    checks.store.setState({ entries: [sent, ...checks.store.getState().entries] });
    const known = await screen.until(/check {7}✖ BLOCK {2}o-1041 +120\.00 UAH/);
    expect(known, "80 columns have no room for the id of the decision, too").not.toContain("dec-1");
  });

  it("comes back to Check by Esc from a filter that was begun there", async () => {
    const { screen } = await shell();
    await screen.until("Send check");
    await screen.press("/").until((frame) => frame.includes("4 History") && frame.includes("Filter"));
    await screen.press("\x1b").until("Send check");
  });

  it("lets a toast go after its time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { createSession, TOAST_MS } = await import("#src/state/session.ts");
      const session = createSession({ keyName, quit: vi.fn() });
      session.say("one", "note");
      vi.advanceTimersByTime(TOAST_MS - 1);
      expect(session.store.getState().toasts).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(session.store.getState().toasts).toEqual([]);
      session.say("two", "error");
      vi.advanceTimersByTime(60_000);
      expect(session.store.getState().toasts).toMatchObject([{ text: "two" }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("shows only what works now, by rank, and another way out while letters are text", () => {
    const all = BINDINGS.filter(({ scope }) => scope === "shell");
    const works = all.map((binding) => ({ binding, disabled: null }));
    expect(footerKeys(works)).toEqual({
      keys: [
        { key: ":", label: "palette" },
        { key: "P", label: "switch project" },
        { key: "M", label: "messages" },
      ],
      last: [
        { key: "?", label: "help" },
        { key: "q", label: "quit" },
      ],
    });
    const typing = works.filter(({ binding }) => binding.keys[0]!.startsWith("ctrl"));
    expect(footerKeys(typing).last).toEqual([{ key: "Ctrl-C", label: "leave" }]);
    const disabled = works.map((each) => ({ ...each, disabled: "not now" }));
    expect(footerKeys(disabled)).toEqual({ keys: [], last: [] });
  });
});

describe("a window that is too small", () => {
  it("keeps a field that is typed into, and lets no key leave or send", async () => {
    const { screen, model } = await shell();
    await model.start();
    await screen.until(/demo-shop\/medium/);
    model.composer.focus("description");
    await screen.until(/› Descr/);
    screen.resize(40, 10);
    expect(await screen.until("verdict needs 60x16")).toContain("press Ctrl-C.");
    screen.press("\u0015a quick q");
    for (const key of ["\r", "\u0012", "\t", "4"]) screen.press(key);
    const { store } = model.composer;
    await expect.poll(() => store.getState().fields["description"]!.text).toBe("a quick q4");
    screen.resize(80, 24);
    expect(await screen.until(/› Description +a quick q4/)).toContain("Compose");
    expect(model.checks.store.getState()).toMatchObject({ entries: [], inFlight: null });
  });

  it("keeps the text of a prompt", async () => {
    const { screen } = await shell();
    await screen.press("4").until("History");
    await screen.press("/").until(/Filter/);
    await screen.press("amount").until("Filter amount");
    screen.resize(40, 10);
    await screen.until("verdict needs 60x16");
    screen.press(">q");
    screen.resize(80, 24);
    await screen.until("Filter amount>q");
  });
});
