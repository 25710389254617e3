// From an empty home to verdicts and back into the history, in the built console on its own sandbox.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { COLOR, KEY, openConsole, pasted, READY, readyConsole, rowsOf } from "./stage.ts";

/** A payment whose payer and card nobody has seen before, so that no counter of the sandbox objects. */
function payment(order_id: string) {
  const number = (payers += 1);
  return {
    operation: "payment",
    order_id,
    amount: 12_000,
    currency: 980,
    description: "Two books",
    payer: {
      payer_ip: `91.198.${number}.14`,
      email: `payer${number}@shop-customer.example`,
      payer_id: `c-${number}`,
    },
    card: {
      holder: `OLENA KOVALENKO ${"ABCDEFGHIJ"[number]}`,
      bin_card: 444433,
      cin_card: 1000 + number,
      expiration_month: 9,
      expiration_year: 40,
    },
  };
}
let payers = 0;
/** What the starter rules answer with 3-D Secure. */
function challenged(order_id: string): object {
  const usual = payment(order_id);
  return { ...usual, payer: { ...usual.payer, email: "x@mailinator.com" } };
}
const asPaste = (request: object): string => pasted(JSON.stringify(request, null, 2));

// One home for all of them, in this order: its first start takes the seconds that a first credential takes.
describe("the console on its own sandbox", () => {
  let home: TestHome;
  beforeAll(() => void (home = testHome()));
  afterAll(() => home.remove());

  it("makes a project ready on an empty home, with the focus on Send and a hint of three lines", async () => {
    const terminal = openConsole(home);
    const first = await terminal.until("Preparing the project demo-shop/medium");
    expect(first.split("\n").slice(1, 5)).toEqual([
      expect.stringContaining("sandbox; no real payment"),
      expect.stringContaining("Enter sends the check"),
      expect.stringContaining("4 finds it again"),
      expect.stringContaining("─ Compose ─"),
    ]);
    expect(first).toContain("The project is being prepared; Enter sends this payment when it is ready.");
    // Pressed too early, Enter says so and sends nothing.
    terminal.type(KEY.enter);
    await terminal.until((screen) => screen.split("\n").at(-2)!.includes("The project is being prepared;"));
    const ready = await terminal.until(READY);
    expect(ready).toContain("SANDBOX   demo-shop/medium");
    expect(ready).toContain("›[ Send check ]");
    expect(ready).not.toContain("Preparing");

    terminal.type(KEY.enter);
    const answered = await terminal.until("✔ PASS  Continue processing the transaction.");
    expect(answered).not.toContain("no real payment");
    expect(terminal.look("✔ PASS  Continue")).toMatchObject({ color: COLOR.green, bold: true });
    terminal.type("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("1 check was sent in this session; the history is kept in ");
  });

  it("goes through the fields with Tab, edits amount and currency with their hints, and sends from the field", async () => {
    const terminal = await readyConsole(home);
    terminal.type(KEY.tab + KEY.tab);
    await terminal.until("›Order id");
    terminal.type(`${KEY.clear}o-typed${KEY.tab}`);
    await terminal.until("›Amount");
    terminal.type(`${KEY.clear}12x`);
    await terminal.until(/›Amount +12x +✖/);
    terminal.type(KEY.sendAnywhere);
    await terminal.until((screen) => screen.split("\n").at(-2)!.includes("amount"));
    terminal.type("\x7f\x7f\x7f4999");
    await terminal.until(/›Amount +4999 +49\.99 UAH/);
    terminal.type(`${KEY.tab}${KEY.clear}EUR`);
    await terminal.until(/›Currency +EUR +2 decimals|›Currency +EUR +EUR/);
    await terminal.until(/ Amount +4999 +49\.99 EUR/);
    terminal.type(KEY.sendAnywhere);
    await terminal.until(/✔ PASS +49\.99 EUR/);
    expect((await rowsOf(home, "o-typed"))[0]).toMatchObject({ outcome: "answered", recommendation: "pass" });
    terminal.type(KEY.esc);
    await terminal.until("›[ Send check ]");
  });

  it("takes a pasted payload whole, and says what it is", async () => {
    const terminal = await readyConsole(home);
    // Cut where networks cut: in the mark, and in the text.
    const whole = asPaste({ ...payment("o-pasted"), amount: 98_000 });
    terminal.type(whole.slice(0, 3));
    terminal.type(whole.slice(3, 60));
    terminal.type(whole.slice(60));
    await terminal.until(/Amount +98000 +980\.00 UAH/);
    await terminal.until("The pasted payload is ready to send; u brings the previous one back.");
    terminal.type(KEY.enter);
    await terminal.until((screen) => /o-pasted/.test(screen) && /PASS +Continue/.test(screen));
    expect(await rowsOf(home, "o-pasted")).toHaveLength(1);
  });

  it("refuses a paste and a field with a card number, and sends neither", async () => {
    const terminal = await readyConsole(home);
    terminal.type(asPaste({ ...payment("o-card"), description: "card 4111 1111 1111 1111" }));
    const refused = await terminal.until("full card number");
    expect(refused).not.toContain("o-card");
    terminal.type(`${KEY.tab}${KEY.tab}${KEY.clear}o-card${KEY.tab.repeat(3)}${KEY.clear}4111111111111111`);
    await terminal.until(/›Description.*✖/);
    terminal.type(KEY.sendAnywhere);
    // The whole sentence, with what to do, above the keys.
    await terminal.until((screen) =>
      /full card number.*\n.*cin_card instead\.\s*\n.*F1 help\s*$/.test(screen),
    );
    expect(await rowsOf(home, "o-card")).toEqual([]);
  });

  it("shows a block in red", async () => {
    const terminal = await readyConsole(home);
    const expired = payment("o-expired");
    terminal.type(asPaste({ ...expired, card: { ...expired.card, expiration_year: 20 } }));
    await terminal.until("ready to send");
    terminal.type(KEY.enter);
    await terminal.until("✖ BLOCK  Block further processing of the transaction.");
    expect(terminal.look("✖ BLOCK  Block")).toMatchObject({ color: COLOR.red, bold: true });
    // The row of the history too.
    expect(terminal.look("✖ BLOCK 1").color).toBe(COLOR.red);
  });

  it.each([
    ["y", "o-forced", "3ds", "◆ 3DS yes"],
    ["n", "o-stopped", "block", "◆ 3DS no"],
  ])("asks whether 3-D Secure can be forced, and records the answer %s", async (key, order, action, word) => {
    const terminal = await readyConsole(home);
    terminal.type(asPaste(challenged(order)));
    await terminal.until("ready to send");
    terminal.type(KEY.enter);
    await terminal.until("Can 3-D Secure be forced for this payment?");
    expect(terminal.look("◆ 3DS  Send")).toMatchObject({ color: COLOR.yellow, bold: true });
    terminal.type(key);
    const decided = await terminal.until("Final action:");
    expect(decided).toContain(word);
    expect((await rowsOf(home, order))[0]).toMatchObject({
      recommendation: "3ds_or_block",
      final_action: action,
    });
  });

  it("leaves the question open for later, and takes the answer then", async () => {
    const terminal = await readyConsole(home);
    terminal.type(asPaste(challenged("o-later")));
    await terminal.until("ready to send");
    terminal.type(KEY.enter);
    await terminal.until("Can 3-D Secure be forced for this payment?  y yes");
    terminal.type(KEY.esc);
    await terminal.until("Open: Can 3-D Secure be forced for this payment? d decides.");
    expect((await rowsOf(home, "o-later"))[0]).toMatchObject({ final_action: null });
    terminal.type("d");
    await terminal.until("Can 3-D Secure be forced for this payment?  y yes");
    terminal.type("y");
    await terminal.until("Final action:");
    expect((await rowsOf(home, "o-later"))[0]).toMatchObject({ final_action: "3ds" });
  });

  it("finds checks by a filter, explains a wrong one, and loads one to be sent again", async () => {
    const terminal = await readyConsole(home);
    terminal.type("4");
    await terminal.until(/Time +Verdict/);
    terminal.type("/");
    await terminal.until(/^ ?Filter /m);
    terminal.type(`verdict:block${KEY.enter}`);
    const blocks = await terminal.until(/─ History · verdict:block ─+ 1 of /);
    expect(blocks).toContain("o-expired");
    expect(blocks).not.toContain("o-pasted");

    terminal.type("/");
    await terminal.until(/^ ?Filter /m);
    terminal.type(`${KEY.clear}verdict:maybe${KEY.enter}`);
    const wrong = await terminal.until('"maybe" is no verdict');
    expect(wrong).toContain("o-expired");
    terminal.type(`${KEY.clear}order:o-pasted${KEY.enter}`);
    await terminal.until(/─ History · order:o-pasted ─+ 1 of /);

    terminal.type(KEY.enter);
    await terminal.until("›Decision");
    terminal.type(KEY.tab);
    await terminal.until('"order_id": "o-pasted"');
    terminal.type("r");
    const loaded = await terminal.until("Loaded into the composer; nothing is sent yet.");
    expect(loaded).toMatch(/Order id +o-pasted/);
    expect(loaded).toMatch(/Amount +98000 +980\.00 UAH/);
    expect(await rowsOf(home, "o-pasted")).toHaveLength(1);
    terminal.type(KEY.enter);
    await terminal.until("✔ PASS  Continue");
    expect(await rowsOf(home, "o-pasted")).toHaveLength(2);
  });

  it("goes on when its sandbox was killed in the middle of a session", async () => {
    const terminal = await readyConsole(home);
    terminal.type(KEY.enter);
    await terminal.until(/PASS +Continue/);
    const sandbox = JSON.parse(
      readFileSync(join(home.folder, "verdict", "state", "sandbox", "endpoint.json"), "utf8"),
    ) as { pid: number };
    process.kill(sandbox.pid, "SIGKILL");
    terminal.type(asPaste(payment("o-after")));
    await terminal.until("ready to send");
    terminal.type(KEY.enter);
    // The end of the sandbox is noticed before the request leaves, or by it: then the outcome is said as it is.
    const first = await terminal.until(
      (screen) => screen.includes("o-after · ") && /(PASS|UNKNOWN|NOT SENT)  [A-Z]/.test(screen),
    );
    if (!first.includes("PASS  Continue")) terminal.type(KEY.enter);
    await terminal.until((screen) => screen.includes("PASS  Continue") && screen.includes("o-after · "));
    expect((await rowsOf(home, "o-after"))[0]).toMatchObject({ outcome: "answered", recommendation: "pass" });
  });
});
