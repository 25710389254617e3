// What was checked, in the built console on a real sandbox: compared, found again by the last filters, exported, sent again.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { testHome } from "../../cli/verdict-process.ts";
import { fakeService, KEY, openConsole, readyConsole, sendNext, succeeds } from "./stage.ts";

const UP = "\x1b[A";
const LEGEND = "2x attempts";

describe("the history of a session", () => {
  it("tells how it goes, compares two checks, remembers filters, exports, and is sent again as a replay", async () => {
    const home = testHome();
    onTestFinished(() => home.remove());
    const terminal = await readyConsole(home, { columns: 80, rows: 24 });
    // More attempts with one card than the rules of the sandbox let pass.
    for (let sent = 1; sent <= 5; sent += 1) {
      await sendNext(terminal, (screen) => screen.includes(`1 of ${sent}, following`));
      const answer = await terminal.until((screen) => !screen.includes("SENDING"));
      if (answer.includes("Esc later")) {
        await terminal.type(KEY.esc).until("d decides");
      }
      await terminal.type("f").until("› Send check");
    }
    await terminal.until(/ All 5 +✔ \d ◆ \d/);

    terminal.type("4");
    // The rows of Check look the same, but for what the marks mean.
    await terminal.until(LEGEND);
    await terminal.until(/ Latency +[▁▂▃▄▅▆▇█]{5} .* median/);
    await terminal.type("m").until(/^›m/m);
    await terminal.type("G").until("5 of 5");
    const compared = await terminal.type("c").until(/\d+ changed( ·|  ?─)/);
    expect(compared).toMatch(/! Verdict +✔ PASS/);
    expect(compared).toMatch(/→ +◆ 3DS \(changed\)/);
    expect(compared).toMatch(/! Score +0/);
    await terminal.type(KEY.esc).until("5 of 5");

    await terminal.type("/").until(" Filter ");
    await terminal.type(`verdict:pass${KEY.enter}`).until("History · verdict:pass");
    await terminal.type("E").until("Export the filtered ones to");
    const file = join(home.folder, "passed.json");
    await terminal.type(`${file}${KEY.enter}`).until(/\d entries are in/);
    const passed = JSON.parse(readFileSync(file, "utf8")) as { recommendation: string }[];
    expect(new Set(passed.map((entry) => entry.recommendation))).toEqual(new Set(["pass"]));
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await terminal.type("R").until("y send");
    await terminal.type("y").until("Run of ");
    await terminal.until(`${passed.length} items`);

    terminal.type("q");
    await terminal.exit;
    const filters = join(home.folder, "verdict/state/filters.json");
    expect(statSync(filters).mode & 0o777).toBe(0o600);

    const next = await readyConsole(home);
    next.type("4");
    await next.until(LEGEND);
    next.type("/");
    await next.until(" Filter ");
    next.type(UP);
    await next.until("Filter verdict:pass");
    next.type(`${KEY.clear}amount>x${KEY.enter}`);
    await next.until(/^ +amount>x\n +\^$/m);
  });

  it("sends exactly the ten selected checks again, though another one comes meanwhile", async () => {
    const home = testHome();
    onTestFinished(() => home.remove());
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    const check = async (order: number): Promise<void> => {
      const request = { operation: "payment", order_id: `o-${order}`, amount: 1_000, currency: 980 };
      await succeeds(home, ["check", "-"], JSON.stringify(request));
    };
    for (let order = 100; order <= 112; order += 1) await check(order);
    const terminal = openConsole(home, { columns: 140, rows: 40 });
    await terminal.until("1 of 13, following");
    await terminal.until(/ shop\/low +1 Check/);
    await terminal.type("4").until(LEGEND);
    await terminal.type("jv").until("2 of 13, 1 selected");
    await terminal.type("j".repeat(8)).until("10 of 13, 9 selected");
    await check(113);
    const moved = await terminal.until("11 of 14, 9 selected");
    expect(moved).toMatch(/^▌.* o-111 /m);
    expect(moved).toMatch(/^› .* o-103 /m);
    await terminal.type("j").until("12 of 14, 10 selected");
    await terminal.type("R").until("Send 10 checks of the selection again");
    await terminal.type("10").until("Type 10 to continue: 10");
    const before = service.received.length;
    await terminal.type(KEY.enter).until("Run of ");
    await terminal.until("10 items");
    const again = service.received.slice(before) as { order_id: string }[];
    expect(again.map(({ order_id }) => order_id.slice(0, "o-100".length)).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, at) => `o-${102 + at}`),
    );
    await terminal.type(KEY.esc).until("10 checks selected in the history");
  });

  it("is sent again outside the sandbox only when the number of checks was typed", async () => {
    const home = testHome();
    onTestFinished(() => home.remove());
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    await home.run(["check", "-"], {
      input: JSON.stringify({ operation: "payment", order_id: "o-1", amount: 1_000, currency: 980 }),
    });
    const before = service.received.length;
    expect(before).toBe(1);
    const terminal = openConsole(home, { columns: 80, rows: 24 });
    await terminal.until("1 of 1, following");
    // Until a project is found the key says that it is being looked for.
    await terminal.until(/ shop\/low +1 Check/);
    await terminal.type("4").until(LEGEND);
    await terminal.until(/^›.* o-1 /m);
    await terminal.type("R").until("Send 1 check of the whole history again");
    await terminal.type("2").until("Type 1 to continue: 2");
    await terminal.type(KEY.enter).until("That is not 1");
    expect(service.received).toHaveLength(before);
    await terminal.type(KEY.clear).until(/Type 1 to continue: *$/m);
    await terminal.type("1").until("Type 1 to continue: 1");
    await terminal.type(KEY.enter).until("Run of ");
    expect(service.received).toHaveLength(before + 1);
    expect(service.received.at(-1)).toMatchObject({ order_id: expect.stringMatching(/^o-1-.{6}$/) });
  });
});
