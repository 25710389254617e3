// The draft in the form of a check: kept over the end of the console, without what must not be on disk.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { createComposer } from "#src/state/check/composer.ts";
import { createDraftKeeping } from "#src/state/check/draft-keeping.ts";
import { answered } from "../console/test-context.ts";
import { checking, NOON, type Checking } from "./checking.ts";
import { createFakeTime } from "./fake-time.ts";

const CARD = "4444333322221111";

let desk: Checking;
const time = createFakeTime(NOON);

beforeEach(async () => {
  desk = await checking();
});
afterEach(() => desk.remove());

/** A form of a console that starts now, and what keeps it. */
function console(profile: Partial<Profile> = {}) {
  const context = { ...desk.context, profile: { ...desk.context.profile, ...profile } };
  const composer = createComposer(context, desk.session, desk.checks);
  const keeping = createDraftKeeping(context, desk.session, composer, time.after);
  const text = (path: string): string => composer.store.getState().fields[path]!.text;
  const enter = (path: string, typed: string): void => {
    composer.focus(path);
    composer.key("end");
    composer.key("ctrl+u");
    composer.enter(typed);
  };
  return { composer, keeping, text, enter };
}

const file = (): string => join(desk.context.home.state, "drafts.json");

test("what was typed is there at the next start, is said once, and is undone by a key", async () => {
  const first = console();
  await first.keeping.restore();
  first.enter("amount", "777");
  first.enter("order_id", "mine-1");
  await first.keeping.end();
  const second = console();
  await second.keeping.restore();
  expect([second.text("amount"), second.text("order_id")]).toEqual(["777", "mine-1"]);
  expect(second.composer.store.getState().focus).toBe("submit");
  expect(desk.said()).toEqual(["The form has the payment of the last session; u starts a new payment."]);
  second.composer.undoLoad();
  expect(second.text("amount")).toBe("12000");
  await second.keeping.end();
  await console().keeping.restore();
  expect(desk.said()).toHaveLength(1);
});

test("it is written when the form stands still, and a form that nobody touched writes nothing", async () => {
  const untouched = console();
  await untouched.keeping.restore();
  await untouched.keeping.end();
  expect(existsSync(file())).toBe(false);
  const typed = console();
  typed.enter("amount", "777");
  time.pass(999);
  expect(existsSync(file())).toBe(false);
  time.pass(1);
  await expect.poll(() => existsSync(file()) && readFileSync(file(), "utf8")).toContain("777");
});

test("an order id that was made here, or sent, is another one the next time", async () => {
  desk.answers.check = () => answered(null, { outcome: "unknown", message: null });
  const first = console();
  first.enter("amount", "777");
  first.enter("order_id", "mine-1");
  await first.composer.send();
  await first.keeping.end();
  const second = console();
  await second.keeping.restore();
  expect(second.text("amount")).toBe("777");
  expect(second.text("order_id")).toMatch(/^o-/);
});

test("a payload keeps its name and its expected verdict; what is wrong is not kept, and the form before is", async () => {
  const first = console();
  const facts = { name: "big", expect: "block", tags: ["x"] } as const;
  first.composer.loadPayload({ ...facts, request: { amount: 5, other: { a: 1 } } as object });
  time.pass(1_000);
  await expect.poll(() => existsSync(file())).toBe(true);
  first.enter("description", `card ${CARD}`);
  await first.keeping.end();
  expect(readFileSync(file(), "utf8")).not.toContain(CARD);
  const second = console();
  await second.keeping.restore();
  expect(second.composer.store.getState().payload).toEqual(facts);
  expect(second.composer.toRequest()).toMatchObject({ amount: 5, other: { a: 1 } });
  expect(second.text("description")).toBe("");
});

test.each([
  ["on a live profile", { environment: "LIVE" } as const, ""],
  ["beside what was typed ahead", {}, "5"],
])("%s it lies behind the key that undoes", async (_, profile, ahead) => {
  const first = console(profile);
  first.enter("amount", "777");
  await first.keeping.end();
  const second = console(profile);
  if (ahead !== "") second.enter("amount", ahead);
  await second.keeping.restore();
  expect(second.text("amount")).toBe(ahead);
  expect(desk.said().at(-1)).toBe("The payment of the last session is kept; u brings it back.");
  second.composer.undoLoad();
  expect(second.text("amount")).toBe("777");
});

test("a payment from another profile is not kept: the next start would send it without its question", async () => {
  const TEST = { name: "staging", environment: "TEST" } as const;
  const first = console(TEST);
  first.enter("amount", "777");
  await first.keeping.end();
  const second = console(TEST);
  await second.keeping.restore();
  second.composer.loadRequest(
    { order_id: "o-9", amount: 900, currency: 980 },
    { from: null, profile: "other" },
  );
  second.enter("description", "changed");
  expect(second.composer.doubts()).toHaveLength(1);
  await second.keeping.end();
  const third = console(TEST);
  await third.keeping.restore();
  expect(third.text("amount")).toBe("");
});

test("another profile has a draft of its own", async () => {
  const first = console();
  first.enter("amount", "777");
  await first.keeping.end();
  const other = console({ name: "other" });
  await other.keeping.restore();
  expect(other.text("amount")).toBe("12000");
});

test("a damaged draft is ignored with one sentence, and a home that cannot be written is no hindrance", async () => {
  mkdirSync(desk.context.home.state, { recursive: true, mode: 0o700 });
  writeFileSync(file(), "{", { mode: 0o600 });
  const { keeping, enter, text } = console();
  await keeping.restore();
  expect(desk.said()).toEqual([expect.stringMatching(/drafts\.json is damaged/)]);
  expect(text("amount")).toBe("12000");
  enter("amount", "777");
  await keeping.end();
  expect(desk.said()).toHaveLength(1);
});

test("whatever is typed, no card number is kept, and nothing that the form does not accept", async () => {
  const typed = fc.oneof(
    fc.string(),
    fc.constantFrom(CARD, "4444 3333 2222 1111", `card ${CARD} of mine`, "12000", "980", "a@b.example", ""),
  );
  const path = fc.constantFrom(...CHECK_FIELDS.map((field) => field.path));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(path, typed), { maxLength: 4 }), async (texts) => {
      const { enter, keeping } = console();
      for (const [where, text] of texts) enter(where, text);
      await keeping.end();
      const kept = (await (await desk.context.drafts()).read())[desk.context.profile.name];
      if (kept === undefined) return;
      expect(findCardData(JSON.parse(kept))).toBeNull();
      const next = console();
      await next.keeping.restore();
      expect(next.composer.draft().blocked).toBeNull();
    }),
    { numRuns: 60 },
  );
});
