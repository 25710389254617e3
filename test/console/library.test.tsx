// The library as it is seen and typed into, at the sizes that people have.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY, openConsole, WINDOWS } from "./driver.tsx";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import type { TextEditing } from "#src/state/session.ts";
import type { Mounted, MountOptions } from "./harness.tsx";
import { testContext, type TestContext } from "./test-context.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const { enter: ENTER, esc: ESC } = KEY;
const REQUEST = { operation: "payment", order_id: "o-7", amount: 98_000, currency: 978 };

let home: TestContext;
let screen: Mounted;
let editing: () => TextEditing[];

beforeEach(async () => {
  home = await testContext({ now: () => NOW });
});
afterEach(() => home.remove());

async function open(options: MountOptions = {}): Promise<void> {
  const opened = await openConsole({ home, ...options });
  screen = opened.screen;
  editing = () => opened.asked.edit.mock.calls.map(([text]) => text);
  await screen.until("Send check");
}

async function keep(name: string, change: Partial<SavedPayload> = {}): Promise<string> {
  const payloads = await home.context.payloads();
  await payloads.save({ name, expect: null, tags: [], request: REQUEST, ...change }, true);
  return payloads.path(name);
}

describe("the library", () => {
  it.each(WINDOWS.slice(0, 3))("teaches what to do while it is empty, at %i x %i", async (columns, rows) => {
    await open({ columns, rows });
    const frame = await screen.press("l").until("No payload is saved yet.");
    expect(screen.flowing()).toContain("s saves the payment of the form");
    expect(frame).toMatch(/Esc back/);
    expect(frame).not.toMatch(/e edit|search/);
    screen.expectWhole();
    await screen.press(ESC).until("Send check");
  });

  it.each(WINDOWS.slice(0, 3))(
    "lists many of any length and follows the selection, at %i x %i",
    async (columns, rows) => {
      for (let index = 10; index < 60; index += 1) {
        await keep(`payload-${index}-${"long".repeat(index % 12)}`, {
          expect: index % 2 === 0 ? "3ds_or_block" : null,
          tags: ["wide", "標".repeat(index % 20) + "x"],
          request: { ...REQUEST, order_id: `order-${"9".repeat(index)}` },
        });
      }
      await open({ columns, rows });
      expect(await screen.press("l").until("1 of 50")).toMatch(/› payload-10-\S+ +◆ 3DS +980\.00 EUR/);
      expect(screen.frame()).toMatch(/^ +Expects 3DS\./m);
      screen.expectWhole();
      expect(await screen.press("G").until("50 of 50")).toMatch(/› payload-59/);
      screen.expectWhole();
      await screen.press("\x1b[5~").until((frame) => !frame.includes("50 of 50") && frame.includes(" of 50"));
      await screen.press("g").until("1 of 50");
    },
  );

  it("searches as it is typed, loads with Enter, and u undoes it", async () => {
    await keep("alpha");
    await keep("beta", { expect: "block", tags: ["risky"] });
    await open();
    await screen.until("Amount       12000");
    await screen.press("l").until("1 of 2");
    expect(await screen.press("/tag:risky").until("1 of 1")).toContain("Library: tag:risky");
    expect(screen.frame()).not.toContain("alpha");
    await screen.press(ENTER).until("Enter load");
    const loaded = await screen.press(ENTER).until("Amount       98000");
    expect(loaded).toContain('Payload "beta" is loaded, expecting block');
    await screen.press("u").until("Amount       12000");
  });

  it("never lets a file decide what is drawn", async () => {
    const path = await keep("plain");
    const hostile = {
      name: "\u001b[31mred",
      tags: ["\u202egat"],
      request: { ...REQUEST, order_id: "o\u001b[2J\n" },
    };
    writeFileSync(join(dirname(path), "hostile.json"), JSON.stringify(hostile));
    writeFileSync(join(dirname(path), "a\u001b[2Jb.json"), "{}");
    await open();
    expect(await screen.press("l").until("of 3")).toMatch(/\\u202egat/);
    for (const sequence of ["\u001b[2J", "\u202e"]) expect(screen.styledFrame()).not.toContain(sequence);
    screen.expectWhole();
  });

  it("is drawn in ASCII where there is nothing else", async () => {
    await keep("plain", { expect: "pass" });
    await open({ ascii: true });
    expect(await screen.press("l").until(/> plain +\+ PASS/)).toMatch(/^[\n -~]*$/);
  });
});

describe("what is composed", () => {
  it("is given to the editor with e, and letters stay letters in a field", async () => {
    await open();
    screen.press("e");
    await expect.poll(editing).toHaveLength(1);
    editing()[0]!.onText(editing()[0]!.text.replace("12000", "12500"));
    await screen.until("Amount       12500");
    await screen.press("\t\x15sle").until("Operation    sle");
    expect(editing()).toHaveLength(1);
  });
});
