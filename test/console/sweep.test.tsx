// What-if, sweeps and templates as they are seen over Check.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { Secret } from "#src/contract/secret.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { widthOf } from "#src/ui/fit.ts";
import { keyName } from "../keys/standard.ts";
import { mount, type Mounted, type MountOptions } from "./harness.tsx";
import { supposing } from "./supposing.ts";
import { TEST_SECRET, testContext, type TestContext } from "./test-context.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const ENTER = "\r";
const ESC = "\x1b";
const SIZES = [
  [60, 20],
  [80, 24],
] as const;

let test: TestContext;
let model: ConsoleModel;
let screen: Mounted;
/** Resolves when a question may be answered. */
let gate: Promise<void>;
let asked: CheckRequest[];

beforeEach(async () => {
  test = await testContext({ now: () => NOW });
  gate = Promise.resolve();
  asked = [];
});
afterEach(async () => {
  screen.unmount();
  await model.close();
  await test.remove();
});

async function open(options: MountOptions & { readonly environment?: "TEST" } = {}): Promise<void> {
  const profile =
    options.environment === undefined
      ? test.context.profile
      : {
          ...test.context.profile,
          name: "acme",
          environment: options.environment,
          baseUrl: "https://a.example",
        };
  const admin: Partial<SandboxAdmin> = {
    whatIf: async (_project, request) => {
      asked.push(request);
      await gate;
      return supposing(request);
    },
  };
  const sandbox = { admin } as unknown as ReturnType<typeof test.context.sandbox>;
  const context = { ...test.context, profile, sandbox: () => sandbox };
  await (
    await context.vault()
  ).put({
    kind: "project_credential",
    profile: profile.name,
    projectKey: "shop/medium",
    projectId: "project-1",
    keyId: "key-1",
    algorithm: "hmac-sha256",
    baseUrl: context.addresses().baseUrl,
    secret: new Secret(TEST_SECRET),
  });
  model = createConsoleModel(context, {
    keyName,
    now: () => NOW,
    ascii: options.ascii ?? false,
    quit: () => undefined,
  });
  model.session.setProject("shop/medium");
  screen = mount(
    <ConsoleModelProvider value={model}>
      <App onSuspend={() => undefined} onInterrupt={() => undefined} onEdit={() => undefined} />
    </ConsoleModelProvider>,
    { ...options, bindings: BINDINGS },
  );
  await screen.until("Send check");
  model.composer.focus("submit");
  await screen.until(/^[>›] (?:\[ )?Send check/m);
}

function expectWhole(columns: number, rows: number): void {
  const lines = screen.lines();
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
}

const flowing = (): string => screen.frame().replaceAll(/\s+/g, " ");

/** Why a key does not work now; null where it does. */
const whyNot = (id: string): string | null | undefined =>
  screen.dispatcher.active().find(({ binding }) => binding.id === id)?.disabled;

describe("what if", () => {
  it.each(SIZES)("says the verdict, why, and what would flip it, at %i x %i", async (columns, rows) => {
    await open({ columns, rows });
    screen.press("w");
    await screen.until("What if ━");
    expect(flowing()).toMatch(
      /✔ PASS Continue.*Nothing was sent, counted or recorded\..*What would flip it .*250\.01 EUR/,
    );
    expectWhole(columns, rows);
    screen.press(ESC);
    await screen.until(/If sent now:[\s\S]*✔ PASS\./);
    // Another payment is another question.
    screen.press("f");
    await screen.until((frame) => !frame.includes("If sent now"));
    expect(model.checks.store.getState().entries).toEqual([]);
  });

  it("is told apart from a service that has to be sent a check", async () => {
    await open({ environment: "TEST" });
    expect(whyNot("check.whatIf")).toContain("Only the sandbox can be asked");
    screen.press("w");
    expect(asked).toEqual([]);
  });
});

describe("a sweep", () => {
  it.each(SIZES)("is asked for in a line and shows where it tips, at %i x %i", async (columns, rows) => {
    await open({ columns, rows });
    screen.press("W");
    await screen.until(/Sweep amount \d+\.\.\d+/);
    screen.press(`\x15amount 1000..500000${ENTER}`);
    await screen.until("Sweep ━");
    await screen.until(/✔ PASS +━+─+\n/);
    expect(flowing()).toMatch(/◆ 3DS ─+━+─+ 250\.01 UAH to 1 999\.99 UAH: AMOUNT_NEEDS_3DS now hits/);
    expect(flowing()).toMatch(/✖ BLOCK ─+━+ from 2 000\.00 UAH on: AMOUNT_LIMIT now hits/);
    expectWhole(columns, rows);
    screen.press("\t");
    await screen.until("980 UAH");
    expectWhole(columns, rows);
    screen.press(ESC);
    await screen.until("Send check");
  });

  it("is read without colours and without Unicode", async () => {
    await open({ ascii: true, color: false });
    screen.press("W");
    await screen.until("Sweep amount");
    screen.press(`\x15amount 1000..500000${ENTER}`);
    await screen.until(/x BLOCK +-+=+/);
    expect(screen.frame()).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("shows how far it is, and ends with what it has", async () => {
    let release = (): void => undefined;
    await open();
    gate = new Promise((resolve) => {
      release = resolve;
    });
    screen.press("W");
    await screen.until("Sweep amount");
    screen.press(`\x15amount 1000..500000${ENTER}`);
    await screen.until("Trying values of amount: 0 of 48; Esc stops with");
    // Before the first question there is nothing to wait for, and the sweep ends at once.
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    screen.press(ESC);
    await screen.until("0 of 48; ending");
    release();
    await screen.until("It was cancelled.");
  });

  it("hides what belongs to a person while an audience watches", async () => {
    await open();
    model.session.setPresenter(NOW);
    screen.press("W");
    await screen.until("Sweep amount");
    screen.press(`\x15number_phone +380501112233,+4915123456789${ENTER}`);
    await screen.until("Phone, 2 values");
    expect(screen.frame()).not.toMatch(/380501112233|4915123456789|Germany/);
  });

  it("sends nothing to another service before its name is typed", async () => {
    await open({ environment: "TEST" });
    model.composer.pasteJson('{"operation":"payment","order_id":"o-1","amount":1,"currency":978}');
    screen.press("W");
    await screen.until("Sweep amount");
    screen.press(`\x15currency EUR,USD${ENTER}`);
    await screen.until("Type acme to continue:");
    expect(flowing()).toMatch(/up to 2 real checks.*profile acme/);
    screen.press(ESC);
    await screen.until("Send check");
    expect(model.checks.store.getState().entries).toEqual([]);
  });
});

describe("templates", () => {
  it.each(SIZES)(
    "are listed with what they show, loaded with a fresh order id, and undone, at %i x %i",
    async (columns, rows) => {
      await open({ columns, rows });
      const before = model.composer.toRequest().order_id;
      screen.press("t");
      await screen.until("1 of 11");
      expectWhole(columns, rows);
      screen.press("jjj");
      await screen.until(/last month is\s+over/);
      expect(whyNot("library.remove")).toContain("A template comes with the program");
      screen.press(ENTER);
      await screen.until("Send check");
      const { order_id: order, card } = model.composer.toRequest();
      expect(card).toMatchObject({ expiration_year: 25 });
      expect(order).not.toBe(before);
      screen.press("u");
      await screen.until(() => model.composer.toRequest().order_id === before);
    },
  );

  it("stand one key from the saved payloads", async () => {
    await open();
    screen.press("l");
    await screen.until("Tab shows templates");
    screen.press("\t");
    await screen.until("clean-payment");
    screen.press("\t");
    await screen.until("No payload is saved yet.");
  });
});
