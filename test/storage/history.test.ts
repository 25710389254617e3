// The history: an intent survives everything, and what is learned later finds its entry.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { Secret } from "#src/contract/secret.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function open(dir = temporaryFolder()): { history: History; dir: string; text: () => string } {
  const history = historyIn(dir);
  onTestFinished(() => history.close());
  // Read by another process: closing a file of a database drops the locks that this one holds on it.
  const text = (): string =>
    readdirSync(dir)
      .map((name) => execFileSync("cat", [join(dir, name)], { encoding: "latin1" }))
      .join("");
  return { history, dir, text };
}

const EXPLANATION: Explanation = {
  id: "d-1",
  recommendation: "block",
  message: "Too many attempts",
  at: 1,
  projectId: "p",
  riskLevel: "low",
  orderId: null,
  score: 90,
  thresholds: { threeDs: 50, block: 90 },
  decidedBy: "block_score",
  rules: [],
  counters: [],
  ruleSetHash: "00",
  repeat: false,
};

describe("an entry", () => {
  it("without an outcome is read back as unknown, also by another process's eyes", async () => {
    const { history, dir } = open();
    await history.intend(intent("a"));
    const other = open(dir).history;
    expect(await other.latest(5)).toEqual([intent("a")]);
  });

  it("is on every page that holds its place, also on one that begins before the newest", async () => {
    const { history } = open();
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) await history.intend(intent(id));
    const newest = ids.toReversed();
    for (let from = -4; from < 7; from++) {
      for (let count = 0; count < 8; count++) {
        const shown = (await history.page(from, count)).map(({ id }) => id);
        expect([from, count, shown]).toEqual([
          from,
          count,
          newest.slice(Math.max(0, from), Math.max(0, from + count)),
        ]);
      }
    }
  });

  it("has what was learned later, the last word of each", async () => {
    const { history, dir } = open();
    await history.intend(intent("a"));
    await history.intend(intent("b"));
    const settled = intent("a", { result: answer(), finalAction: null, warnings: ["The clock is off."] });
    await history.settle(settled);
    await history.annotate("a", "first");
    await history.decide("a", "3ds");
    await history.annotate("a", "second");
    await history.explain("a", EXPLANATION);
    await history.annotate("b", "gone");
    await history.annotate("b", null);
    await history.close();
    expect(await open(dir).history.latest(9)).toEqual([
      intent("b"),
      { ...settled, finalAction: "3ds", note: "second", explanation: EXPLANATION },
    ]);
  });

  it("can be annotated by another process while the first one is still at work", async () => {
    const { history, dir } = open();
    await history.intend(intent("a"));
    const later = historyIn(dir);
    await later.annotate("a", "seen");
    await history.settle(intent("a", { result: answer() }));
    expect(await history.find("a")).toMatchObject({ note: "seen", result: { recommendation: "block" } });
    await later.close();
  });

  it("is found by its id or the beginning of it", async () => {
    const { history } = open();
    for (const id of ["abc", "abcd", "xyz"]) await history.intend(intent(id));
    expect((await history.find("x"))?.id).toBe("xyz");
    expect((await history.find("abc"))?.id).toBe("abc");
    expect(await history.find("q")).toBeNull();
    await expect(history.find("ab")).rejects.toMatchObject({ code: "usage" });
  });

  it("comes newest first, as many as asked, and only if accepted", async () => {
    const { history } = open();
    for (let index = 0; index < 10; index += 1) {
      await history.intend(intent(String(index), { project: index % 2 ? "odd/low" : "even/low" }));
    }
    const ids = (entries: readonly HistoryEntry[]): string => entries.map(({ id }) => id).join("");
    expect(ids(await history.latest(3))).toBe("987");
    expect(ids(await Array.fromAsync(history.entries("project:even/low", 0)))).toBe("86420");
    expect(ids(await Array.fromAsync(history.entries()))).toBe("9876543210");
    expect(await history.latest(0)).toEqual([]);
  });
});

describe("what never gets into the history", () => {
  // A test card number of a scheme; real ones are of this form.
  const CARD = "4111 1111 1111 1111";

  it("is a card number in a request or a note, and the fault names the field alone", async () => {
    const { history, dir } = open();
    const request = { order_id: "A", card: { holder: `Jane ${CARD}` } };
    await expect(history.intend(intent("a", { request }))).rejects.toThrow(/^card\.holder /);
    await expect(history.intend(intent("a", { request }))).rejects.not.toThrow(/4111/);
    await expect(history.annotate("a", `number ${CARD}`)).rejects.toMatchObject({ code: "bad_input" });
    await history.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is a card number that a service echoes; the verdict is kept", async () => {
    const { history, text } = open();
    await history.intend(intent("a"));
    await history.settle(intent("a", { result: answer({ message: `Card ${CARD} refused`, rawCode: CARD }) }));
    expect(text()).not.toMatch(/1111.?1111/);
    expect(await history.find("a")).toMatchObject({ result: { recommendation: "block" } });
  });

  it("is an outcome in an intent", async () => {
    const { history } = open();
    await history.intend(intent("a", { result: answer(), finalAction: "continue", note: CARD }));
    expect(await history.find("a")).toEqual(intent("a"));
  });

  it("is a secret that an entry carries along", async () => {
    const { history, text } = open();
    const canary = "f00dfeedf00dfeed";
    const secret = new Secret(canary);
    const carrying = { ...intent("a"), credential: { secret }, secret: canary } as HistoryEntry;
    await history.intend(carrying);
    await history.settle({ ...carrying, result: answer() });
    expect(text()).not.toContain(canary);
    expect(text()).toContain("A-a");
  });
});
