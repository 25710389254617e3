// Command lines typed into the console, in a real terminal: what one prints is a page, and one that asks gets the terminal.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import { KEY, openConsole, READY, sendNext, succeeds } from "./stage.ts";

const PASSPHRASE = "correct horse battery staple";

/** The text is there, and the command that has printed it runs no more. */
const hasEnded =
  (text: string) =>
  (screen: string): boolean =>
    screen.includes(text) && !screen.includes("Running;");

describe.skipIf(process.platform === "win32")("command lines in the console", () => {
  const home = testHomeOfTests();

  it("show what they print, change what is on the screen, and get the terminal where they ask", async () => {
    const terminal = openConsole(home, { columns: 110, rows: 30 });
    await terminal.until(READY);
    await sendNext(terminal, (screen) => screen.includes("1 of 1"));
    const page = await terminal.type(":history --limit 1\r").until(hasEnded("VERDICT"));
    expect(page).toContain("history --limit 1 ━");
    await terminal.type(KEY.esc).until("Compose");

    await terminal.type(":history sho").until("history show ");
    await terminal.type(`${KEY.enter}nothing-of-the-kind\r`).until(hasEnded("The history has no entry"));

    // A wrong line says why; the console does not open a second time.
    await terminal.type(":verdict\r").until("This would open a second console");
    terminal.type(":profile add other --base-url http://127.0.0.1:9\r");
    await terminal.until(hasEnded("Profile other saved"));
    await terminal.type("8").until(/other +SANDBOX|other +TEST/);

    await terminal.type("3").until("Protected by a key file");
    const working = terminal.modes();
    await terminal.type(":vault passphrase --set\r").until("New passphrase of the vault (not shown): ");
    expect(terminal.modes()).toMatchObject({ alternateScreen: false });
    await terminal.type(`${PASSPHRASE}\r`).until("The same once more: ");
    await terminal.type(`${PASSPHRASE}\r`).until("has ended; any key goes back to verdict.");
    await terminal.type("q").until("Protected by a passphrase");
    expect(terminal.modes()).toEqual(working);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    expect(terminal.written()).not.toContain("staple");
  });

  it("run on the profile of the console, send nothing on a read-only one, and print no secret", async () => {
    const address = ["--base-url", "http://127.0.0.1:9"];
    await succeeds(home, ["profile", "add", "closed", ...address, "--read-only"]);
    const payload = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
    writeFileSync(join(home.folder, "one.json"), JSON.stringify(payload));
    const terminal = openConsole(home, { args: ["--profile", "closed"], columns: 110, rows: 30 });
    await terminal.until("closed");
    terminal.type(":check one.json --profile closed --no-input\r");
    await terminal.until(hasEnded('"verdict profile add closed'));
    terminal.type(":sandbox panel --secret KEY --profile sandbox\r");
    await terminal.until("A secret is not written to a terminal");
    await terminal.until("any key goes back to verdict.");
    await terminal.type("q").until("The command ended with exit code 2.");
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
  });
});
