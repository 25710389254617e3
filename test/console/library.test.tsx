// The library as it is seen and typed into, at the sizes that people have.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import type { TextEditing } from "#src/state/session.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { widthOf } from "#src/ui/fit.ts";
import { keyName } from "../keys/standard.ts";
import { mount, type Mounted, type MountOptions } from "./harness.tsx";
import { testContext, type TestContext } from "./test-context.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const ENTER = "\r";
const ESC = "\x1b";
const REQUEST = { operation: "payment", order_id: "o-7", amount: 98_000, currency: 978 };

let test: TestContext;
let model: ConsoleModel;
let screen: Mounted;
let editing: TextEditing[];

beforeEach(async () => {
  test = await testContext({ now: () => NOW });
  editing = [];
});
afterEach(async () => {
  screen.unmount();
  await model.close();
  await test.remove();
});

function open(options: MountOptions = {}): void {
  model = createConsoleModel(test.context, {
    keyName,
    now: () => NOW,
    ascii: options.ascii ?? false,
    quit: () => undefined,
  });
  screen = mount(
    <ConsoleModelProvider value={model}>
      <App
        onSuspend={() => undefined}
        onInterrupt={() => undefined}
        onEdit={(asked) => void editing.push(asked)}
      />
    </ConsoleModelProvider>,
    { ...options, bindings: BINDINGS },
  );
}

async function keep(name: string, change: Partial<SavedPayload> = {}): Promise<string> {
  const payloads = await test.context.payloads();
  await payloads.save({ name, expect: null, tags: [], request: REQUEST, ...change }, true);
  return payloads.path(name);
}

/** The frame is exactly the window. */
function expectWhole(columns: number, rows: number): void {
  const lines = screen.lines();
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
}

const SIZES = [
  [60, 20],
  [80, 24],
  [140, 40],
] as const;

describe("the library", () => {
  it.each(SIZES)("teaches what to do while it is empty, at %i x %i", async (columns, rows) => {
    open({ columns, rows });
    await screen.until("Send check");
    screen.press("l");
    const frame = await screen.until("No payload is saved yet.");
    expect(frame.replaceAll(/\s+/g, " ")).toContain("s saves the payment of the form");
    expect(frame).toMatch(/Esc back/);
    expect(frame).not.toMatch(/e edit|search/);
    expectWhole(columns, rows);
    screen.press(ESC);
    await screen.until("Send check");
  });

  it.each(SIZES)("lists many of any length and follows the selection, at %i x %i", async (columns, rows) => {
    for (let index = 10; index < 60; index += 1) {
      await keep(`payload-${index}-${"long".repeat(index % 12)}`, {
        expect: index % 2 === 0 ? "3ds_or_block" : null,
        tags: ["wide", "標".repeat(index % 20) + "x"],
        request: { ...REQUEST, order_id: `order-${"9".repeat(index)}` },
      });
    }
    open({ columns, rows });
    await screen.until("Send check");
    screen.press("l");
    await screen.until("1 of 50");
    expect(screen.frame()).toMatch(/› payload-10-\S+ +◆ 3DS +980\.00 EUR/);
    expect(screen.frame()).toMatch(/^ +Expects 3DS\./m);
    expectWhole(columns, rows);
    screen.press("G");
    await screen.until("50 of 50");
    expect(screen.frame()).toMatch(/› payload-59/);
    expectWhole(columns, rows);
    screen.press("\x1b[5~");
    await screen.until((frame) => !frame.includes("50 of 50") && frame.includes(" of 50"));
    screen.press("g");
    await screen.until("1 of 50");
  });

  it("searches as it is typed, loads with Enter, and u undoes it", async () => {
    await keep("alpha");
    await keep("beta", { expect: "block", tags: ["risky"] });
    open();
    await screen.until("Amount       12000");
    screen.press("l");
    await screen.until("1 of 2");
    screen.press("/tag:risky");
    await screen.until("1 of 1");
    expect(screen.frame()).toContain("Library: tag:risky");
    expect(screen.frame()).not.toContain("alpha");
    screen.press(ENTER);
    await screen.until("Enter load");
    screen.press(ENTER);
    const loaded = await screen.until("Amount       98000");
    expect(loaded).toContain('Payload "beta" is loaded, expecting block');
    screen.press("u");
    await screen.until("Amount       12000");
  });

  it("shows one that cannot be read with its problem, opens the editor on it, and asks before removing", async () => {
    const path = await keep("bad");
    writeFileSync(path, "{");
    open();
    await screen.until("Send check");
    screen.press("l");
    await screen.until("✖ cannot be read");
    expect(screen.frame().replaceAll(/\s+/g, " ")).toContain("d removes it.");
    screen.press("e");
    await expect.poll(() => editing).toHaveLength(1);
    expect(editing[0]).toMatchObject({ text: "{", fileName: "bad.json" });
    screen.press("d");
    await screen.until("y remove");
    screen.press("n");
    await screen.until("✖ cannot be read");
    screen.press("d");
    await screen.until("y remove");
    screen.press("y");
    await screen.until("No payload is saved yet.");
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
    open();
    await screen.until("Send check");
    screen.press("l");
    await screen.until("of 3");
    expect(screen.frame()).toMatch(/\\u202egat/);
    for (const sequence of ["\u001b[2J", "\u202e"]) expect(screen.styledFrame()).not.toContain(sequence);
    expectWhole(80, 24);
  });

  it("is drawn in ASCII where there is nothing else", async () => {
    await keep("plain", { expect: "pass" });
    open({ ascii: true });
    await screen.until("Send check");
    screen.press("l");
    await screen.until(/> plain +\+ PASS/);
    expect(screen.frame()).toMatch(/^[\n -~]*$/);
  });
});

describe("what is composed", () => {
  it("is saved with s, one question after the other", async () => {
    open();
    await screen.until("Send check");
    screen.press("s");
    await screen.until("Save as payload");
    screen.press("bad name\r");
    await screen.until('"bad name" cannot name a payload');
    model.session.dismissToasts();
    screen.press("\x15mine\r");
    await screen.until("2 of 3  Expected verdict none");
    screen.press("\x15p\r");
    await screen.until("Tags");
    screen.press("a b\r");
    await screen.until('Payload "mine" is saved, expecting pass');
    expectWhole(80, 24);
    screen.press("l");
    await screen.until(/› mine +✔ PASS +120\.00 UAH +o-\w+ +#a #b/);
  });

  it("is given to the editor with e, and letters stay letters in a field", async () => {
    open();
    await screen.until("Send check");
    screen.press("e");
    await expect.poll(() => editing).toHaveLength(1);
    editing[0]!.onText(editing[0]!.text.replace("12000", "12500"));
    await screen.until("Amount       12500");
    screen.press("\t\x15sle");
    await screen.until("Operation    sle");
    expect(editing).toHaveLength(1);
  });
});
