// A range of checks in the History screen: it grows with the pointer, is kept by identity, and is what the keys act on.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { extendedRange, ownOf } from "#src/state/history/history-range.ts";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { accepted, fill } from "../storage/searched.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { KEY, SIZES } from "./driver.tsx";
import { ENTRIES, NOW, listed, openHistory, rowOf, show } from "./history-stage.tsx";

const { down: DOWN, esc: ESC } = KEY;

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    intent(`m${String(index).padStart(4, "0")}`, { at: NOW + index }),
  );

it("tells the entries of a profile and a project by their exact names", async () => {
  const names = [
    ["live", "shop/low"],
    ["Live", "shop/low"],
    ["live", "Shop/low"],
    ["live", "my-shop/low"],
  ] as const;
  const history = historyIn(temporaryFolder());
  onTestFinished(() => history.close());
  await fill(
    history,
    names.map(([profile, project], index) => intent(`e${index}`, { profile, project })),
  );
  expect(await accepted(history, names, ownOf("", "live", "shop/low"), NOW)).toEqual([names[0]]);
});

describe("a range that grows", () => {
  it("is what lies between its beginning and the pointer, whatever part of the list is in memory", () => {
    fc.assert(
      fc.property(
        fc.nat(99),
        fc.array(fc.tuple(fc.nat(99), fc.nat(20), fc.nat(20)), { minLength: 1, maxLength: 12 }),
        (began, moves) => {
          const list = many(100);
          let range: readonly string[] = [list[began]!.id];
          let at = began;
          for (const [to, before, behind] of moves) {
            const from = Math.max(0, Math.min(at, to) - before);
            range = extendedRange(range, list.slice(from, Math.max(at, to) + 1 + behind), list[to]!.id);
            at = to;
            const between = list.slice(Math.min(began, at), Math.max(began, at) + 1).map(({ id }) => id);
            expect(range).toEqual(at < began ? between.toReversed() : between);
          }
        },
      ),
    );
  });
});

describe("a range in the list", () => {
  it.each(SIZES)("marks its rows at $columns x $rows, says how many, and ends with Esc", async (size) => {
    const { screen } = await listed(ENTRIES, size);
    await screen.press("v").until("1 of 4, 1 selected");
    const frame = await screen.press(`j${DOWN}`).until("3 of 4, 3 selected");
    expect(rowOf(frame, " o-4")).toMatch(/^▌/);
    expect(rowOf(frame, " o-3")).toMatch(/^▌/);
    expect(frame).toMatch(/^› .* o-2\b/m);
    expect(rowOf(frame, " o-1")).toMatch(/^ /);
    expect(await screen.press(ESC).until(/3 of 4(?: |$)/m)).not.toContain("▌");
  });

  it("has a sign in ASCII, and reaches as far as G and the pages go", async () => {
    const { screen } = await listed(many(450), { columns: 60, rows: 20, ascii: true });
    const paged = await screen.press("jv\u001b[6~").until("17 of 450, 16 selected");
    expect(paged.split("\n").filter((line) => line.startsWith(":"))).toHaveLength(14);
    await screen.press("G").until("450 of 450, 449 selected");
    await screen.press("k").until("449 of 450, 448 selected");
    await screen.press("g").until("1 of 450, 2 selected");
  });

  it("does not go further than can be acted on at once", async () => {
    const { screen, model } = await listed(many(1_200), { columns: 60, rows: 20 });
    screen.press("vG");
    await expect
      .poll(() => model.session.store.getState().toasts[0]?.text ?? "")
      .toContain("at most 1 000 checks");
    await screen.until("1 of 1 200, 1 selected");
  });

  it("says that it is full, and ends at its last check", async () => {
    const { screen, model } = await listed(many(1_200), { columns: 60, rows: 20 });
    await screen.press("v").until("1 selected");
    const said = () => model.session.store.getState().toasts.at(-1)?.text ?? "";
    for (let at = 1; at <= 1_000; at += 250) {
      const { range } = model.history.store.getState();
      expect([range?.length, said()]).toEqual([at, ""]);
      for (let step = 0; step < 10; step += 1) {
        const before = model.history.store.getState().selectedId;
        model.history.select(25);
        await expect.poll(() => model.history.store.getState().selectedId).not.toBe(before);
      }
    }
    expect(said()).toContain("at most 1 000 checks");
    expect(model.history.store.getState().range).toHaveLength(1_000);
  });

  it("stays on its checks when another one comes", async () => {
    const { screen, model } = await show(ENTRIES);
    model.session.go("history");
    await screen.until("1 of 4");
    await screen.press("vj").until("2 of 4, 2 selected");
    const store = await model.context.history();
    await store.intend(intent("e5", { at: NOW, request: { order_id: "o-5", amount: 1, currency: 980 } }));
    await model.checks.load();
    const frame = await screen.until("3 of 5, 2 selected");
    expect(rowOf(frame, " o-5 ")).toMatch(/^ /);
    expect(rowOf(frame, " o-4 ")).toMatch(/^▌/);
    expect(rowOf(frame, " o-3 ")).toMatch(/^›/);
    expect(model.history.store.getState().range).toEqual(["e4", "e3"]);
  });
});

describe("the keys of a range", () => {
  it("act on its checks and no other, and the words say how many", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("4").until("1 of 4");
    const ranged = await screen.press("jvj").until("2 selected");
    expect(ranged.split("\n").at(-1)).toMatch(/R resend range {3}E export range {3}s save range {3}Esc end/);
    screen.model.session.setProject("merchant-7/medium");
    const asked = await screen.press("R").until("y send");
    expect(asked.replaceAll(/[\s│]+/g, " ")).toContain(
      "Send 2 checks of the selection again for the project",
    );
    await screen.press(ESC).until("2 selected");
    await screen.press("E").until("Export 2 selected to");
    const file = join(screen.model.context.home.data, "two.json");
    await screen.press(`${file}\r`).until("2 entries are in");
    const written = JSON.parse(readFileSync(file, "utf8")) as { id: string }[];
    expect(written.map(({ id }) => id)).toEqual(["e2", "e3"]);
  });

  it("save its requests under their order ids, numbered where one repeats, and overwrite nothing", async () => {
    const at = (index: number, order_id: string) =>
      intent(`s${index}`, {
        at: NOW + index,
        request: { order_id, amount: index, currency: 980 },
        result: answer({ recommendation: "block" }),
      });
    const entries = [at(1, "o 1/a"), at(2, "o-9"), at(3, "o 1/a"), at(4, "con"), at(5, "other")];
    const { screen, model } = await show(entries);
    const payloads = await model.context.payloads();
    const older = { name: "o-9", expect: null, tags: [], request: { order_id: "mine" } };
    await payloads.save(older, false);
    await screen.until("1 of 5");
    screen.press("jvGs");
    const dialog = () => model.session.store.getState().dialog;
    await expect.poll(() => dialog()?.text ?? "").toContain("Save 4 requests as payloads");
    model.session.answer(true);
    await expect
      .poll(() => model.session.store.getState().toasts.at(-1)?.text ?? "")
      .toMatch(/^3 payloads saved; .* Not saved: "o-9" exists already\.$/);
    expect((await payloads.list()).map(({ name }) => name).toSorted()).toEqual(
      ["o-1-a", "o-1-a-2", "o-9", "payment"].toSorted(),
    );
    expect(await payloads.read("o-9")).toMatchObject(older);
    expect(await payloads.read("o-1-a-2")).toMatchObject({
      expect: "block",
      request: { amount: 3 },
    });
  });
});
