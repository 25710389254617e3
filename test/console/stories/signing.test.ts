// What is signed, in a real terminal: looked at, copied through the terminal's own clipboard, and accepted once pasted.

import { describe, expect, it } from "vitest";
import { FAKE_SECRET, KEY, readyConsole, servedHome } from "./stage.ts";

describe.skipIf(process.platform === "win32")("signing in the console", () => {
  const served = servedHome();

  it("shows every byte that would be signed, and copies a command that infers to the recipe", async () => {
    const terminal = await readyConsole(served.home, { columns: 140, rows: 40 });
    await terminal.until("http-signatures, assumed");
    await terminal.type("x").until("String to sign, 8 lines");
    await terminal.until("x-key-id: key-1 <LF>");
    await terminal.type("Y").until("Copied as a curl command, without the secret. Valid once, until");
    const [, sequence] = terminal.written().split("]52;c;");
    const copied = Buffer.from(/^[A-Za-z0-9+/=]+/.exec(sequence!)![0], "base64").toString();
    expect(copied).toMatch(/^# Valid once, until \d\d:\d\d:\d\d\./);
    expect(copied).not.toContain(FAKE_SECRET);
    expect(terminal.written()).not.toContain(FAKE_SECRET);
    const inferred = await served.home.run("recipe infer --request - --key-id key-1", { input: copied });
    expect(inferred.stdout).toContain("The request is signed with the recipe http-signatures, as it is.");
    await terminal.type(KEY.esc).until("Send check");
    expect(served.service.received).toEqual([]);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
  });
});
