// What is sent, and what is asked first: on a live profile, on leaving, and after a console that ended in between.

import { expect, it } from "vitest";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { challenge } from "../state/checking.ts";
import { intent } from "../storage/entries.ts";
import { LIVE } from "./live-context.ts";
import { live } from "./live-stage.tsx";
import { answered } from "./test-context.ts";

const ENTER = "\r";
const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_500, currency: 980 };

/** Waits until a check has left. */
const underWay = (model: ConsoleModel) =>
  expect.poll(() => model.checks.store.getState().inFlight?.id ?? null).not.toBeNull();

const UNKNOWN = { ...answered("pass"), outcome: "unknown", recommendation: null, message: null } as const;

it("asks before a check without amount and currency, and no Enter answers", async () => {
  const { screen, sent } = await live();
  await screen.press(ENTER).until("Missing: Amount, Currency; the service may refuse it.");
  for (let count = 0; count < 3; count += 1) screen.press(ENTER);
  // A key that works shows that those before it were dealt with.
  await screen.press("n").until(/Not sent: o-\w{8}/);
  expect(sent()).toBe(0);
  await screen.press(ENTER).until("y send it");
  await screen.press("y").until("✔ PASS");
  expect(sent()).toBe(1);
});

it("opens with Enter the check that j points at, and sends it to nobody", async () => {
  const { screen, model, sent } = await live();
  model.composer.loadRequest(PAYMENT, { from: null });
  await screen.until("125.00 UAH");
  await screen.press(ENTER).until("✔ PASS");
  expect(await screen.press("j").until(/› +[\d:]+ +✔ PASS/)).toMatch(/Enter open +Esc back to Send/);
  await screen.press(ENTER).until("Why  o-1");
  await screen.press("\u001b").until("Esc back to Send");
  await screen.press("\u001b").until("› Send check to LIVE");
  expect([sent(), model.session.store.getState().dialog]).toEqual([1, null]);
});

it.each(["j", "k", "g", "G"])("sends nothing by %s and Enter while no check has been sent", async (key) => {
  const { screen, model, sent } = await live();
  model.composer.loadRequest(PAYMENT, { from: null });
  await screen.until("125.00 UAH");
  await screen.press(key).until("Esc back to Send");
  screen.press(ENTER);
  await screen.press("\u001b").until("› Send check to LIVE");
  expect(sent()).toBe(0);
  await screen.press(ENTER).until("✔ PASS");
  expect(sent()).toBe(1);
});

it("shows at once, and sends nothing more, when another session makes the profile read-only", async () => {
  const { screen, model, sent } = await live();
  await (await model.context.profiles()).put({ ...LIVE, readOnly: true });
  await screen.until("READ-ONLY");
  await screen.until("Read-only: nothing is sent to the service");
  await screen.press(ENTER).until("is read-only, so nothing is sent");
  expect(sent()).toBe(0);
});

it("asks before another attempt of a check whose outcome is unknown; its own key sends it", async () => {
  const { screen, model, sent } = await live({ check: () => UNKNOWN });
  model.composer.loadRequest(PAYMENT, { from: null });
  await screen.until("125.00 UAH");
  await screen.press(ENTER).until("sends the payment again");
  await screen.press(ENTER).until(/Its last attempt got no verdict, and may have\s+arrived/);
  await screen.press("n").until("Not sent: o-1, 125.00 UAH.");
  expect(sent()).toBe(1);
  screen.press("a");
  await expect.poll(sent).toBe(2);
});

it("shows amount and currency at 60x16 when Enter sends, and both noes of the question about 3-D Secure", async () => {
  const { screen, model } = await live({ check: () => challenge() }, { columns: 60, rows: 16 });
  model.composer.loadRequest(PAYMENT, { from: null });
  model.composer.focus("payer.payer_ip");
  await screen.until("› IP address");
  model.composer.focus("submit");
  await screen.until((frame) => /› Send check to LIVE/.test(frame) && /Amount +12500/.test(frame));
  expect(screen.frame()).toMatch(/Currency +980/);
  expect(await screen.press(ENTER).until("n no, block")).toContain("Esc later");
});

it("cancels the check under way at the first q, leaves at the second, and names what has no outcome", async () => {
  let isCut = false;
  const { screen, model, quits } = await live({
    check: (_, signal) =>
      new Promise((resolve) => {
        signal!.addEventListener("abort", () => {
          isCut = true;
          resolve(UNKNOWN);
        });
      }),
  });
  model.composer.loadRequest(PAYMENT, { from: null });
  await screen.until("125.00 UAH");
  screen.press(ENTER);
  await underWay(model);
  expect(model.summary()).toContain("\n1 check sent without an answer: o-1; outcome unknown.");
  await screen.press("q").until("The check is cancelled; press q again to quit.");
  expect([isCut, quits()]).toEqual([true, 0]);
  await screen.until("sends the payment again");
  screen.press("q");
  await expect.poll(quits).toBe(1);
  const said = model.summary();
  expect(said).toContain("1 check was sent in this session");
  expect(said).toContain("\n1 check sent without an answer: o-1; outcome unknown.");
});

it("names what was under way when the line dropped, and nothing that got its answer later", async () => {
  let answer = UNKNOWN as ReturnType<typeof answered>;
  const { screen, model, sent } = await live({
    check: (_, signal) =>
      new Promise((resolve) => {
        if (answer !== UNKNOWN) return resolve(answer);
        signal!.addEventListener("abort", () => resolve(answer));
      }),
  });
  model.composer.loadRequest(PAYMENT, { from: null });
  await screen.until("125.00 UAH");
  screen.press(ENTER);
  await underWay(model);
  await screen.press("\u001b").until("sends the payment again");
  answer = answered("pass");
  await screen.press("a").until("✔ PASS");
  expect(sent()).toBe(2);
  expect(model.summary()).not.toContain("without an answer");
  answer = UNKNOWN;
  screen.press(ENTER);
  await underWay(model);
  await model.close();
  expect(model.summary()).toMatch(/\n1 check sent without an answer: o-\w{8}; outcome unknown\.$/);
});

it.each([{ ...LIVE, name: "shop-test", environment: "TEST" as const }, LIVE])(
  "goes on with a check that was under way when the console before ended: $environment",
  async (profile) => {
    const lost = (request: CheckRequest): HistoryEntry => ({
      ...intent("0".repeat(19), { profile: profile.name, project: "shop/medium" }),
      request: { ...request, order_id: "o-lost" },
    });
    const { screen, model } = await live({}, {}, profile, (request) => [lost(request)]);
    await screen.until("? UNKNOWN");
    const frame = await screen.until("a sends the payment again");
    expect(frame).not.toContain("Nothing sent yet");
    expect(frame).toMatch(/Order id +o-lost/);
    await screen.press("a").until("PASS");
    const [again, first] = model.checks.store.getState().entries;
    expect(again).toMatchObject({ repeats: first!.id, request: { order_id: "o-lost" } });
  },
);

it("proposes a fresh order id where the form holds another payment than the one without a verdict", async () => {
  const entry = intent("0".repeat(19), { profile: LIVE.name, project: "shop/medium" });
  const { screen } = await live({}, {}, LIVE, () => [{ ...entry, request: PAYMENT }]);
  expect(await screen.until("a sends the payment again")).not.toMatch(/Order id +o-1 /);
});

it("shows beside the answer what was before of its order, card and payer, also on the page and to an audience", async () => {
  const card = { bin_card: 444_433, cin_card: 42, expiration_month: 9, expiration_year: 29 };
  const payment = { ...PAYMENT, payer: { email: "olena@shop.example" }, card };
  const blocked = answered("block");
  const { screen, model } = await live({}, { columns: 120, rows: 40 }, LIVE, () => [
    intent("e1", { at: Date.now() - 60_000, profile: LIVE.name, request: payment, result: blocked }),
  ]);
  model.composer.loadRequest({ ...payment, order_id: "o-2" }, { from: null });
  screen.press(ENTER);
  const isShown = /Before this check[^]*Order +no check\b/;
  await screen.until(isShown);
  const card24 = /Card +1 check in 24 h, 1 blocked/;
  expect(screen.frame()).toMatch(card24);
  expect(screen.frame()).toMatch(/Payer +1 check in 24 h, 1 blocked/);
  expect(await screen.press("p").until("PRESENTER")).toMatch(card24);
  expect(await screen.press("i").until("Why  o-2")).toMatch(card24);
  await screen.press("\u001b[27u4").until("Why");
  await screen.until(card24);
});
