// What-if and sweep in a real terminal, on the real sandbox: nothing of it is counted, and the chart says where it tips.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { KEY, pasted, readyConsole, rowsOf, succeeds } from "./stage.ts";

const CURL = `curl https://risk.example/v1/check --data-raw '{"operation":"payment","order_id":"o-sweep","amount":4200,"currency":978}'`;

describe.skipIf(process.platform === "win32")("what-if in the console", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = testHome();
    await succeeds(
      home,
      "register --merchant-id shop --name Shop --currency EUR --risk-level medium --wait".split(" "),
    );
  });
  afterAll(() => home.remove());

  it("asks what a pasted payment would get, sweeps its amount, and leaves the sandbox as it was", async () => {
    const terminal = await readyConsole(home);
    await terminal.type(pasted(CURL)).until(/Amount +4200 +42\.00 EUR/);
    await terminal.type("w").until(/✔ PASS {2}Continue/);
    await terminal.until("What would flip it");
    await terminal.type(KEY.esc).until("If sent now:");

    await terminal.type("W").until(/Sweep amount \d/);
    await terminal.type(`${KEY.clear}amount 1000..5000000${KEY.enter}`).until(/✖ BLOCK +─+━+/);
    await terminal.until(/250\.01 EUR to 10 000\.00 EUR/);
    await terminal.until(/from 10 000\.01 EUR on: AMOUNT_LIMIT/);
    // Colour and symbol say the same.
    expect(terminal.look("◆ 3DS").color).not.toBe(terminal.look("✖ BLOCK").color);
    terminal.resize(60, 20);
    await terminal.until(
      (screen) => /✖ BLOCK +─+━+/.test(screen) && screen.split("\n").every((row) => row.length <= 60),
    );
    await terminal.type(KEY.tab).until("980 UAH");
    await terminal.type(KEY.esc).until("Send check");
    // Asked while the console keeps the sandbox running: without it the sandbox ends after some seconds.
    expect((await home.json("sandbox status --json"))[0]).toMatchObject({ decisions: 0 });
    terminal.type("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });

    expect(await rowsOf(home, "*")).toEqual([]);
    const input = JSON.stringify({ operation: "payment", order_id: "o", amount: 1, currency: 978 });
    const { code, stdout } = await home.run("sweep - --field amount --range 1000..5000000", { input });
    expect(code).toBe(0);
    expect(stdout).toMatch(/◆ 3DS [^]*250\.01 EUR to 10 000\.00 EUR: .*AMOUNT_OVER_SCA/);
  });
});
