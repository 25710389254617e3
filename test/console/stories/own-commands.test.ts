// A command of the user's own in a real terminal: it gets the order id of a check, and the screen comes back whole.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { KEY, pasted, readyConsole, sendNext, servedHome } from "./stage.ts";

const [F6, F7, F8] = ["\x1b[17~", "\x1b[18~", "\x1b[19~"];
const ORDER = "o-17; touch hacked";

describe.skipIf(process.platform === "win32")("commands of one's own in the console", () => {
  const served = servedHome();
  beforeAll(async () => {
    const program = join(served.home.folder, "show.mjs");
    writeFileSync(
      program,
      `#!${process.execPath}
       import { writeFileSync } from "node:fs";
       const [how, ...words] = process.argv.slice(2);
       const { VERDICT_HOME: home, VERDICT_ORDER_ID: order } = process.env;
       writeFileSync("seen.json", JSON.stringify({ words, own: { home, order }, isTerminal: process.stdin.isTTY && process.stdout.isTTY }));
       console.log("the program is here");
       process.stdout.write("and ends here");
       if (how === "fail") process.exit(3);
       if (how === "read") process.stdin.once("data", () => process.exit(0));`,
      { mode: 0o700 },
    );
    const command = (name: string, key: string, how: string, ...more: string[]): string =>
      [
        `${name}:`,
        `key: ${key}`,
        `label: ${name} the order`,
        `run: ${JSON.stringify([program, how, "order={order_id}", "{id}"])}`,
        ...more,
      ].join("\n  ");
    const config = join(served.home.folder, "verdict", "config");
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, "commands.yaml"),
      [
        command("read", "f6", "read"),
        command("fail", "f7", "fail", "wait: false"),
        command("glance", "f8", "glance", "wait: false"),
      ].join("\n"),
    );
  });
  const seen = (): unknown => JSON.parse(readFileSync(join(served.home.folder, "seen.json"), "utf8"));

  it("run with the terminal and the order id of the check, and come back to the same screen", async () => {
    const terminal = await readyConsole(served.home, { columns: 100, rows: 30 });
    terminal.type(
      pasted(JSON.stringify({ operation: "payment", order_id: ORDER, amount: 12_000, currency: 980 })),
    );
    await terminal.until(/Amount +12000/);
    await sendNext(terminal, (screen) => screen.includes("PASS"));
    // Until the message row is empty, and nothing changes any more.
    const before = await terminal.until((screen) => screen.split("\n").at(-2)!.trim() === "");
    const working = terminal.modes();

    await terminal.type(F6).until("the program is here");
    expect(terminal.modes()).toMatchObject({ markedPastes: false, alternateScreen: false });
    expect(seen()).toEqual({
      words: [`order=${ORDER}`, expect.any(String)],
      own: { order: ORDER },
      isTerminal: true,
    });
    // The keys are the program's: for the console q would leave.
    await terminal.type("q\r").until("The command read has ended; any key goes back to verdict.");
    expect(await terminal.type("q").until((screen) => screen === before)).toBe(before);
    expect(terminal.modes()).toEqual(working);

    terminal.type(F8);
    await expect.poll(() => terminal.written().split("and ends here").length - 1).toBe(2);
    expect(await terminal.until((screen) => screen === before)).toBe(before);

    await terminal.type(F7).until("The command fail ended with exit code 3; any key goes back to verdict.");
    await terminal.type(KEY.esc).until(/✖ The command "fail" ended with exit code 3\.\s/);
    expect(terminal.modes()).toEqual(working);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    const [row] = (await served.home.json(["history", "--json"])) as { id: string }[];
    expect(seen()).toMatchObject({ words: [`order=${ORDER}`, row!.id] });
  });

  it("leaves the terminal as it was when the line drops while a program has it", async () => {
    const terminal = await readyConsole(served.home, { columns: 80, rows: 24 });
    await terminal.type("j").until("Selected");
    await terminal.type(F6).until("the program is here");
    terminal.kill("SIGTERM");
    await terminal.exit;
    expect(terminal.modes()).toMatchObject({
      markedPastes: false,
      alternateScreen: false,
      cursorVisible: true,
    });
  });
});
