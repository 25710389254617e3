// In the built console on its own sandbox: fields typed and refused, the question of 3-D Secure, a sandbox that is killed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { asPaste, challenged, payment } from "./payments.ts";
import { COLOR, KEY, readyConsole, rowsOf, sendNext } from "./stage.ts";

/** Pastes a payment and waits until it is composed: what is said about it is gone after some seconds. */
async function composed(terminal: Awaited<ReturnType<typeof readyConsole>>, pasted: object): Promise<void> {
  terminal.type(asPaste(pasted));
  await terminal.until((screen) =>
    screen.includes(`Order id     ${(pasted as { readonly order_id: string }).order_id}`),
  );
}

describe("the console on its own sandbox, further on", () => {
  let home: TestHome;
  beforeAll(() => void (home = testHome()));
  afterAll(() => home.remove());

  it("goes through the fields with Tab, edits amount and currency with their hints, and sends from the field", async () => {
    const terminal = await readyConsole(home);
    await terminal.type(KEY.tab + KEY.tab).until("› Order id");
    await terminal.type(`${KEY.clear}o-typed${KEY.tab}`).until("› Amount");
    await terminal.type(`${KEY.clear}12x`).until(/› Amount +12x +✖/);
    await terminal.type(KEY.sendAnywhere).until((screen) => screen.split("\n").at(-2)!.includes("amount"));
    await terminal.type("\x7f\x7f\x7f4999").until(/› Amount +4999 +49\.99 UAH/);
    terminal.type(`${KEY.tab}${KEY.clear}EUR`);
    await terminal.until(/› Currency +EUR +2 decimals|› Currency +EUR +EUR/);
    await terminal.until(/ Amount +4999 +49\.99 EUR/);
    await terminal.type(KEY.sendAnywhere).until(/✔ PASS +49\.99 EUR/);
    expect((await rowsOf(home, "o-typed"))[0]).toMatchObject({ outcome: "answered", recommendation: "pass" });
    await terminal.type(KEY.esc).until("› Send check");
  });

  it("refuses a paste and a field with a card number, and sends neither", async () => {
    const terminal = await readyConsole(home);
    terminal.type(asPaste({ ...payment("o-card"), description: "card 4111 1111 1111 1111" }));
    const refused = await terminal.until("full card number");
    expect(refused).not.toContain("o-card");
    terminal.type(`${KEY.tab}${KEY.tab}${KEY.clear}o-card${KEY.tab.repeat(3)}${KEY.clear}4111111111111111`);
    await terminal.until(/› Description.*✖/);
    terminal.type(KEY.sendAnywhere);
    // The whole sentence, with what to do, above the keys.
    await terminal.until((screen) =>
      /full card number.*\n.*cin_card instead\.\s*\n.*F1 help\s*$/.test(screen),
    );
    expect(await rowsOf(home, "o-card")).toEqual([]);
  });

  it.each([
    ["y", "o-forced", "3ds", /◆ 3DS +yes/],
    ["n", "o-stopped", "block", /◆ 3DS +no/],
  ])("asks whether 3-D Secure can be forced, and records the answer %s", async (key, order, action, word) => {
    const terminal = await readyConsole(home);
    await composed(terminal, challenged(order));
    await terminal.type(KEY.enter).until("Can 3-D Secure be forced for this payment?");
    expect(terminal.look("◆ 3DS  Send")).toMatchObject({ color: COLOR.yellow, bold: true });
    const decided = await terminal.type(key).until("Final action:");
    expect(decided).toMatch(word);
    expect((await rowsOf(home, order))[0]).toMatchObject({
      recommendation: "3ds_or_block",
      final_action: action,
    });
  });

  it("leaves the question open for later, and takes the answer then", async () => {
    const terminal = await readyConsole(home);
    await composed(terminal, challenged("o-later"));
    await terminal.type(KEY.enter).until("› Can 3-D Secure be forced for this payment?");
    await terminal.type(KEY.esc).until("Open: Can 3-D Secure be forced for this payment? d decides.");
    expect((await rowsOf(home, "o-later"))[0]).toMatchObject({ final_action: null });
    await terminal.type("d").until("› Can 3-D Secure be forced for this payment?");
    await terminal.type("y").until("Final action:");
    expect((await rowsOf(home, "o-later"))[0]).toMatchObject({ final_action: "3ds" });
  });

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
