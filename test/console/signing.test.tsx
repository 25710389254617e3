// What is signed, as it is seen over Check, and the command that is copied.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { Secret } from "#src/contract/secret.ts";
import { formatClock } from "#src/display/time.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { widthOf } from "#src/ui/fit.ts";
import { keyName } from "../keys/standard.ts";
import { mount, type Mounted, type MountOptions } from "./harness.tsx";
import { TEST_SECRET, testContext, type TestContext } from "./test-context.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const ESC = "\x1b";

let test: TestContext;
let model: ConsoleModel;
let screen: Mounted;
let copied: string[];
let takes: boolean;

beforeEach(async () => {
  test = await testContext({ now: () => NOW });
  copied = [];
  takes = true;
});
afterEach(async () => {
  screen.unmount();
  await model.close();
  await test.remove();
});

async function open(
  options: MountOptions & { readonly recipe?: string; readonly live?: boolean } = {},
): Promise<void> {
  const { recipe = "http-signatures", live = false } = options;
  const environment = live ? "TEST" : "SANDBOX";
  const profile = { ...test.context.profile, recipe, environment } as const;
  const url = "https://risk.example.com";
  const context = {
    ...test.context,
    profile: live ? { ...profile, name: "mine", baseUrl: url, projectsUrl: url } : profile,
    addresses: () => ({ baseUrl: url, projectsUrl: url }),
  };
  await (
    await context.vault()
  ).put({
    kind: "project_credential",
    profile: context.profile.name,
    projectKey: "shop/low",
    baseUrl: url,
    keyId: "key-1",
    projectId: "prj-1",
    algorithm: "hmac-sha256",
    secret: new Secret(TEST_SECRET),
  });
  model = createConsoleModel(context, {
    keyName,
    now: () => NOW,
    ascii: options.ascii ?? false,
    quit: () => undefined,
    clipboard: {
      copy(text) {
        if (takes) copied.push(text);
        return takes;
      },
      clear: () => undefined,
      note: null,
    },
  });
  model.session.setProject("shop/low");
  screen = mount(
    <ConsoleModelProvider value={model}>
      <App onSuspend={() => undefined} onInterrupt={() => undefined} onEdit={() => undefined} />
    </ConsoleModelProvider>,
    { ...options, bindings: BINDINGS },
  );
  await screen.until("Send check");
  if (live) screen.press(ESC);
}

function expectWhole(columns: number, rows: number): void {
  const lines = screen.lines();
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  expect(screen.frame()).not.toContain(TEST_SECRET);
}

describe("what is signed", () => {
  it.each([
    [60, 20],
    [80, 24],
    [140, 40],
  ] as const)("is told to the last byte, at %i x %i", async (columns, rows) => {
    await open({ columns, rows });
    screen.press("x");
    await screen.until("String to sign, 8 lines");
    expect(screen.frame()).toContain("(request-target): post /v1/check <LF>");
    expectWhole(columns, rows);
    screen.press("G");
    await screen.until(/authorization: Signature keyId="key-1"/);
    expectWhole(columns, rows);
    screen.press("g");
    await screen.until("Recipe http-signatures, check request");
    screen.press("j");
    expectWhole(columns, rows);
    screen.press(ESC);
    await screen.until("Send check");
  });

  it("says how long the signature holds, in the canonical request of two stages too", async () => {
    await open({ columns: 140, rows: 60, recipe: "aws-sigv4" });
    screen.press("x");
    await screen.until("Canonical request, hashed into the string to sign, 12 lines");
    expect(screen.frame()).toContain(`Valid once, until ${formatClock(NOW + 300_000)}.`);
    expect(screen.frame()).toContain("Step 1: the text AWS4[secret] is the first key.");
    const first = screen.frame();
    screen.press("r");
    await screen.until((frame) => frame !== first && frame.includes("Canonical request"));
  });

  it("is drawn in ASCII where there is nothing else", async () => {
    await open({ ascii: true });
    screen.press("x");
    await screen.until("String to sign");
    expect(screen.frame()).toMatch(/^[\n -~]*$/);
  });

  it("says what is in the way", async () => {
    await open({ columns: 140 });
    model.composer.focus("amount");
    model.composer.enter("x");
    model.composer.focus("submit");
    await screen.until("12000x");
    screen.press("x");
    await screen.until("Correct this before you sign the payment.");
  });
});

describe("the command", () => {
  it("is copied with Y, without the secret, and tells how long it holds", async () => {
    await open();
    screen.press("Y");
    await screen.until("Copied as a curl command, without the secret. Valid once");
    expect(copied).toHaveLength(1);
    expect(copied[0]).toMatch(/^# Valid once, until \d\d:\d\d:\d\d\. Signed with the recipe http-signatures/);
    expect(copied[0]).toContain("-H 'x-key-id: key-1'");
    expect(copied[0]).not.toContain(TEST_SECRET);
    screen.press("x");
    await screen.until("String to sign");
    screen.press("Y");
    await expect.poll(() => copied).toHaveLength(2);
    expect(copied[1]).not.toBe(copied[0]);
  });

  it("is written into a private file where no clipboard takes it", async () => {
    takes = false;
    await open({ columns: 140 });
    screen.press("Y");
    await screen.until("No clipboard is available");
    const path = join(test.context.home.state, "signed-request.sh");
    expect(readFileSync(path, "utf8")).toContain("curl -sS -X POST");
    expect(readFileSync(path, "utf8")).not.toContain(TEST_SECRET);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is not made of a recipe that sends the secret itself", async () => {
    await open({ recipe: "static" });
    screen.press("x");
    await screen.until(/authorization: \[secret [0-9a-f]{8}\]/);
    screen.press("Y");
    await screen.until("sends the secret itself");
    expect(copied).toEqual([]);
    expectWhole(80, 24);
  });
});

describe("the recipe of a service", () => {
  it("is named as assumed, and its confirmation is suggested after the first answer", async () => {
    await open({ live: true, recipe: "kong", columns: 140, rows: 40 });
    await model.signing.load();
    await screen.until("kong, assumed");
    await model.checks.send({ operation: "payment", order_id: "a", amount: 1, currency: 980 }, []);
    await screen.until(/c\s+records that this recipe is right/);
  });

  it("is not spoken of on the sandbox", async () => {
    await open({ columns: 140, rows: 40 });
    expect(screen.frame()).not.toContain("assumed");
  });
});
