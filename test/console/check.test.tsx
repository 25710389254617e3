// Check as it is seen and typed into, at the sizes that people have.

import { styleText } from "node:util";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CheckScreen } from "#screens/check/check-screen.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { PageOver } from "#screens/shell/page-over.tsx";
import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { PAUSE_MS } from "#src/state/check/send-brake.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { openPage } from "#src/state/session.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Size } from "#src/ui/rows.ts";
import { challenge, checking, NOON, type Checking } from "../state/checking.ts";
import { mount, type Mounted, type MountOptions } from "./harness.tsx";
import { answered, type TestService } from "./test-context.ts";
import { explanationOf, traceOf } from "./samples.ts";

const ENTER = "\r";
const ESC = "\x1b";
const TAB = "\t";
const DOWN = "\x1b[B";
const CTRL_R = "\x12";

let desk: Checking;
let screen: Mounted;
let now = NOON;
const answers: TestService = {};

beforeEach(async () => {
  now = NOON;
  answers.now = () => now;
  delete answers.check;
  delete answers.explain;
  desk = await checking(answers);
});
afterEach(async () => {
  screen.unmount();
  await desk.remove();
});

function Check(size: Size): ReactNode {
  const page = openPage(useStore(desk.session.store));
  return page === undefined ? <CheckScreen {...size} /> : <PageOver page={page} {...size} />;
}

/** The area that the shell leaves: all but header and footer. */
function open(options: MountOptions = {}, others: Partial<ConsoleModel> = {}): void {
  const { columns = 80, rows = 22 } = options;
  const ascii = options.ascii ?? false;
  const model = { ...desk, now: () => now, ascii, ...others } as unknown as ConsoleModel;
  screen = mount(
    <ConsoleModelProvider value={model}>
      <Check columns={columns} rows={rows} />
    </ConsoleModelProvider>,
    { ...options, columns, rows, bindings: BINDINGS },
  );
}

/** Sends again, after a pause in which the verdict could be read. */
function sendNext(key: string = ENTER): void {
  now += PAUSE_MS;
  screen.press(key);
}

/** The row of the frame that holds a text. */
const row = (text: string | RegExp): string =>
  screen.lines().find((line) => (typeof text === "string" ? line.includes(text) : text.test(line))) ?? "";
/** The text of the newest frame without line breaks of the layout. */
const flowing = (): string => screen.frame().replaceAll(/\s+/g, " ");
/** The same of the left pane alone. */
const compose = (): string =>
  screen
    .lines()
    .map((line) => line.split("│")[0]!)
    .join(" ")
    .replaceAll(/\s+/g, " ");
const texts = (path: string): string => desk.composer.store.getState().fields[path]!.text;

/** Calls of the service that wait until they are answered. */
function holdAnswers(): { answer(result: CheckResult): void; aborted(): boolean } {
  let resolve: (result: CheckResult) => void = () => undefined;
  let signal: AbortSignal | undefined;
  answers.check = (_, given) =>
    new Promise((done) => {
      resolve = done;
      signal = given;
      const cancelled = (): void =>
        done(
          answered(null, {
            outcome: "unknown",
            reason: "cancelled",
            explanation: "You cancelled; the request may have arrived.",
            message: null,
          }),
        );
      // Esc may come while the intent is still being written.
      if (given?.aborted === true) cancelled();
      given?.addEventListener("abort", cancelled);
    });
  return { answer: (result) => resolve(result), aborted: () => signal?.aborted ?? false };
}

const rule = (text: string, change: Partial<RuleTrace> = {}): RuleTrace =>
  traceOf({ text, weight: 60, ...change });

function explanation(rules: readonly RuleTrace[], repeat: boolean = false): Explanation {
  return explanationOf({ at: NOON, projectId: "p", orderId: null, rules, ruleSetHash: "", repeat });
}

test("Enter sends at once: verdict, required reaction, strongest rule, latency and the row", async () => {
  answers.check = () => answered("block", { decisionId: "d-1", message: "Block" });
  answers.explain = () =>
    explanation([
      rule("6 attempts with this card in 1 h (limit 3)"),
      rule("would count", { mode: "shadow" }),
      rule("Another", { weight: 10 }),
    ]);
  open();
  expect(await screen.until("› Send check")).toMatch(/ {2}Amount {7}12000 +120\.00 UAH │/);
  await screen.press(ENTER).until("✖ BLOCK  Block further processing of the transaction.");
  expect(screen.frame()).toContain("+60  6 attempts with this card in 1 h (limit 3) (and 1 more: i)");
  expect(row("  Verdict ─")).toMatch(/o-\w{8} {2}120\.00 UAH {2}84 ms$/);
  expect(row("✖ BLOCK  1")).toMatch(/│ {2}\d\d:\d\d:\d\d {2}✖ BLOCK {2}120\.00 UAH/);
  expect(row("History ─")).toContain("1 of 1");
  // Red, by the role of the verdict; the reaction behind it goes on in bold.
  expect(screen.styledFrame()).toContain(styleText("red", "✖ BLOCK", { validateStream: false }));
});

test("i shows the whole decision of the check in view, and goes back where it was", async () => {
  answers.check = () => answered("block", { decisionId: "d-1", message: "Block" });
  const last = "The mailbox looks drawn by lot";
  answers.explain = () =>
    explanation([rule("6 attempts ".repeat(60)), ...Array.from({ length: 8 }, () => rule(last))]);
  open();
  expect(await screen.until("› Send check")).not.toContain("i why");
  screen.press(ENTER);
  // A reason that is too long loses its end, but not the way to the others.
  await screen.until("… (and 8 more: i)");
  expect(await screen.press("i").until("Why  o-")).not.toContain(last);
  await screen.press("G").until(last);
  await screen.press(ESC).until("› Send check");
});

test("an answer that the order id forced is not put down to a rule that hit", async () => {
  answers.check = () => answered("pass", { decisionId: "d-1", message: "Pass" });
  answers.explain = () => ({ ...explanation([rule("4 attempts with this card")]), decidedBy: "magic" });
  open();
  await screen.press(ENTER).until("Decided by the order id, regardless of the rules.");
  expect(screen.frame()).not.toContain("4 attempts");
});

test("an answer without an explanation shows the service's text, hidden characters seen", async () => {
  answers.check = () => answered("pass", { message: "o\u200bk" });
  open();
  expect(await screen.press(ENTER).until("✔ PASS  Continue processing")).toMatch(/⚠ o\S+k/);
  expect(screen.frame()).not.toContain("⚠ ok");
});

test("the form shows what is wrong beside the field and says it below; Send is disabled with the reason", async () => {
  open();
  await screen.press(DOWN + DOWN + DOWN).until("› Amount");
  await screen.press("\x7f\x7f5x").until("1205x");
  expect(row("› Amount")).toContain("✖");
  expect(compose()).toContain("✖ amount must be a whole number from 0 to 9007199254740991.");
  await screen.press(ENTER).until("› Currency");
  expect(compose()).toContain("UAH, 2 decimals, Hryvnia. ISO 4217 number of the currency");
  const wrong = await screen.press(ESC).until("› Send check ✖ disabled");
  expect(wrong).toContain("Correct the payment, then Enter sends it");
  expect(compose()).toContain("✖ amount must be a whole number from 0 to 9007199254740991.");
  screen.press(ENTER + CTRL_R);
  expect(desk.checks.store.getState()).toMatchObject({ inFlight: null, entries: [] });
  // Esc has thrown nothing away.
  expect(texts("amount")).toBe("1205x");
});

test("letters are commands on Send and text in a field; warnings do not keep it from being sent", async () => {
  open();
  const order = texts("order_id");
  await screen.press("f").until(() => texts("order_id") !== order);
  await screen.press(TAB).until("› Operation");
  screen.press("\x15");
  await screen.press("djkfsu").until("djkfsu");
  screen.press("\x15");
  await screen.press(ESC).until("! operation is missing.");
  expect(await screen.press(ENTER).until("✔ PASS")).toContain("! operation is missing.");
});

test("all fields are in view, and with fewer rows the window follows the focus to the last and back", async () => {
  open({ rows: 23 });
  await screen.until("Nothing is missing.");
  expect(row("Compose")).toMatch(/Compose ━+ │/);
  expect(screen.frame()).toContain("Expiry");
  screen.unmount();
  open({ rows: 17 });
  expect(await screen.until(/↓ \d/)).not.toContain("Expiry");
  await screen.press("\x1b[A").until("› Expiry");
  expect(row("Compose")).toMatch(/↑ \d/);
  await screen.press(TAB).until("› Send check");
  expect(row("Compose")).toMatch(/↑ \d/);
  await screen.press(TAB).until("› Operation");
});

test("month and year of the card share a row with one meaning, and both can be edited", async () => {
  open();
  await screen.press("\x1b[A").until("› Expiry");
  expect(row("Expiry")).toMatch(/^› Expiry +09\/29 +end of 09\/2029 │/);
  await screen.press("\x1531").until("09/31");
  expect(row("Expiry")).toMatch(/end of 09\/2031 │/);
  screen.press("\x1b[A");
  await screen.press("\x151").until("› Expiry       1 /31");
  expect(row("Expiry")).toMatch(/end of 01\/2031 │/);
  await screen.press("3").until("✖ Expiry month");
  expect(row("Expiry")).toMatch(/^› Expiry +13 \/31 +✖ .*│/);
  expect(desk.composer.toRequest().card).toMatchObject({ expiration_year: 31 });
});

test("a value that is longer than its column is whole below the fields while it is edited", async () => {
  open();
  desk.composer.focus("payer.email");
  await screen.until("› E-mail");
  expect(row("› E-mail")).toMatch(/^› E-mail +….*example/);
  expect(compose().replaceAll(" ", "")).toContain("sentas42olena.kovalenko@shop-customer.exampleSendcheck");
});

test.each([
  [60, 20],
  [80, 22],
  [120, 38],
  [200, 58],
])("at %ix%i the meanings end at one edge, with a blank before the divider", async (columns, rows) => {
  open({ columns, rows });
  desk.composer.focus("amount");
  desk.composer.key("ctrl+u");
  desk.composer.enter("9999999");
  await screen.until("9999999 ");
  const left = (text: string): string => row(text).split("│")[0]!;
  expect(left("› Amount")).toMatch(columns < 76 ? /99 999\.99 UAH$/ : /99 999\.99 UAH $/);
  expect(left("Currency")).toMatch(/980 +UAH, 2 decimals/);
  expect(left("Currency").trimEnd()).toHaveLength(left("› Amount").trimEnd().length);
});

test("while it is sent a timer runs; Esc cancels, and the outcome is unknown and says so", async () => {
  const service = holdAnswers();
  open();
  expect(await screen.press(ENTER).until(/no answer yet\.\n +0\.0 s/)).toContain("Sending");
  await screen.until(/:00 +… SENDING/);
  now += 400;
  await screen.until(/no answer yet\.\n +0\.4 s/);
  await screen.press(ESC).until("? UNKNOWN  No trustworthy answer came");
  expect(service.aborted()).toBe(true);
  expect(screen.frame()).toContain("You cancelled; the request may have arrived.");
  expect(screen.frame()).not.toContain("PASS");
  await screen.until((frame) => frame.replaceAll(/\s+/g, " ").includes("another attempt"));
});

test("a check whose outcome is unknown is sent again with a, once, linked to it", async () => {
  answers.check = async () =>
    answered(null, { outcome: "unknown", reason: "cut", explanation: "It was cut.", message: null });
  open();
  await screen.press(ENTER).until("a sends the payment again as another attempt.");
  const first = desk.checks.store.getState().entries[0]!;
  // The session's messages keep what has no outcome.
  expect(desk.session.store.getState().messages.at(-1)?.text).toBe(`${first.request.order_id}: It was cut.`);
  delete answers.check;
  sendNext("a");
  await screen.until("✔ PASS  Continue");
  await screen.until("Nothing is missing.");
  const [second] = desk.checks.store.getState().entries;
  expect(second).toMatchObject({ repeats: first.id, request: first.request, project: first.project });
  // The first one is still unknown, and was sent again already.
  await screen.press("jj").until("Selected");
  expect(await screen.until("? UNKNOWN  No trustworthy answer")).not.toContain("a sends the payment again");
  screen.press("a");
  await screen.press("k").until("✔ PASS  Continue");
  expect(desk.checks.store.getState().entries).toHaveLength(2);
});

test("Ctrl-R sends from a field, which it leaves", async () => {
  answers.check = challenge;
  open();
  await screen.press(TAB + TAB).until("› Order id");
  const typed = texts("order_id");
  await screen.press(CTRL_R).until("› Can 3-D Secure");
  screen.press("x");
  expect(desk.composer.store.getState().focus).toBe("submit");
  await screen.press("y").until("Final action: Send to 3-D Secure.");
  expect(desk.checks.store.getState().entries[0]!.request.order_id).toBe(typed);
});

test("Esc in a field cancels a check first and leaves the field afterwards", async () => {
  holdAnswers();
  open();
  await screen.press(ENTER).until("no answer yet");
  await screen.press(TAB + TAB).until("› Order id");
  expect(await screen.press(ESC).until("? UNKNOWN")).toContain("› Order id");
  await screen.press(ESC).until("› Send check");
});

test("the question names its project where another one is in use, and the rows of it are marked", async () => {
  answers.check = challenge;
  open();
  await screen.press(ENTER).until("› Can 3-D Secure be forced for this payment?");
  desk.session.setProject("shop-two/high");
  await screen.until("› Can 3-D Secure be forced for this payment of demo-shop/medium?");
  expect(row("≠ other")).toContain("History");
  expect(row("◆ 3DS ?")).toContain("│≠ 12:00:00");
  desk.session.setProject("demo-shop/medium");
  await screen.until((frame) => !frame.includes("≠"));
});

test.each([
  [60, 18, 0],
  [80, 22, 0],
  [120, 36, 3],
  [200, 57, 5],
])("at %ix%i a block that was decided is told as loudly as the verdict", async (columns, rows, high) => {
  answers.check = challenge;
  open({ columns, rows });
  await screen.press(ENTER).until("› Can 3-D Secure");
  await screen.press("n").until("Final action: Block further processing.");
  const [label = ""] = screen.styledFrame().match(/.*✖ BLOCK.*/) ?? [];
  expect(label).toContain("\u001b[31m✖ BLOCK");
  expect(leftText()).toContain("◆ 3DS → ✖ BLOCK Final action: Block further processing.");
  // Both words in letters of one size, each in its colour.
  const letters = screen
    .styledFrame()
    .split("\n")
    .filter((line) => /\[33m[█▀▄ ]+.*\[31m[█▀▄ ]+/.test(line));
  expect(letters).toHaveLength(high);
  await screen.press("i").until(/◆ 3DS → ✖ BLOCK {2}120\.00 UAH/);
  for (const line of screen.lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
});

test("an operation that is none of the usual ones is said to be so, and sent", async () => {
  open();
  await screen.press(TAB).until("› Operation");
  await screen.press("\x15paymnt").until("is not one of payment,");
  await screen.press(ESC).until("› Send check");
  expect(compose()).toContain(
    "operation is not one of payment, payout, recurring, refund, verification; it is …",
  );
  expect(compose()).not.toContain("Nothing is missing");
  await screen.press(ENTER).until("✔ PASS");
  expect(desk.checks.store.getState().entries[0]).toMatchObject({
    request: { operation: "paymnt" },
    warnings: [],
  });
});

test("the question can wait: Esc leaves the row open, d asks again", async () => {
  answers.check = challenge;
  open();
  await screen.press(ENTER).until("› Can 3-D Secure");
  await screen.press(ESC).until("d decides.");
  answers.check = () => answered("pass");
  sendNext();
  await screen.until("✔ PASS  Continue");
  await screen.press("jj").until("Open: Can 3-D Secure");
  await screen.press("d").until("› Can 3-D Secure");
  await screen.press("y").until("Final action: Send to 3-D Secure.");
});

test("Enter and Ctrl-R send nothing while the question stands, in a field neither", async () => {
  answers.check = challenge;
  open();
  await screen.press(ENTER).until("› Can 3-D Secure");
  now += 60_000;
  await screen.press(ENTER + CTRL_R + TAB + CTRL_R).until("Esc, then y or n");
  await screen.press(ESC).until("› Can 3-D Secure");
  await screen.press("y").until("Final action: Send to 3-D Secure.");
  expect(desk.checks.store.getState().entries).toHaveLength(1);
});

test("a lost check of another project is sent again only after a question, and No sends nothing", async () => {
  answers.check = () => answered(null, { outcome: "unknown", message: null, explanation: "Lost." });
  open();
  await screen.press(ENTER).until("? UNKNOWN");
  desk.session.setProject("shop-two/high");
  const { store } = desk.session;
  const ask = async (): Promise<void> => {
    sendNext("a");
    await expect.poll(() => store.getState().dialog?.text).toMatch(/demo-shop\/medium.*shop-two\/high/);
  };
  await ask();
  desk.session.answer(false);
  await expect.poll(() => store.getState().dialog).toBeNull();
  expect(store.getState().project).toBe("shop-two/high");
  expect(desk.checks.store.getState().entries).toHaveLength(1);
  await ask();
  desk.session.answer(true);
  await expect.poll(() => desk.checks.store.getState().entries).toHaveLength(2);
  expect(store.getState().project).toBe("demo-shop/medium");
});

test("letters typed into a field are no answer to a question that comes meanwhile", async () => {
  const service = holdAnswers();
  open();
  await screen.press(ENTER).until(/:00 +… SENDING/);
  await screen.press(TAB).until("› Operation");
  service.answer(challenge());
  await screen.until("Esc, then y or n");
  await screen.press("y").until("paymenty");
  expect(desk.checks.store.getState().entries[0]!.finalAction).toBeNull();
  await screen.press(ESC).until("› Can 3-D Secure");
  await screen.press("n").until("Final action: Block further processing.");
});

test("sending unchanged says that it is a repeat", async () => {
  open();
  await screen.press(ENTER).until("✔ PASS");
  await screen.until("Nothing is missing.");
  await screen.press("o").until(() => compose().includes("the service may repeat its answer"));
  answers.check = () => answered("pass", { decisionId: "d-1" });
  answers.explain = () => explanation([], true);
  sendNext();
  await screen.until("Repeat: the stored answer. No rule had an objection.");
});

test.each([
  [80, 22],
  [60, 18],
  [60, 14],
  [100, 28],
  [160, 40],
  [200, 58],
])("at %ix%i every row fits, and nothing important is cut", async (columns, rows) => {
  answers.check = challenge;
  open({ columns, rows });
  await screen.press(ENTER).until("Can 3-D Secure");
  const lines = screen.lines();
  expect(lines.length).toBeLessThanOrEqual(rows);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  const frame = flowing();
  expect(leftText()).toContain(
    "◆ 3DS Send the transaction to 3-D Secure; if 3-D Secure cannot be forced, block further",
  );
  expect(leftText()).toContain("› Can 3-D Secure be forced for this payment?");
  // Below, History is left to its own screen.
  if (columns >= 76) expect(frame).toMatch(columns < 200 ? /◆ 3DS \? 120\.00 UAH/ : /120\.00 UAH .*? open/);
  expect(frame).toContain("Send check answer first");
  expect(frame.includes("Request ─")).toBe(columns >= 140);
  if (columns >= 140) expect(screen.frame()).toContain('"payer_ip": "91.198.36.14"');
});

/** What stands left of the first divider, without the big letters. */
function leftText(): string {
  const left = screen.lines().map((line) => line.split("│", 1)[0]);
  return left
    .join(" ")
    .replaceAll(/[█▀▄]+/g, " ")
    .replaceAll(/\s+/g, " ");
}

test.for([
  [100, 30],
  [120, 40],
  [200, 60],
])(
  "at %ix%i every outcome has its card, which keeps its place while a check is under way",
  async ([columns, rows]) => {
    open({ columns, rows });
    const place = (): number => screen.lines().findIndex((line) => line.startsWith("  Verdict ─"));
    await screen.until("Enter sends this payment");
    const at = place();
    for (const [outcome, word] of [
      ["not_sent", "○ NOT SENT"],
      ["refused", "⊘ REFUSED"],
      ["indeterminate", "! NOT PASS"],
      ["unknown", "? UNKNOWN"],
    ] as const) {
      const answer = Promise.withResolvers<CheckResult>();
      answers.check = () => answer.promise;
      sendNext();
      await screen.until("no answer yet");
      expect(place()).toBe(at);
      answer.resolve(
        answered(null, { outcome, message: null, explanation: `This is what happened to ${outcome}.` }),
      );
      await screen.until(word);
      await screen.until(() => leftText().includes(`Why This is what happened to ${outcome}.`));
      expect(screen.frame()).toMatch(/[█▀▄]{2}/);
      expect(leftText()).toMatch(/do not continue (?:without|on)/);
      expect(place()).toBe(at);
    }
  },
);

test.for([
  [80, 21],
  [80, 18],
  [98, 21],
])(
  "at %ix%i the button and the verdict keep their rows from one state to the next",
  async ([columns, rows]) => {
    const long =
      "nothing listens at 127.0.0.1:4600: check the address of the profile, and that the service runs.";
    const failing = (outcome: "not_sent" | "unknown"): CheckResult =>
      answered(null, { outcome, message: null, explanation: long });
    open({ columns, rows });
    await screen.until("› Send check");
    const places = (): number[] =>
      [/^[› ] Send check/, /^ {2}(?:Verdict|Last check) ─/].map((text) =>
        screen.lines().findIndex((line) => text.test(line)),
      );
    const before = places();
    expect(before).not.toContain(-1);
    for (const [result, shown] of [
      [answered("block", { decisionId: null, message: long }), "✖ BLOCK"],
      [failing("not_sent"), "○ NOT SENT"],
      [failing("unknown"), "? UNKNOWN"],
      [answered("pass", { decisionId: null }), "✔ PASS"],
    ] as const) {
      answers.check = () => result;
      sendNext();
      await screen.until((frame) => frame.includes(`  ${shown}  `) && frame.includes("› Send check"));
      expect([shown, ...places()]).toEqual([shown, ...before]);
    }
    await screen.press(DOWN.repeat(3)).until("› Amount");
    expect(["a field", ...places()]).toEqual(["a field", ...before]);
    await screen.press("x").until("amount must be a whole number");
    expect(["wrong", ...places()]).toEqual(["wrong", ...before]);
    await screen.press("\x7f").until((frame) => !frame.includes("must be"));
    answers.check = challenge;
    sendNext(CTRL_R);
    await screen.until("Can 3-D Secure be forced");
    expect(["3DS", ...places()]).toEqual(["3DS", ...before]);
    await screen.press(ESC).until("› Can 3-D Secure be forced");
    expect(["question", ...places()]).toEqual(["question", ...before]);
  },
);

test.for([
  [80, 21],
  [119, 37],
])("at %ix%i letters for a jump hide no field that was seen", async ([columns, rows]) => {
  open({ columns, rows });
  await screen.until("› Send check");
  const fields = (): string[] => compose().match(/Operation|Amount|Holder|BIN|Last four|Expiry/g)!;
  const seen = fields();
  await screen.press("'").until("Press the letter of a field");
  expect(fields()).toEqual(seen);
  desk.composer.focus("operation");
  await screen.until("› Operation");
  // Where there is room for it, the message of a field hides no other field, either.
  if (rows === 37) expect(fields()).toEqual(seen);
});

test("a card has every reason with its points, and or else what the service says", async () => {
  answers.check = () => answered("block", { decisionId: "d-1", message: "Block" });
  answers.explain = () => ({
    ...explanation(
      Array.from({ length: 9 }, (_, index) => rule(`Reason number ${index}`, { values: { index } })),
    ),
    flips: [{ what: "amount", from: 120, to: 1, recommendation: "pass", text: "With 1.00 UAH." }],
  });
  open({ columns: 200, rows: 60 });
  await screen.until("› Send check");
  await screen.press(ENTER).until("Reason number 8");
  for (let index = 0; index < 9; index += 1) {
    expect(screen.frame()).toMatch(new RegExp(`\\+60 .*Reason number ${index}`));
  }
  // Compared values are code, for the whole decision alone; what would flip it has room.
  expect(screen.frame()).not.toContain("index = ");
  expect(screen.frame()).toMatch(/What would flip it/);
  expect(screen.frame()).toMatch(/✔ PASS +With 1\.00 UAH/);
  answers.check = () => answered("pass", { decisionId: null, message: "Proceed", httpStatus: 200 });
  sendNext();
  expect(await screen.until(/Why[ │\n]+Proceed/)).not.toMatch(/Message +Proceed/);
  expect(screen.frame()).toMatch(/Answered +HTTP 200 in 84 ms, attempt 1/);
});

test("every outcome has its word, its reaction and its reason whole at 60 columns", async () => {
  open({ columns: 60, rows: 18 });
  for (const [outcome, word] of [
    ["not_sent", "○ NOT SENT"],
    ["refused", "⊘ REFUSED"],
    ["indeterminate", "! NOT PASS"],
    ["unknown", "? UNKNOWN"],
  ] as const) {
    answers.check = () =>
      answered(null, {
        outcome,
        message: null,
        explanation: `This is what happened to ${outcome}, and this is what to do about it now.`,
      });
    sendNext();
    await screen.until(`${word}  `);
    await screen.until((frame) =>
      frame.replaceAll(/\s+/g, " ").includes(`happened to ${outcome}, and this is what to do about it now.`),
    );
    expect(flowing()).toMatch(/do not continue (?:without|on)/);
  }
});

test("without Unicode every sign is ASCII", async () => {
  answers.check = challenge;
  open({ ascii: true });
  await screen.press(ENTER).until("* 3DS ?");
  await screen.press("n").until("* 3DS no");
  await screen.press(DOWN + DOWN + DOWN + "x").until("x amount must be");
  // oxlint-disable-next-line no-control-regex
  expect(screen.frame()).toMatch(/^[\x0a\x20-\x7e]*$/);
});

test("without colour nothing is lost but colour", async () => {
  open({ color: false });
  expect(await screen.press(ENTER).until("✔ PASS  Continue")).toContain("› [ Send check ]");
});

test("a send that fails takes the verdict before it away, and says so until the next one", async () => {
  open();
  await screen.press(ENTER).until("✔ PASS  Continue");
  expect(row("  Verdict ─")).toContain("84 ms");
  const vault = await desk.context.vault();
  for (const { id } of vault.list()) await vault.remove(id);
  sendNext();
  await screen.until("○ NOT SENT  Nothing was sent; do not continue without a recommendation.");
  expect(flowing()).toContain(
    "demo-shop/medium has no credential here; press 2 to fetch it or 3 to enter it.",
  );
  expect(screen.frame()).not.toContain("PASS  Continue");
  desk.session.dismissToasts();
  await screen.until("○ NOT SENT");
  // A row that is looked at is named as what it is.
  await screen.press("g").until("  Selected ─");
  expect(row("  Selected ─")).toMatch(/o-\w{8} {2}\d\d:\d\d:\d\d {2}120\.00 UAH {2}84 ms$/);
  expect(screen.frame()).not.toContain("  Verdict ─");
});

test("without a project Send is disabled and says where to get one", async () => {
  desk.session.setProject(null);
  open();
  // Before anybody has looked, nothing is claimed.
  await screen.until("The project is not ready yet");
  await desk.checks.load();
  await screen.until("› Send check ✖ disabled");
  // Once, in the place of the verdict.
  expect(flowing().split("No project has a credential yet; press 2 to register one")).toHaveLength(2);
  expect(compose()).toContain("Nothing can be sent yet.");
  screen.press(ENTER + CTRL_R);
  await screen.press("f").until("› Send check");
  expect(desk.checks.store.getState()).toMatchObject({ inFlight: null, failed: null, entries: [] });
  desk.session.setProject("demo-shop/medium");
  await screen.until((frame) => !frame.includes("disabled"));
  await screen.press(ENTER).until("✔ PASS  Continue");
});

test.each([
  [80, 22],
  [140, 38],
])("a verdict is set back at %i x %i while the form holds another payment", async (columns, rows) => {
  open({ columns, rows });
  expect(await screen.press(ENTER).until("PASS")).toContain("Verdict ─");
  desk.composer.focus("amount");
  desk.composer.key("ctrl+u");
  desk.composer.enter("4900000");
  expect(await screen.until(/Last check ─.*120\.00 UAH/)).not.toContain("Verdict ─");
  const word = screen
    .styledFrame()
    .split("\n")
    .map((line) => line.split("│")[0]!)
    .filter((line) => line.includes("Continue processing"));
  expect(word).not.toEqual([]);
  for (const line of word) expect(line).not.toContain("\u001b[32m");
  desk.composer.key("ctrl+u");
  desk.composer.enter("12000");
  await screen.until("Verdict ─");
  desk.composer.focus("submit");
  desk.session.setProject("other/low");
  await screen.until("Last check for demo-shop/medium");
});

/** The places that have a pointer, each with what it points at. */
const pointed = (): string[] => screen.frame().match(/›.{0,12}/g) ?? [];

/** Two checks, of which the older one is blocked. */
async function sendTwo(options: MountOptions): Promise<void> {
  answers.check = () => answered("block");
  answers.explain = () => explanation([rule("6 attempts with this card in 1 h (limit 3)")]);
  open(options);
  await screen.press(ENTER).until("BLOCK");
  now += 1_000;
  answers.check = () => answered("pass");
  sendNext();
  await expect.poll(() => desk.checks.store.getState().entries[0]?.result?.recommendation).toBe("pass");
  await screen.until(/[›>] (?:\[ )?Send check/);
}

test.each([
  ...["j", "jj", "G", "\x1b[6~", "\x04", "jk", "k", "g", "\x1b[<65;70;4M"].map(
    (keys) => [keys, { columns: 80, rows: 22 }] as const,
  ),
  ["jj", { columns: 60, rows: 14 }],
  ["jj", { columns: 60, rows: 30 }],
  ["jj", { columns: 120, rows: 38 }],
  ["jj", { columns: 200, rows: 58 }],
  ["jj", { columns: 80, rows: 22, color: false }],
  ["jj", { columns: 80, rows: 22, color: false, ascii: true }],
] as const)(
  "after %j Enter opens the check that is pointed at, and sends nothing at %j",
  async (keys, options) => {
    const sign = "ascii" in options ? ">" : "›";
    await sendTwo(options);
    await screen.press(keys).until((frame) => !new RegExp(`${sign} (?:\\[ )?Send check`).test(frame));
    const { selectedId, entries } = desk.checks.store.getState();
    const entry = entries.find(({ id }) => id === selectedId)!;
    if (keys === "j") expect(entry).toBe(entries[0]);
    const word = entry === entries[0] ? "PASS" : "BLOCK";
    const lines = screen.frame().split("\n");
    expect(lines.filter((line) => new RegExp(`(?:^|[│|])${sign}`).test(line))).toEqual([
      expect.stringMatching(new RegExp(`${sign} +[\\d:]+ +. ${word}`)),
    ]);
    const hasForm = options.rows > 14;
    expect(compose().includes("Esc, then Enter")).toBe(hasForm);
    await screen.press(ENTER).until(`Why  ${entry.request.order_id!}`);
    await screen.press(ESC).until((frame) => !frame.includes("Why  o-"));
    await screen.press(ENTER).until(`Why  ${entry.request.order_id!}`);
    await screen.press(ESC).until(hasForm ? "Esc, then Enter" : "History");
    await screen.press(ESC).until(new RegExp(`${sign} (?:\\[ )?Send check`));
    expect(desk.checks.store.getState().entries).toHaveLength(2);
    now += PAUSE_MS;
    screen.press(ENTER);
    await expect.poll(() => desk.checks.store.getState().entries.length).toBe(3);
  },
);

test("in the history arrows walk, letters act on the row, and Ctrl-R sends and goes back to Send", async () => {
  const copied = vi.fn<(entry: unknown) => void>();
  await sendTwo({});
  screen.unmount();
  open({}, { history: { askCopy: copied } as unknown as ConsoleModel["history"] });
  await screen.until("› Send check");
  await screen.press("g").until(/› .*✔ PASS/);
  await screen.press(DOWN).until(/› .*✖ BLOCK/);
  screen.press("y");
  expect(copied.mock.calls[0]![0]).toMatchObject({ id: desk.checks.store.getState().entries[1]!.id });
  await screen.press("\x1b[A").until(/› .*✔ PASS/);
  now += PAUSE_MS;
  answers.check = challenge;
  await screen.press(CTRL_R).until("› Can 3-D Secure");
  expect(pointed()).toHaveLength(1);
});

test("an answer that asks takes the keys from the history", async () => {
  const service = holdAnswers();
  open();
  await screen.press(ENTER).until(/:00 +… SENDING/);
  await screen.press("j").until(/› *12:/);
  service.answer(challenge());
  await screen.until("› Can 3-D Secure");
  expect(pointed()).toHaveLength(1);
  await screen.press("n").until("Final action: Block further processing.");
});

test("in the history Esc cancels a check under way", async () => {
  holdAnswers();
  open();
  await screen.press(ENTER).until(/:00 +… SENDING/);
  await screen.press("j").until(/› *12:/);
  await screen.press(ESC).until("? UNKNOWN");
});
