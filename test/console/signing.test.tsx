// What is signed, as it is seen over Check, and the command that is copied.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Console, type Given, KEY, openConsole, WINDOWS } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import { formatClock } from "#src/display/time.ts";
import type { Mounted } from "./harness.tsx";
import { TEST_SECRET } from "./test-context.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const { esc: ESC } = KEY;
const URL = "https://risk.example.com";
const ON_SANDBOX = { recipe: "http-signatures", baseUrl: URL, projectsUrl: URL };

let opened: Console;
let copied: string[];

async function open(given: Given = {}, takes = true): Promise<Mounted> {
  copied = [];
  opened = await openConsole({
    service: { now: () => NOW },
    profile: ON_SANDBOX,
    credentials: ["shop/low"],
    options: {
      clipboard: { copy: (text) => takes && copied.push(text) > 0, clear: () => undefined, note: null },
    },
    ...given,
  });
  await opened.screen.until("Send check");
  return opened.screen;
}

function expectWhole(screen: Mounted): void {
  screen.expectWhole();
  expect(screen.frame()).not.toContain(TEST_SECRET);
}

describe("what is signed", () => {
  it.each(WINDOWS.slice(0, 3))("is told to the last byte, at %i x %i", async (columns, rows) => {
    const screen = await open({ columns, rows });
    await screen.press("x").until("String to sign, 8 lines");
    expect(screen.frame()).toContain("(request-target): post /v1/check <LF>");
    expectWhole(screen);
    await screen.press("G").until(/authorization: Signature keyId="key-1"/);
    expectWhole(screen);
    await screen.press("g").until("Recipe http-signatures, check request");
    screen.press("j");
    expectWhole(screen);
    await screen.press(ESC).until("Send check");
  });

  it("says how long the signature holds, in the canonical request of two stages too", async () => {
    const screen = await open({ columns: 140, rows: 60, profile: { ...ON_SANDBOX, recipe: "aws-sigv4" } });
    await screen.press("x").until("Canonical request, hashed into the string to sign, 12 lines");
    expect(screen.frame()).toContain(`Valid once, until ${formatClock(NOW + 300_000)}.`);
    expect(screen.frame()).toContain("Step 1: the text AWS4[secret] is the first key.");
    const first = screen.frame();
    await screen.press("r").until((frame) => frame !== first && frame.includes("Canonical request"));
  });

  it("is drawn in ASCII where there is nothing else", async () => {
    const screen = await open({ ascii: true });
    expect(await screen.press("x").until("String to sign")).toMatch(/^[\n -~]*$/);
  });

  it("says what is in the way", async () => {
    const screen = await open({ columns: 140 });
    const { composer } = opened.model;
    composer.focus("amount");
    composer.enter("x");
    composer.focus("submit");
    await screen.until("12000x");
    await screen.press("x").until("Correct this before you sign the payment.");
  });
});

describe("the command", () => {
  it("is copied with Y, without the secret, and tells how long it holds", async () => {
    const screen = await open();
    await screen.press("Y").until("Copied as a curl command, without the secret. Valid once");
    expect(copied).toHaveLength(1);
    expect(copied[0]).toMatch(/^# Valid once, until \d\d:\d\d:\d\d\. Signed with the recipe http-signatures/);
    expect(copied[0]).toContain("-H 'x-key-id: key-1'");
    expect(copied[0]).not.toContain(TEST_SECRET);
    await screen.press("x").until("String to sign");
    screen.press("Y");
    await expect.poll(() => copied).toHaveLength(2);
    expect(copied[1]).not.toBe(copied[0]);
  });

  it("is written into a private file where no clipboard takes it", async () => {
    const screen = await open({ columns: 140 }, false);
    await screen.press("Y").until("No clipboard is available");
    const path = join(opened.model.context.home.state, "signed-request.sh");
    expect(readFileSync(path, "utf8")).toContain("curl -sS -X POST");
    expect(readFileSync(path, "utf8")).not.toContain(TEST_SECRET);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is not made of a recipe that sends the secret itself", async () => {
    const screen = await open({ profile: { ...ON_SANDBOX, recipe: "static" } });
    await screen.press("x").until(/authorization: \[secret [0-9a-f]{8}\]/);
    await screen.press("Y").until("sends the secret itself");
    expect(copied).toEqual([]);
    expectWhole(screen);
  });
});

describe("the recipe of a service", () => {
  it("is named as assumed, and its confirmation is suggested after the first answer", async () => {
    const profile = { name: "mine", environment: "TEST", recipe: "kong" } as const;
    const screen = await open({ profile, columns: 140, rows: 40 });
    const { model } = opened;
    screen.press(ESC);
    await model.signing.load();
    await screen.until("kong, assumed");
    await model.checks.send({ operation: "payment", order_id: "a", amount: 1, currency: 980 }, []);
    await screen.until(/c\s+records that this recipe is right/);
  });

  it("is not spoken of on the sandbox", async () => {
    const screen = await open({ columns: 140, rows: 40 });
    expect(screen.frame()).not.toContain("assumed");
  });
});
