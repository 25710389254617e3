// Saved payloads replayed in the built console on a real sandbox: run, change a few, run again, see the flips, drill in, report.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { type TestHome, testHome, testHomeOfTests } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { fakeService, KEY, openConsole, READY } from "./stage.ts";

const PAYLOADS = 40;

/** A payment whose payer and card nobody has seen before, so that no counter of the sandbox objects. */
function payment(number: number): object {
  return {
    operation: "payment",
    order_id: `o-${100 + number}`,
    amount: 1_000 + 100 * number,
    currency: 980,
    description: "Two books",
    payer: {
      payer_ip: `91.198.${number + 1}.14`,
      email: `payer${number}@shop-customer.example`,
      payer_id: `c-${number}`,
    },
    card: {
      holder: `OLENA KOVALENKO ${String.fromCharCode(65 + (number % 26))}${String.fromCharCode(65 + Math.floor(number / 26))}`,
      bin_card: 444433,
      cin_card: 1000 + number,
      expiration_month: 9,
      expiration_year: 40,
    },
  };
}

function savePayloads(home: TestHome): void {
  const folder = join(home.folder, "verdict/data/payloads");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 0; number < PAYLOADS; number += 1) {
    const envelope = { name: `p-${100 + number}`, expect: null, tags: [], request: payment(number) };
    writeFileSync(join(folder, `p-${100 + number}.json`), JSON.stringify(envelope), { mode: 0o600 });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Opens the form of a new replay and starts it as it stands. */
async function startAsItStands(terminal: PseudoTerminal): Promise<void> {
  await terminal.type("n").until("New replay");
  await terminal.until(/\d+ checks? would be sent/);
  terminal.type(KEY.enter);
}

/** The first key cancels what runs, the second leaves. */
async function leaveRunningReplay(terminal: PseudoTerminal): Promise<void> {
  await terminal.type("q").until("Leave");
  terminal.type("y");
}

describe("replaying saved payloads on the sandbox", () => {
  const home = testHomeOfTests();

  it("runs, and leaves nothing of a sandbox of its own", async () => {
    const temporary = join(home.folder, "temporary");
    mkdirSync(temporary);
    const terminal = openConsole(home, { columns: 110, rows: 36, env: { TMPDIR: temporary } });
    await terminal.until(READY);
    await terminal.type("5").until("No replay has been run yet");
    savePayloads(home);
    await startAsItStands(terminal);
    const first = await terminal.until("The payloads carried no earlier verdict.");
    expect(first).toContain("The replay is done with 40 items.");
    expect(first).toContain("✔ 40 PASS");
    expect(first).toContain("The payloads carried no earlier verdict.");
    expect(first).toContain("Items 40");

    await terminal.type(KEY.esc).until("1 of 1");
    await terminal.type("n").until(/\d+ checks? would be sent/);
    await terminal.type(KEY.tab.repeat(7)).until("› Isolated");
    await terminal.type("s").until("A temporary sandbox decides with starter");
    await terminal.type(`${KEY.esc}\x1b[Z2${KEY.esc}`).until("› Start the replay");
    await terminal.type(KEY.enter).until("On a sandbox of its own with starter rules");
    const [endpoint] = readdirSync(temporary, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(ENDPOINT_FILE),
    );
    const { pid } = JSON.parse(readFileSync(join(temporary, endpoint!), "utf8")) as SandboxEndpoint;
    expect(isAlive(pid)).toBe(true);
    await leaveRunningReplay(terminal);
    expect(await terminal.exit).toMatchObject({ code: 0 });
    // Neither its process nor its folder is left behind.
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    expect(terminal.screen().replaceAll("\n", "")).toContain("Replays sent 40 checks; the runs are kept in");
  });
});

describe("a replay that is interrupted", () => {
  it("asks first away from the sandbox, pauses, is cancelled by Ctrl-C, and goes on without sending anything twice", async () => {
    const home = testHome();
    const service = await fakeService(home);
    onTestFinished(async () => {
      await service.close();
      await home.remove();
    });
    savePayloads(home);
    const terminal = openConsole(home);
    await terminal.until("Compose");
    await terminal.type(KEY.esc + "5").until("No replay has been run yet");
    await terminal.type("n").until("40 checks would be sent.");
    // Slow enough for somebody to press keys meanwhile.
    await terminal.type(`\x1b[Z20${KEY.esc}`).until(/Rate +20/);
    await terminal.type(KEY.enter).until("Send 40 checks worth 1 180.00 UAH to the test service");
    expect(service.received).toHaveLength(0);
    await terminal.type("y").until(/[1-9]\d* done/);
    await terminal.type(" ").until(/Paused, 0 in flight/);
    const held = service.received.length;
    expect(held).toBeLessThan(40);

    // Esc asks, and No is the answer that Enter takes.
    await terminal.type(KEY.esc).until("y cancel the replay");
    await terminal.type(KEY.enter).until("Paused, 0 in flight");
    expect(service.received).toHaveLength(held);
    await terminal.type(" ").until((screen) => !screen.includes("Paused"));
    // Elsewhere one line tells of it.
    await terminal.type("4").until(/Replay: \d+ items, \d+ %; 5 shows it\./);
    await terminal.type(KEY.interrupt).until("The replay is cancelled");
    expect(await terminal.type("5").until(/Run of .* partial/)).toMatch(/✔ \d+ PASS/);
    expect(service.received.length).toBeLessThan(40);

    await terminal.type("r").until("Send the rest of the run");
    await terminal.type("y").until("The replay is done with 40 items.");
    const sent = service.received.map((body) => (body as { order_id: string }).order_id);
    expect(sent).toHaveLength(40);
    expect(new Set(sent).size).toBe(40);
  });
});
