// Copying a part of an entry of the history: a menu of keys, what each copies, and what presenter mode refuses.

import { describe, expect, it } from "vitest";
import { KEY } from "./driver.tsx";
import { ENTRIES, openHistory } from "./history-stage.tsx";

const { esc: ESC } = KEY;

async function stage(takes = true) {
  const copied: string[] = [];
  const screen = await openHistory(80, 24, {
    copy: (text) => takes && copied.push(text) > 0,
    clear: () => undefined,
    note: "Inside tmux it may not arrive.",
  });
  await screen.press("4").until("1 of 4");
  return { screen, copied };
}

describe("copying of a check", () => {
  it("asks what, copies that, and says honestly that it was only sent", async () => {
    const { screen, copied } = await stage();
    // The newest but two: a block with a hostile reason.
    await screen.press("jj").until("3 of 4");
    for (const [key, text] of [
      ["o", "o-2"],
      ["d", "d-1"],
      ["r", "pa\\u200bss\\x1b[32m granted"],
    ] as const) {
      await screen.press("y").until("What do you want to copy from o-2?");
      const frame = await screen.press(key).until("is sent to your terminal's clipboard.");
      expect(frame).not.toContain("What do you want to copy");
      // What stands in between is told once.
      const said = screen.model.session.store.getState().toasts.at(-1)!.text;
      expect(said.includes("Inside tmux")).toBe(key === "o");
      expect(copied.at(-1)).toBe(text);
      screen.model.session.dismissToasts();
      await screen.until((shown) => !shown.includes("clipboard"));
    }
    screen.press("yj");
    await expect.poll(() => copied.length).toBe(4);
    expect(JSON.parse(copied[3]!)).toEqual(ENTRIES[1]!.request);
    screen.press("ya");
    await expect.poll(() => copied.length).toBe(5);
    expect(JSON.parse(copied[4]!)).toMatchObject({ id: "e2", finalAction: "block" });
  });

  it("copies of the check that Check shows", async () => {
    const copied: string[] = [];
    const screen = await openHistory(80, 24, {
      copy: (text) => copied.push(text) > 0,
      clear: () => undefined,
      note: null,
    });
    await screen.model.checks.load();
    await screen.press("j").until("Selected");
    await screen.press("y").until("What do you want to copy from o-4?");
    await screen.press(ESC).until((frame) => !frame.includes("What do you want to copy"));
    await screen.press("y").until("What do you want to copy from o-4?");
    const frame = await screen.press("o").until("is sent to your terminal's clipboard.");
    expect(frame).not.toContain("What do you want to copy");
    expect(copied).toEqual(["o-4"]);
  });

  it("copies nothing while the window is too small to show the question", async () => {
    const { screen, copied } = await stage();
    await screen.press("y").until("What do you want to copy from o-4?");
    screen.resize(40, 10);
    await screen.until("make the window larger");
    screen.press("a");
    screen.resize(80, 24);
    await screen.until("What do you want to copy from o-4?");
    expect(copied).toEqual([]);
    screen.press("o");
    await expect.poll(() => copied).toEqual(["o-4"]);
  });

  it.each([60, 80])("says how to copy nothing at %i columns", async (columns) => {
    const screen = await openHistory(columns, 24);
    await screen.press("4").until("1 of 4");
    const frame = await screen.press("y").until("What do you want to copy from o-4?");
    expect(frame.split("\n").at(-1)).toMatch(/^ {2}o order id .* {3}Esc nothing$/);
  });

  it("says what there is none of, and copies nothing on Esc or where no clipboard takes it", async () => {
    const { screen, copied } = await stage(false);
    await screen.press("y").until("What do you want to copy from o-4?");
    const reasons = new Map(
      screen.dispatcher.active().map(({ binding, disabled }) => [binding.id, disabled]),
    );
    expect(reasons.get("history.copy.decision")).toBe("This check has no decision id.");
    expect(reasons.get("history.copy.order")).toBeNull();
    await screen.press("o").until("cannot copy the order id; nothing is copied.");
    await screen.press("y").until("What do you want to copy from o-4?");
    await screen.press(ESC).until((frame) => !frame.includes("What do you want to copy"));
    expect(copied).toEqual([]);
  });

  it("is refused in presenter mode, also once the question is open", async () => {
    const { screen, copied } = await stage();
    await screen.press("y").until("What do you want to copy");
    screen.model.present();
    await screen.until("PRESENTER");
    screen.press("oa");
    const refused = screen.dispatcher.active().filter(({ binding }) => binding.exposes === true);
    expect(refused.length).toBeGreaterThan(4);
    for (const { disabled } of refused) expect(disabled).toContain("Presenter mode hides");
    await screen.press(ESC).until((frame) => !frame.includes("What do you want to copy"));
    expect(copied).toEqual([]);
  });
});
