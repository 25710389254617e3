// In the built console on its own sandbox: fields typed and refused, the question of 3-D Secure, a sandbox that is killed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { testHome, testHomeOfTests } from "../../cli/verdict-process.ts";
import { asPaste, challenged, payment } from "./payments.ts";
import { KEY, readyConsole, rowsOf, sendNext } from "./stage.ts";

/** Pastes a payment and waits until it is composed: what is said about it is gone after some seconds. */
async function composed(terminal: Awaited<ReturnType<typeof readyConsole>>, pasted: object): Promise<void> {
  terminal.type(asPaste(pasted));
  await terminal.until((screen) =>
    screen.includes(`Order id     ${(pasted as { readonly order_id: string }).order_id}`),
  );
}

describe("the console on its own sandbox, further on", () => {
  const home = testHomeOfTests();

  it("goes on when its sandbox was killed in the middle of a session", async () => {
    const terminal = await readyConsole(home);
    // Not the payment of the last session, if that came back.
    await composed(terminal, payment("o-before"));
    await terminal.type(KEY.enter).until(/PASS +Continue/);
    const sandbox = JSON.parse(
      readFileSync(join(home.folder, "verdict", "state", "sandbox", "endpoint.json"), "utf8"),
    ) as { pid: number };
    process.kill(sandbox.pid, "SIGKILL");
    await composed(terminal, payment("o-after"));
    // The end of the sandbox is noticed before the request leaves, or by it: then the outcome is said as it is.
    const isAnswered = (screen: string): boolean =>
      screen.includes("PASS  Continue") && screen.includes("o-after  ");
    await sendNext(terminal, isAnswered);
    expect((await rowsOf(home, "o-after"))[0]).toMatchObject({ outcome: "answered", recommendation: "pass" });
  });
});

it("sends one payment while Enter is held, and none while it asks about 3-D Secure", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const terminal = await readyConsole(home);
  const hold = async (): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      terminal.type(KEY.enter);
      // As a keyboard repeats it.
      await delay(33);
    }
  };
  await composed(terminal, payment("o-held"));
  await hold();
  await terminal.until((screen) => screen.includes("PASS  Continue") && screen.includes("o-held  "));
  const sent = async (): Promise<number> => (await home.json("history --json")).length;
  const held = await sent();
  expect(await rowsOf(home, "o-held")).toHaveLength(1);

  await composed(terminal, challenged("o-asked"));
  await sendNext(terminal, (screen) => screen.includes("› Can 3-D Secure be forced for this payment?"));
  await hold();
  await terminal.until("Answer the 3-D Secure question first: y, n or Esc.");
  // A key answers only where it comes alone, and a busy console reads it together with the held ones.
  await vi.waitFor(
    () => {
      if (terminal.screen().includes("Final action:")) return;
      terminal.type("n");
      throw new Error(`Nothing was answered yet:\n${terminal.screen()}`);
    },
    { interval: 1_000, timeout: 60_000 },
  );
  expect(await sent()).toBe(held + 1);
});
