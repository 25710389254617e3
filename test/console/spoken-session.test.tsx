// Whole sessions as a screen reader hears them: what is said after each key, in words alone.

import "./colour.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ENGLISH } from "#src/display/audience-words.ts";
import { drawConsole } from "#screens/shell/draw.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { createKeyParser } from "#src/keys/key-parser.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { CheckFrame } from "#src/state/sandbox/demo.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { answer, intent } from "../storage/entries.ts";
import { createLook } from "#src/state/look.ts";
import { decisionOf, openDesk, type Desk, type DeskOptions } from "../captures/desk.tsx";
import type { Mounted } from "./harness.tsx";

const DECK = builtInDeck(BUILT_IN_DECKS[0]!);
const ENTER = "\r";
const ESC = "\u001b";
const TAB = "\t";
const CLEAR = "\u0015";

/** No sign of the vocabulary, no chart, no frame, no bracket around what is chosen or empty. */
const NO_PROSE = /(?![ -~])\p{S}|[·…›•[\]<>|~^`]/u;

/** The console for ears: `frame` is what was said since the last key. */
function hear(model: ConsoleModel): Mounted {
  let said = "";
  const drawn = drawConsole({
    model,
    stdout: { write: (text: string) => (said += text) } as unknown as NodeJS.WriteStream,
    stderr: process.stderr,
    color: false,
    look: createLook({ theme: "default", colors: {} }),
    bindings: BINDINGS,
    screenReader: true,
    onError: (error) => {
      throw error;
    },
    onSuspend: () => undefined,
    onEdit: () => undefined,
    onInterrupt: () => undefined,
  });
  const parser = createKeyParser((event, chunk) => drawn.give(event, chunk), undefined, true);
  const screen: Pick<Mounted, "frame" | "press" | "until"> = {
    frame: () => said,
    press(chunk) {
      expect(said).not.toMatch(NO_PROSE);
      said = "";
      parser.feed(chunk);
      return screen as Mounted;
    },
    async until(condition) {
      await expect.poll(() => said, { interval: 20 }).toMatch(condition as RegExp);
      return said;
    },
  };
  onTestFinished(() => {
    expect(said).not.toMatch(NO_PROSE);
    parser.dispose();
    void drawn.end();
  });
  return screen as Mounted;
}

const open = (options: DeskOptions = {}): Promise<Desk> => openDesk({ ...options, mounting: hear });

/** What a key says, once its last expected piece was said. */
async function after({ screen }: Desk, keys: string, last: string | RegExp): Promise<string> {
  const said = await screen.press(keys).until(last);
  return said;
}

// Times are said as local ones.
const zone = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "UTC";
});
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

/** A frame of a deck; the first two have the same verdict. */
function demoFrame(number: number): CheckFrame {
  const decision = decisionOf([12_000, 13_000, 98_000][number]!);
  const step = DECK.steps[0]!;
  const { request } = step.checks[0]!;
  const { recommendation, message } = decision;
  const result = answer({ recommendation, message });
  return {
    ...PLAIN_FRAME,
    index: number,
    total: 3,
    say: step.say,
    note: null,
    request,
    entries: [intent(`e${number}`, { request, result, explanation: decision })],
    attempts: 1,
    expected: recommendation,
    asExpected: true,
    finalAction: null,
    projectKey: "demo-shop/medium",
    riskLevel: "medium",
    virtualTime: DECK.startAt,
  };
}

/** Facts, each said exactly once. */
function once(said: string, ...facts: readonly string[]): void {
  for (const fact of facts) expect(said.split(fact).length - 1, `${fact} in\n${said}`).toBe(1);
}

describe("a session", () => {
  it("begins with the whole form, and then says what changed", async () => {
    const desk = await open();
    once(
      desk.screen.frame(),
      "Description, Order in the demo shop",
      "Selected: button Send check",
      "1 Check",
    );
    once(
      desk.screen.frame(),
      "PASS, 120.00 UAH, order 注文-9999, demo-shop/medium, final action continue, 3.4 ms",
    );
    const field = await after(desk, TAB, "Ctrl-R");
    once(field, "Selected: Operation, payment", "Payment, payout, recurring, refund, verification.");
    expect(field).not.toContain("Order id");
    await after(desk, TAB + TAB, "Selected: Amount");
    await after(desk, CLEAR, "amount is missing.");
    await after(desk, "1", "Selected");
    expect(await after(desk, "2", "Selected")).toBe("Selected: Amount, 12, 0.12 UAH\n");
    await after(desk, ESC, "Selected: button Send check");
    once(await after(desk, "'", "Press the letter"), "Amount, 12, 0.12 UAH");
    expect(await after(desk, ESC, "Selected")).toBe("Selected: button Send check\n");
  });

  it("says a verdict as a sentence, and a page over the form does not have it read again", async () => {
    const desk = await open();
    const sent = await after(desk, ENTER, "History, 1 of 31");
    once(sent, "Verdict: pass. Continue processing the transaction. Reason: No rule had an objection.");
    once(sent, "PASS", "120.00 UAH", "o-1041", "84 ms", "final action continue");
    once(
      await after(desk, "i", "What would flip it"),
      "Decided by, the score",
      "3-D Secure from 35, block from 75",
    );
    expect(await after(desk, ESC, "Selected")).toBe("Selected: button Send check\n");
  });

  it("says the question about 3-D Secure and what was answered", async () => {
    const desk = await open();
    await after(desk, TAB + TAB + TAB, "Selected: Amount");
    await after(desk, CLEAR, "missing");
    await after(desk, "26000", "260.00 UAH");
    await after(desk, ESC, "Selected");
    const asked = await after(desk, ENTER, "y yes");
    once(asked, "Verdict: 3-D Secure or block.", "final action open", "Selected: Can 3-D Secure be forced");
    expect(await after(desk, "y", "Final")).toContain("final action 3DS");
  });

  it("says each question with its answers, also for the second time", async () => {
    const desk = await open();
    await after(desk, "3", "Selected: demo-shop/medium");
    const question =
      "Question: Remove the credential of demo-shop/medium (key id key-2) for good? y remove, n no.";
    once(await after(desk, "d", question), question);
    await after(desk, "n", "Selected: demo-shop/medium");
    once(await after(desk, "d", question), question);
    desk.model.session.answer(false);
  });

  it("says of a list the selected row, with the names of its columns", async () => {
    const desk = await open();
    const history = await after(desk, "4", "All 30");
    once(history, "4 History", "PASS 12, BLOCK 4, 3DS 4, NOT PASS 2, UNKNOWN 4, REFUSED 2, NOT SENT 2");
    expect(history.match(/UAH|EUR|USD/g)).toHaveLength(1);
    expect(await after(desk, "j", "2 of 30")).toMatch(
      /Selected: .*, Order .*, final action .*, Project demo-shop/,
    );
    for (let row = 3; row <= 10; row += 1) {
      const said = await after(desk, "j", `${row} of 30`);
      if (said.includes("UNKNOWN")) expect(said).not.toContain("3-D Secure");
    }
    await after(desk, ENTER, "next tab");
    await after(desk, TAB, "tab Request");
    expect(await after(desk, ESC, "Selected")).not.toContain("All 30");
    const vault = "Selected: demo-shop/medium, Key id key-2, Registered";
    once(await after(desk, "3", vault), vault);
    await after(desk, "j", "all of company-1, Key id key-1");
    const register = await after(desk, "2", "Credential fetch in");
    once(
      register,
      "new-shop/low, Credential fetch in 2 minutes, Closes in 23 hours",
      "Merchant id, required",
    );
    await after(desk, "7", "Rule");
    await after(desk, "j", "Selected");
    await after(desk, "8", "Selected");
    await after(desk, "?", "Keys");
    await after(desk, ESC, "Selected");
    await after(desk, "P", "Find");
    await after(desk, ESC, "Selected");
    await after(desk, ":", "Find");
    await after(desk, ESC, "Selected");
    await after(desk, "5", "No replay");
    await after(desk, "1", "Check");
  });

  it("says of each step of a deck its sentence and its verdict, also where it is the same", async () => {
    const desk = await open();
    await after(desk, "6", "Demo: choose a deck");
    const shown = { deck: DECK, checks: 3, frames: [0, 1, 2].map(demoFrame) };
    const verdicts = ["Verdict: pass.", "Verdict: pass.", "Verdict: 3-D Secure or block."];
    for (const [index, verdict] of verdicts.entries()) {
      desk.screen.press("");
      desk.model.demo.store.setState({ ...shown, at: index + 1 });
      const said = await desk.screen.until(`Step ${index + 1} of 3`);
      once(said, `Step ${index + 1} of 3`, verdict, "A customer pays in the shop.");
    }
    desk.screen.press("");
    desk.model.demo.store.setState({ ...shown, at: 4 });
    once(
      await desk.screen.until("All 3 verdicts"),
      "the end",
      `Done: ${ENGLISH("as_expected", { all: 3 })}`,
      "3, 3DS",
    );
  });
});
