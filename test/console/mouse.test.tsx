// Clicks and the wheel: they select, move and scroll, and never send or answer anything.

import { SIZES } from "./driver.tsx";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createKeyParser, type InputEvent } from "#src/keys/key-parser.ts";
import type { Mounted } from "./harness.tsx";
import { openHistory } from "./history-stage.tsx";

const click = (x: number, y: number): string => `\u001b[<0;${x + 1};${y + 1}M\u001b[<0;${x + 1};${y + 1}m`;
const wheel = (x: number, y: number, by: 1 | -1): string => `\u001b[<${by < 0 ? 64 : 65};${x + 1};${y + 1}M`;

/** Where a text stands in the frame. */
function placeOf(frame: string, text: string | RegExp): [number, number] {
  const lines = frame.split("\n");
  const y = lines.findIndex((line) => (typeof text === "string" ? line.includes(text) : text.test(line)));
  const x = typeof text === "string" ? lines[y]?.indexOf(text) : lines[y]?.search(text);
  return [x ?? -1, y];
}

/** Resolves when all that was pressed has been handled: each event that is used waits until it is drawn. */
async function handled({ dispatcher, press }: Mounted): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const key = (name: string): boolean => {
    if (name === "f12") resolve();
    return name === "f12";
  };
  const last = dispatcher.open({ scope: "test", level: 9, handlers: {}, key });
  press("\u001b[24~");
  await promise;
  last.close();
}

describe("a report of the mouse", () => {
  it("never reaches a text, wherever and however late it is cut", () => {
    const report = fc.constantFrom(
      click(0, 0),
      click(199, 59),
      wheel(10, 3, 1),
      "\u001b[<35;7;9M",
      "\u001b[<2;7;9m",
    );
    fc.assert(
      fc.property(report, fc.nat(30), fc.boolean(), fc.constantFrom("", "ab"), (sent, at, late, text) => {
        const events: InputEvent[] = [];
        const parser = createKeyParser(
          (event) => events.push(event),
          () => () => undefined,
          true,
        );
        parser.feed(text + sent.slice(0, at));
        if (late) parser.flush();
        parser.feed(sent.slice(at) + text);
        parser.flush();
        const typed = events.flatMap((event) => (event.type === "text" ? event.text : []));
        expect(typed.join("")).toBe(text + text);
        const keys = events.filter((event) => event.type === "key");
        // What may have been the key Esc alone destroys nothing.
        expect(keys.length === 0 || (late && keys.every(({ name }) => name === "esc"))).toBe(true);
        const hits = events.filter((event) => event.type === "mouse");
        expect(hits).toHaveLength(/\[<(?:0|64|65);/.test(sent) ? 1 : 0);
      }),
    );
  });
});

describe("the mouse", () => {
  it.each(SIZES)(
    "selects a row, a tab and a part of the detail at $columns x $rows",
    async ({ columns, rows }) => {
      const screen = await openHistory(columns, rows);
      await screen.model.checks.load();
      const start = await screen.until("Send check");
      const [tabs = ""] = start.split("\n");
      const list = await screen.press(click(tabs.search(/\b4\b/), 0)).until("Time  ");
      await screen.press(click(...placeOf(list, " o-2"))).until("3 of 4");
      expect(screen.model.history.store.getState().selectedId).toBe("e2");
      if (columns < 100) return;
      await screen.press(click(...placeOf(screen.frame(), "Timing"))).until("Recorded at");
      screen.press(wheel(...placeOf(screen.frame(), "Recorded at"), 1));
      await expect.poll(() => screen.model.history.store.getState().opened?.id).toBe("e2");
      await screen.press(click(...placeOf(screen.frame(), " o-4 "))).until("1 of 4");
      expect(screen.model.history.store.getState().opened).toBeNull();
      await screen.press(wheel(...placeOf(screen.frame(), " o-3 "), 1)).until("4 of 4");
    },
  );

  it.each(SIZES)(
    "gives a field the keys at $columns x $rows, and the button the focus alone",
    async (size) => {
      const screen = await openHistory(size.columns, size.rows);
      const { model } = screen;
      model.session.setProject("merchant-7/medium");
      await model.checks.load();
      const frame = await screen.until("Send check");
      screen.press(click(...placeOf(frame, /^ *Amount /)));
      await expect.poll(() => model.composer.store.getState().focus).toBe("amount");
      screen.press("7");
      await expect.poll(() => model.composer.store.getState().fields["amount"]!.text).toMatch(/7$/);
      const before = await model.context.history().then((history) => history.count());
      screen.press(click(...placeOf(screen.frame(), "Send check")));
      await expect.poll(() => model.composer.store.getState().focus).toBe("submit");
      expect(model.checks.store.getState().inFlight).toBeNull();
      expect(await model.context.history().then((history) => history.count())).toBe(before);
    },
  );

  it("sends nothing and answers nothing, wherever it clicks", async () => {
    const screen = await openHistory(120, 40);
    const { model } = screen;
    model.session.setProject("merchant-7/medium");
    await model.checks.load();
    await screen.until("1 of 4");
    const everywhere = async (): Promise<void> => {
      for (let y = 0; y < 40; y += 3) {
        for (let x = 1; x < 120; x += 17) screen.press(click(x, y) + wheel(x, y, (x + y) % 2 === 0 ? 1 : -1));
        await new Promise(setImmediate);
      }
      await handled(screen);
    };
    for (const key of ["1", "2", "3", "4", "5", "7", "8"]) {
      screen.press("\u001b");
      screen.press(key);
      await everywhere();
    }
    screen.press("\u001b");
    screen.press("1");
    await handled(screen);
    expect(model.session.store.getState().screen).toBe("check");
    const answered = vi.fn();
    void model.session.agree({ text: "Send it?", yes: "send" }).then(answered);
    await screen.until("Send it?");
    await everywhere();
    await screen.until("Send it?");
    expect(answered).not.toHaveBeenCalled();
    model.session.answer(false);
    expect(model.checks.store.getState().inFlight).toBeNull();
    expect(await model.context.history().then((history) => history.count())).toBe(4);
    expect(model.replays.store.getState().live).toBeNull();
  });
});
