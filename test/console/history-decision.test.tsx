// The 3-D Secure question of an open check, asked in the History screen.

import { expect, it } from "vitest";
import { FINAL_ACTION } from "#src/display/verdict.ts";
import { openHistory } from "./history-stage.tsx";

const QUESTION = "Can 3-D Secure be forced for this payment";

/** Points at the open check, the third from the end. */
async function onOpen(columns: number) {
  const screen = await openHistory(columns, 30);
  await screen.press("4").until("1 of 4");
  await screen.press("j").until("2 of 4");
  return screen;
}

it.each([
  ["y", "3ds"],
  ["n", "block"],
] as const)("is answered by %s in the list, and stays open by Esc", async (answer, action) => {
  const screen = await onOpen(140);
  const final = async () => (await (await screen.model.context.history()).find("e3"))!.finalAction;
  expect(screen.frame()).toMatch(/o-3 +\?/);
  screen.press("d");
  // It has no project in common with this console.
  await screen.until(`${QUESTION} of merchant-7/medium?`);
  expect(screen.frame()).toMatch(/y yes, send to 3-D Secure +n no, block +Esc later/);
  screen.press("\r");
  await screen.press("\u001b").until((frame) => !frame.includes(QUESTION));
  expect(await final()).toBeNull();
  await screen.press("d").until(QUESTION);
  await screen.press(answer).until(/o-3 +=/);
  expect(await final()).toBe(action);
  expect(await screen.until(`Order o-3: ${FINAL_ACTION[action]}`)).not.toContain("3-D Secure?");
});

it("is answered in the detail, and there is none of a check that is not open", async () => {
  const screen = await onOpen(80);
  await screen.press("\r").until("d 3-D Secure?");
  await screen.press("d").until(QUESTION);
  await screen.press("n").until("Final       Block further processing.");
  screen.press("d");
  expect(await screen.press("\u001b").until("2 of 4")).not.toContain(QUESTION);
});

it("closes on Check when History answers it", async () => {
  const screen = await onOpen(140);
  const { checks, history } = screen.model;
  await checks.load();
  expect(checks.ask("e3")).toBe(true);
  await screen.press("d").until(QUESTION);
  screen.press("y");
  await expect.poll(() => history.store.getState().entries[1]?.finalAction).toBe("3ds");
  await checks.load();
  expect(checks.store.getState().question).toBeNull();
});
