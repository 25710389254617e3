// What-if, sweeps and templates as they are seen over Check.

import { type Given, KEY, openConsole, WINDOWS } from "./driver.tsx";
import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "#src/app/context.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { Mounted } from "./harness.tsx";
import { supposing } from "./supposing.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const { enter: ENTER, esc: ESC } = KEY;
let model: ConsoleModel;
let screen: Mounted;
/** Resolves when a question may be answered. */
let gate: Promise<void>;
let asked: CheckRequest[];

beforeEach(() => {
  gate = Promise.resolve();
  asked = [];
});

async function open(given: Given = {}): Promise<void> {
  const admin: Partial<SandboxAdmin> = {
    whatIf: async (_project, request) => {
      asked.push(request);
      await gate;
      return supposing(request);
    },
  };
  const status = () => Promise.resolve({ virtualTime: NOW, clockFrozen: false, faults: [], ruleError: null });
  const sandbox = { admin: { ...admin, status } } as unknown as ReturnType<Context["sandbox"]>;
  ({ model, screen } = await openConsole({
    service: { now: () => NOW },
    credentials: ["shop/medium"],
    context: (context) => ({ ...context, sandbox: () => sandbox }),
    ...given,
  }));
  await screen.until("Send check");
  model.composer.focus("submit");
  await screen.until(/^[>›] (?:\[ )?Send check/m);
}

describe("what if", () => {
  it.each(WINDOWS.slice(0, 2))(
    "says the verdict, why, and what would flip it, at %i x %i",
    async (columns, rows) => {
      await open({ columns, rows });
      await screen.press("w").until("What if ━");
      expect(screen.flowing()).toMatch(
        /✔ PASS Continue.*Nothing was sent, counted or recorded\..*What would flip it .*250\.01 EUR/,
      );
      screen.expectWhole();
      await screen.press(ESC).until(/If sent now:[\s\S]*✔ PASS\./);
      // Another payment is another question.
      await screen.press("f").until((frame) => !frame.includes("If sent now"));
      expect(model.checks.store.getState().entries).toEqual([]);
    },
  );

  it("is asked from the page of a decision about its payment, and leads back there", async () => {
    await open();
    await screen.press(ENTER).until("i why");
    const [sent] = model.checks.store.getState().entries;
    model.composer.freshOrder();
    // Also while an audience sees the payment masked.
    model.present();
    await screen.press("i").until("Why  o-");
    await screen.press("w").until("What if ━");
    expect(asked).toEqual([sent!.request]);
    await screen.press("w").until("Why  o-");
    await screen.press(ESC).until("Send check");
  });
});

describe("a sweep", () => {
  it.each(WINDOWS.slice(0, 2))(
    "is asked for in a line and shows where it tips, at %i x %i",
    async (columns, rows) => {
      await open({ columns, rows });
      await screen.press("W").until(/Sweep amount \d+\.\.\d+/);
      await screen.press(`\x15amount 1000..500000${ENTER}`).until("Sweep ━");
      await screen.until(/✔ PASS +━+─+\n/);
      expect(screen.flowing()).toMatch(
        /◆ 3DS ─+━+─+ 250\.01 UAH to 1 999\.99 UAH: AMOUNT_NEEDS_3DS now hits/,
      );
      expect(screen.flowing()).toMatch(/✖ BLOCK ─+━+ from 2 000\.00 UAH on: AMOUNT_LIMIT now hits/);
      screen.expectWhole();
      await screen.press("\t").until("980 UAH");
      screen.expectWhole();
      await screen.press(ESC).until("Send check");
    },
  );

  it("is read without colours and without Unicode", async () => {
    await open({ ascii: true, color: false });
    await screen.press("W").until("Sweep amount");
    await screen.press(`\x15amount 1000..500000${ENTER}`).until(/x BLOCK +-+=+/);
    expect(screen.frame()).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("shows how far it is, and ends with what it has", async () => {
    let release = (): void => undefined;
    await open();
    gate = new Promise((resolve) => {
      release = resolve;
    });
    await screen.press("W").until("Sweep amount");
    screen.press(`\x15amount 1000..500000${ENTER}`);
    await screen.until("Trying values of amount: 0 of 48; Esc stops with");
    // Before the first question there is nothing to wait for, and the sweep ends at once.
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await screen.press(ESC).until("0 of 48; ending");
    release();
    await screen.until("It was cancelled.");
  });

  it("hides what belongs to a person while an audience watches", async () => {
    await open();
    model.session.setPresenter(NOW);
    await screen.press("W").until("Sweep amount");
    await screen.press(`\x15number_phone +380501112233,+4915123456789${ENTER}`).until("Phone, 2 values");
    expect(screen.frame()).not.toMatch(/380501112233|4915123456789|Germany/);
  });
});

describe("templates", () => {
  it.each(WINDOWS.slice(0, 2))(
    "are listed with what they show, loaded with a fresh order id, and undone, at %i x %i",
    async (columns, rows) => {
      await open({ columns, rows });
      const before = model.composer.toRequest().order_id;
      await screen.press("t").until("1 of 11");
      screen.expectWhole();
      await screen.press("jjj").until(/last month is\s+over/);
      expect(screen.whyNot("library.remove")).toContain("A template comes with the program");
      await screen.press(ENTER).until("Send check");
      const { order_id: order, card } = model.composer.toRequest();
      expect(card).toMatchObject({ expiration_year: 25 });
      expect(order).not.toBe(before);
      await screen.press("u").until(() => model.composer.toRequest().order_id === before);
    },
  );

  it("stand one key from the saved payloads", async () => {
    await open();
    await screen.press("l").until("Tab shows templates");
    await screen.press("\t").until("clean-payment");
    await screen.press("\t").until("No payload is saved yet.");
  });
});
