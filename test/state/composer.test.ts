// The composer: what the texts make up, what keeps it from being sent, and which order id it carries.

import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import { validateBody } from "#src/contract/fields/validate.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createOrderIds } from "#src/state/check/composer.ts";
import { answered, type TestService } from "../console/test-context.ts";
import { checking, NOON, type Checking } from "./checking.ts";

let desk: Checking;
const answers: TestService = {};

beforeEach(async () => {
  delete answers.check;
  answers.now = () => NOON;
  desk = await checking(answers);
});
afterEach(() => desk.remove());

/** Replaces the text of a field as a user would. */
function enter(path: string, text: string): void {
  desk.composer.focus(path);
  desk.composer.key("end");
  desk.composer.key("ctrl+u");
  desk.composer.enter(text);
}
const text = (path: string): string => desk.composer.store.getState().fields[path]!.text;
const sentRequests = () => desk.checks.store.getState().entries.map((entry) => entry.request);

test.each([
  ['{"log":{"entries":[{"request":{"cookies":["SECRET"]}}]}}', /HAR file/],
  ['{"name":"shop","version":"1.0.0","description":"SECRET"}', /package file of npm/],
  ["{}", /no field of a check request/],
])("what is no payment is refused by its name, pasted and from the editor: %s", async (document, named) => {
  const before = desk.composer.toRequest();
  for (const take of [desk.composer.pasteJson, desk.composer.takeText]) {
    expect(take(document)).toBe(false);
    expect(desk.said().at(-1)).toMatch(named);
    expect(desk.said().at(-1)).not.toContain("SECRET");
  }
  expect(desk.composer.toRequest()).toEqual(before);
});

test("a request without any field is not sent", async () => {
  for (const { path } of CHECK_FIELDS) enter(path, "");
  enter("description", "a note");
  await desk.composer.send();
  expect(desk.said().at(-1)).toMatch(/^It has no field of a check request/);
  expect(sentRequests()).toEqual([]);
});

test("it opens on Send with a payment that may be sent as it is", () => {
  expect(desk.composer.store.getState().focus).toBe("submit");
  const draft = desk.composer.draft();
  expect(draft).toMatchObject({ blocked: null, warnings: [], repeats: null });
  expect(validateBody(CHECK_FIELDS, draft.request, { now: NOON })).toEqual([]);
  expect(draft.request).toMatchObject({
    operation: "payment",
    amount: 12_000,
    currency: 980,
    terminal_id: "web-1",
    card: { cin_card: 42 },
  });
  expect(CHECK_FIELDS.filter(({ path }) => text(path) === "")).toEqual([]);
  // As people write it, not as it is sent.
  expect(text("card.cin_card")).toBe("0042");
});

test("the focus goes round through every field and back to Send", () => {
  const seen = [];
  for (let step = 0; step <= CHECK_FIELDS.length; step += 1) {
    desk.composer.move(1);
    seen.push(desk.composer.store.getState().focus);
  }
  expect(seen).toEqual([...CHECK_FIELDS.map(({ path }) => path), "submit"]);
  desk.composer.move(-1);
  expect(desk.composer.store.getState().focus).toBe("card.expiration_year");
});

test("hints follow what is typed", () => {
  expect(desk.composer.draft().hints.get("amount")).toBe("120.00 UAH");
  enter("currency", "jpy");
  const { request, hints } = desk.composer.draft();
  expect(request.currency).toBe(392);
  expect(hints.get("amount")).toBe("12 000 JPY");
  expect(hints.get("currency")).toBe("JPY, 0 decimals, Yen");
});

test("a currency that is not in the standard is warned of and sent, but not to the sandbox", async () => {
  enter("currency", "975");
  expect(desk.composer.draft().blocked?.message).toContain("975 was BGN");
  const service = { ...answers, check: () => answered("pass") };
  const other = await checking(service, true, { environment: "TEST", baseUrl: "https://check.example" });
  other.composer.loadRequest({ ...desk.composer.toRequest(), currency: 975 }, { from: null });
  const { blocked, warnings } = other.composer.draft();
  expect(blocked).toBeNull();
  expect(warnings).toEqual([expect.stringContaining("975 was BGN")]);
  await other.composer.send();
  expect(other.checks.store.getState().entries[0]?.request.currency).toBe(975);
  await other.remove();
});

test.each([
  ["amount", "12.50", "amount must be a whole number"],
  ["payer.email", "olena", "E-mail must be an e-mail address"],
  ["currency", "804", "whose currency UAH is 980"],
  ["card.expiration_month", "13", "must be a whole number from 1 to 12"],
  ["description", "card 4111 1111 1111 1111", "full card number"],
])("an error in %s keeps the request from being sent", async (path, typed, sentence) => {
  enter(path, typed);
  expect(desk.composer.draft().blocked).toMatchObject({ path, message: expect.stringContaining(sentence) });
  await desk.composer.send();
  expect(sentRequests()).toEqual([]);
  expect(desk.said()[0]).toContain(sentence);
  // What was typed is never taken away.
  expect(text(path)).toBe(typed);
});

test("an empty field is left out; a missing one is a warning that goes along", async () => {
  enter("payer.email", "");
  enter("operation", "");
  expect(desk.composer.toRequest()).not.toHaveProperty("operation");
  expect(desk.composer.toRequest().payer).not.toHaveProperty("email");
  expect(desk.composer.draft()).toMatchObject({ blocked: null, warnings: ["operation is missing."] });
  await desk.composer.send();
  expect(desk.checks.store.getState().entries[0]!.warnings).toEqual(["operation is missing."]);
});

test("typing can be undone, and a paste into a field is one edit on one line", () => {
  desk.composer.focus("description");
  desk.composer.key("ctrl+u");
  desk.composer.paste("first\nsecond\n");
  expect(text("description")).toBe("first second");
  desk.composer.key("ctrl+_");
  expect(text("description")).toBe("");
  desk.composer.key("ctrl+_");
  expect(text("description")).toBe("Order in the demo shop");
  expect(desk.composer.key("f5")).toBe(false);
  desk.composer.focus("submit");
  const { fields } = desk.composer.store.getState();
  desk.composer.enter("x");
  expect(desk.composer.store.getState().fields).toEqual(fields);
  expect(desk.composer.key("left")).toBe(false);
});

test("after an answer the order id is fresh; with the same one it is the same request, a repeat", async () => {
  const order = text("order_id");
  await desk.composer.send();
  expect(text("order_id")).not.toBe(order);
  expect(desk.composer.draft().repeats).toBeNull();
  expect(desk.composer.sameOrder()).toBe(true);
  expect(desk.composer.draft().repeats).toMatchObject({ orderId: order, answered: true });
  await desk.composer.send();
  const [second, first] = desk.checks.store.getState().entries;
  expect(second).toMatchObject({ repeats: first!.id, request: { order_id: order } });
  desk.composer.sameOrder();
  enter("amount", "13000");
  expect(desk.composer.draft().repeats).toBeNull();
});

test("without a verdict the order id stays: sending again is another attempt", async () => {
  const order = text("order_id");
  answers.check = () => answered(null, { outcome: "unknown", reason: "deadline", message: null });
  await desk.composer.send();
  expect(text("order_id")).toBe(order);
  expect(desk.composer.draft().repeats).toMatchObject({ orderId: order, answered: false });
  desk.composer.freshOrder();
  expect(desk.composer.draft().repeats).toBeNull();
});

test("what was not sent is no attempt, and leaves the one before it", async () => {
  const notSent = answered(null, { outcome: "not_sent", reason: "connect", message: null });
  answers.check = () => notSent;
  await desk.composer.send();
  expect(desk.composer.draft().repeats).toBeNull();
  answers.check = () => answered(null, { outcome: "unknown", reason: "deadline", message: null });
  await desk.composer.send();
  const [lost] = desk.checks.store.getState().entries;
  answers.check = () => notSent;
  await desk.composer.send();
  expect(desk.composer.draft().repeats).toMatchObject({ entryId: lost!.id, answered: false });
});

test("an order id that was changed while the answer was under way is kept", async () => {
  answers.check = () => {
    enter("order_id", "mine");
    return answered("pass");
  };
  await desk.composer.send();
  expect(text("order_id")).toBe("mine");
});

test("pasted JSON becomes the whole payload, an envelope too, and can be taken back", () => {
  const before = desk.composer.toRequest();
  desk.composer.paste(
    '{"name":"Refund","request":{"operation":"refund","amount":5,"currency":978,"order_id":"A-1"}}',
  );
  expect(desk.composer.toRequest()).toEqual({
    operation: "refund",
    amount: 5,
    currency: 978,
    order_id: "A-1",
  });
  expect(text("payer.email")).toBe("");
  expect(desk.said()).toEqual([expect.stringContaining('"Refund" is ready to send')]);
  expect(desk.composer.undoLoad()).toBe(true);
  expect(desk.composer.toRequest()).toEqual(before);
  expect(desk.composer.undoLoad()).toBe(false);
});

test.each([
  ["not JSON", "hello", /Pasted text/],
  ["a wrong type", '{"amount":"12000"}', /amount must be a whole number/],
  ["a card number", '{"description":"4111111111111111"}', /full card number/],
  ["a forbidden key", '{"card":{"cvv":"123"}}', /card\.cvv is not allowed/],
  ["a list", "[1,2]", /a list/],
])("pasting %s is refused with its sentence and changes nothing", (_, pasted, sentence) => {
  const before = desk.composer.store.getState();
  expect(desk.composer.pasteJson(pasted)).toBe(false);
  expect(desk.said()[0]).toMatch(sentence);
  expect(desk.said()[0]).not.toContain("4111111111111111");
  expect(desk.composer.store.getState()).toBe(before);
});

test("what was loaded is sent as it is, unknown keys included, until a text changes it", () => {
  const odd = {
    operation: "payment",
    order_id: "A-1",
    description: "",
    extra: { deep: [1] },
    card: { bank: "x" },
  };
  desk.composer.loadRequest(odd as CheckRequest, { from: null });
  expect(desk.composer.toRequest()).toEqual(odd);
  enter("card.holder", "ANNA");
  expect(desk.composer.toRequest()).toEqual({ ...odd, card: { holder: "ANNA", bank: "x" } });
});

test("a row loaded again is a repeat while it is unchanged", () => {
  const request = { operation: "payment", currency: 980, amount: 7, order_id: "A-1" };
  desk.composer.loadRequest(request, { from: "row-1" });
  expect(desk.composer.draft().repeats).toMatchObject({ entryId: "row-1", answered: true });
  desk.composer.loadRequest(request, { from: "row-1", repeats: "row-1" });
  expect(desk.composer.draft().repeats).toMatchObject({ entryId: "row-1", answered: false });
});

test("every request that may be sent survives being loaded", () => {
  const field = fc.record(
    {
      operation: fc.string({ minLength: 1, maxLength: 20 }),
      order_id: fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
      amount: fc.maxSafeNat(),
      currency: fc.constantFrom(980, 978, 392, 36),
      description: fc.string({ maxLength: 30, unit: "grapheme" }),
      card: fc.record({ cin_card: fc.nat(9999), expiration_month: fc.integer({ min: 1, max: 12 }) }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(field, (request) => {
      desk.composer.loadRequest(request, { from: null });
      expect(desk.composer.toRequest()).toEqual(request);
    }),
  );
});

test("what a field says is what a payload with the same value says", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("payer.email", "payer.payer_ip", "payer.number_phone"),
      fc.string(),
      (path, typed) => {
        fc.pre(typed !== "" && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(typed));
        enter(path, typed);
        const refused = desk.composer.draft().findings.get(path)?.severity === "error";
        const [parent, key] = path.split(".") as [string, string];
        const payload = new TextEncoder().encode(
          JSON.stringify({ order_id: "A", [parent]: { [key]: typed } }),
        );
        let refusedAsPayload = false;
        try {
          readPayload(payload, "p", [], NOON);
        } catch {
          refusedAsPayload = true;
        }
        expect(refused).toBe(refusedAsPayload);
      },
    ),
  );
});

test("order ids are never the same, sort by time, and are short", () => {
  let now = NOON;
  const next = createOrderIds(() => now, "5e1f0a");
  const ids = [next(), next(), next()];
  now += 60_000;
  ids.push(next());
  now -= 3_600_000;
  ids.push(next());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^o-[0-9a-z]{8}$/);
});

test("two consoles at one home never offer the same order id", () => {
  const clocks = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(clocks, clocks, (one, other) => {
      const offered = (steps: readonly number[], session: string): string[] => {
        let now = NOON;
        const next = createOrderIds(() => now, session);
        return steps.map((seconds) => {
          now += seconds * 1_000;
          return next();
        });
      };
      expect(offered(one, "0a7c31").filter((id) => offered(other, "0a7c32").includes(id))).toEqual([]);
    }),
  );
});

test("a payload that is loaded, pasted or brought back takes the verdict of another one away", async () => {
  const shown = () => desk.checks.store.getState().shownId;
  await desk.composer.send();
  expect(shown()).not.toBeNull();
  desk.composer.pasteJson('{"order_id":"A-1"}');
  expect(shown()).toBeNull();
  desk.checks.select("first");
  desk.composer.undoLoad();
  expect(shown()).toBeNull();
  desk.checks.select("first");
  desk.composer.loadRequest({ order_id: "A-2" }, { from: null });
  expect(shown()).toBeNull();
});

test.each(["TEST", "LIVE"] as const)("on a %s profile nothing is made up", async (environment) => {
  const real = await checking({}, true, { environment });
  const { order_id: orderId, ...rest } = real.composer.toRequest();
  expect(rest).toEqual({ operation: "payment" });
  expect(orderId).toMatch(/^o-/);
  // "press 2 to register one" has to work as it stands there.
  expect(real.composer.store.getState().focus).toBe("submit");
  await real.remove();
});

test.each(["TEST", "LIVE"] as const)("the first check on a %s profile asks nothing", async (environment) => {
  const real = await checking({}, true, { environment });
  await real.composer.send();
  expect(real.session.store.getState().dialog).toBeNull();
  expect(real.checks.store.getState().entries).toHaveLength(1);
  await real.remove();
});

test("a pasted curl command becomes its body, and one without a body is refused", () => {
  const curl = `$ curl -sS -X POST https://risk.example/v1/check -H 'x-key-id: k' \\
  --data-raw '{"operation":"payment","order_id":"o-9","amount":4200,"currency":978}'`;
  expect(desk.composer.pasteJson(curl)).toBe(true);
  expect(desk.composer.toRequest()).toEqual({
    operation: "payment",
    order_id: "o-9",
    amount: 4_200,
    currency: 978,
  });
  expect(desk.said().at(-1)).toContain("The body of the curl command is ready to send");
  expect(desk.composer.pasteJson("curl https://risk.example/v1/check")).toBe(false);
  expect(desk.said().at(-1)).toContain("no body");
  expect(desk.composer.pasteJson(`curl https://r.example -d '{"description":"4111 1111 1111 1111"}'`)).toBe(
    false,
  );
  expect(desk.composer.toRequest().order_id).toBe("o-9");
  desk.composer.undoLoad();
  expect(desk.composer.toRequest().order_id).not.toBe("o-9");
});

test("one line says everything that is wrong and missing", async () => {
  enter("payer.email", "nobody");
  enter("card.expiration_month", "13");
  enter("order_id", "");
  await desk.composer.send();
  expect(desk.said().at(-1)).toBe(
    "Expiry month must be a whole number from 1 to 12. Also wrong: E-mail. Missing: Order id.",
  );
});
