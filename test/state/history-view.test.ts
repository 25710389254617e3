// The History screen's memory over a real history on disk: filter, paging, selection, note, payload, resend.

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import fc from "fast-check";
import { onTestFinished, describe, expect, it, vi } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { HistoryViewState } from "#src/state/history/history-state.ts";
import type { SendAgain } from "#src/state/replay/replays.ts";
import { createHistoryView, type HistoryView } from "#src/state/history/history-view.ts";
import type { History } from "#src/storage/database/history.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { testContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { answer, intent } from "../storage/entries.ts";
import { agree, leave, submit } from "./answers.ts";

interface Bench {
  readonly history: HistoryView;
  readonly session: Session;
  readonly folder: string;
  /** The history itself. */
  readonly store: History;
  /** How often the history was asked for. */
  reads(): number;
  readonly loaded: { request: unknown; from: string | null; repeats?: string | null }[];
  /** How often a fresh order id was asked for. */
  freshOrders(): number;
  readonly newEntries: { (now: { entries: unknown }, before: { entries: unknown }): void }[];
  /** Replays that were begun. */
  readonly sentAgain: SendAgain[];
  write(entry: HistoryEntry): Promise<void>;
  /** Answers the prompt that is open. */
  submit(text: string): Promise<void>;
  /** Types into the prompt that is open: this is in it now. */
  typed(text: string): void;
  state(): HistoryViewState;
  asked(): ReturnType<Session["store"]["getState"]>;
  /** The newest message. */
  said(): { readonly kind: string; readonly text: string } | undefined;
}

async function bench(entries: readonly HistoryEntry[] = [], profile: Partial<Profile> = {}): Promise<Bench> {
  const { context: real, folder, remove } = await testContext();
  const context = { ...real, profile: { ...real.profile, ...profile } };
  onTestFinished(remove);
  const session = createSession({ keyName, quit: () => undefined });
  onTestFinished(() => session.close());
  const loaded: Bench["loaded"] = [];
  const newEntries: Bench["newEntries"] = [];
  const sentAgain: SendAgain[] = [];
  const store = await context.history();
  const write = async (entry: HistoryEntry): Promise<void> => {
    await store.intend(entry);
    if (entry.result !== null) await store.settle(entry);
  };
  await Promise.all(entries.map(write));
  let reads = 0;
  let fresh = 0;
  const counted = {
    ...context,
    history: () => {
      reads += 1;
      return context.history();
    },
  };
  const history = createHistoryView(counted, session, {
    copies: { copyText: () => undefined },
    composer: {
      loadRequest: (request, origin) => void loaded.push({ request, ...origin }),
      freshOrder: () => void (fresh += 1),
    },
    replays: { whyNotNow: () => null, sendAgain: (wanted) => void sentAgain.push(wanted) },
    checks: { subscribe: (listener) => newEntries.push(listener) },
  });
  return {
    history,
    store,
    session,
    folder,
    reads: () => reads,
    loaded,
    freshOrders: () => fresh,
    newEntries,
    sentAgain,
    write,
    typed: (text) => session.store.getState().prompt!.onChange!(text),
    submit: (text) => submit(session, text),
    state: history.store.getState,
    asked: session.store.getState,
    said: () => session.store.getState().toasts.at(-1),
  };
}

/** With the list read. */
async function listed(...given: Parameters<typeof bench>): Promise<Bench> {
  const on = await bench(...given);
  await on.history.load();
  return on;
}

const id = (number: number): string => `e${String(number).padStart(5, "0")}`;

function many(count: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) =>
    intent(id(index), {
      at: Date.UTC(2026, 0, 2) + index * 1000,
      result: answer({ recommendation: index % 2 === 0 ? "pass" : "block" }),
    }),
  );
}

const ids = (on: Bench): string[] => on.state().entries.map((entry) => entry.id);

describe("what was checked", () => {
  it("is listed newest first, with the newest selected", async () => {
    const on = await listed(many(3));
    expect(ids(on)).toEqual([id(2), id(1), id(0)]);
    expect(on.state()).toMatchObject({ selectedId: id(2), reading: "idle" });
  });

  it("is opened by what was typed ahead of the first read, and only then", async () => {
    const on = await bench(many(3));
    const loading = on.history.load();
    on.history.open();
    await loading;
    expect(on.state().opened?.id).toBe(id(2));
    on.history.close();
    await on.history.load();
    expect(on.state().opened).toBeNull();
  });

  it("is in memory around the selection only, wherever that goes", async () => {
    const on = await listed(many(900));
    expect(ids(on)).toHaveLength(200);
    expect(on.state()).toMatchObject({ total: 900, offset: 0 });

    const selected = async (move: number | "first" | "last", number: number): Promise<void> => {
      on.history.select(move);
      await vi.waitFor(() => expect(on.state().selectedId).toBe(id(number)));
    };
    await selected("last", 0);
    expect(ids(on)).toHaveLength(200);
    expect(on.state()).toMatchObject({ offset: 700, total: 900 });
    await selected(-450, 450);
    await selected(-30, 480);
    await selected("first", 899);
    await vi.waitFor(() => expect(on.state().offset).toBe(0));

    await on.history.applyFilter("verdict:pass");
    expect(ids(on)).toHaveLength(200);
    expect(on.state()).toMatchObject({ total: 450, progress: null });
    await selected("last", 0);
    expect(on.state()).toMatchObject({ offset: 250 });
  });

  it("goes on from where the keys were going while entries are read", async () => {
    const on = await listed(many(900));
    on.history.select(300);
    on.history.select(300);
    on.history.select(-100);
    await vi.waitFor(() => expect(on.state().selectedId).toBe(id(399)));
  });

  it("shows what comes in below a filter, and not what it does not accept", async () => {
    const on = await listed(many(900));
    await on.history.applyFilter("verdict:pass");
    await on.write(intent(id(901), { at: Date.UTC(2026, 0, 3), result: answer({ recommendation: "pass" }) }));
    await on.write(intent(id(902), { at: Date.UTC(2026, 0, 3), result: answer() }));
    await on.history.load();
    expect(ids(on)[0]).toBe(id(901));
    expect(on.state().total).toBe(451);
  });

  it("keeps its selection when entries come in and when it is read anew", async () => {
    const on = await listed(many(5));
    on.history.select(2);
    expect(on.state().selectedId).toBe(id(2));
    await on.write(intent(id(9)));
    await on.history.load();
    expect(ids(on)[0]).toBe(id(9));
    expect(on.state().selectedId).toBe(id(2));
  });

  it("is read anew while it is shown when a check comes in, and not otherwise", async () => {
    const on = await listed(many(2));
    await on.write(intent(id(9)));
    const [heard] = on.newEntries;
    const before = on.reads();
    heard!({ entries: ["new"] }, { entries: [] });
    on.session.go("history");
    const same = ["same"];
    heard!({ entries: same }, { entries: same });
    expect(on.reads()).toBe(before);
    heard!({ entries: ["new"] }, { entries: [] });
    await vi.waitFor(() => expect(ids(on)).toHaveLength(3));
  });
});

describe("a history that cannot be read", () => {
  it.skipIf(process.platform === "win32")("is said, and read once that is put right", async () => {
    const on = await bench(many(1));
    const path = join(on.folder, "data", "history.db");
    await on.store.close();
    renameSync(path, `${path}-away`);
    mkdirSync(path);
    await on.history.load();
    expect(on.state()).toMatchObject({ reading: "idle", entries: [] });
    expect(on.state().fault).toContain("history");
    rmdirSync(path);
    renameSync(`${path}-away`, path);
    await on.history.load();
    expect(on.state()).toMatchObject({ fault: null, selectedId: id(0) });
  });
});

describe("the filter", () => {
  it("shows what it accepts and moves the selection to what is left", async () => {
    const on = await listed(many(6));
    expect(await on.history.applyFilter(" verdict:pass ")).toBe(true);
    expect(ids(on)).toEqual([id(4), id(2), id(0)]);
    expect(on.state()).toMatchObject({ filter: "verdict:pass", selectedId: id(4) });
    expect(await on.history.applyFilter("")).toBe(true);
    expect(ids(on)).toHaveLength(6);
    expect(on.state().selectedId).toBe(id(4));
  });

  it("explains a wrong token, keeps the list, and asks again with what was typed", async () => {
    const on = await listed(many(6));
    await on.history.applyFilter("verdict:pass");
    const before = on.state();
    void on.history.askFilter();
    expect(on.asked().prompt).toMatchObject({ label: "Filter", initial: "verdict:pass" });
    await on.submit("colour:red");
    await vi.waitFor(() => expect(on.asked().prompt?.initial).toBe("colour:red"));
    const after = on.state();
    expect(after.fault).toMatch(/^Filter, column 1: there is no field "colour"/);
    expect(after).toMatchObject({
      filter: "verdict:pass",
      entries: before.entries,
      selectedId: before.selectedId,
    });

    await on.submit("verdict:block");
    await vi.waitFor(() => expect(on.state().filter).toBe("verdict:block"));
    expect(on.state().fault).toBeNull();
  });

  it("forgets the complaint when the prompt is left", async () => {
    const on = await bench(many(1));
    await on.history.applyFilter("amount>x");
    void on.history.askFilter();
    await leave(on.session);
    expect(on.state().fault).toBeNull();
  });

  it("is applied while it is typed, but for what cannot be read yet, and Enter keeps it", async () => {
    const on = await listed(many(6));
    void on.history.askFilter();
    const found = (): unknown => [on.state().filter, ids(on).length];
    for (const [text, expected] of [
      ["v", ["", 6]],
      ["verdict", ["", 6]],
      ["verdict:", ["", 6]],
      ["verdict:blok", ["", 6]],
      ["verdict:block", ["verdict:block", 3]],
      ["verdict:block ", ["verdict:block", 3]],
      ["verdict:block amo", ["verdict:block", 3]],
      ["verdict:block amount>", ["verdict:block", 3]],
      ["verdict:block order:nobody", ["verdict:block order:nobody", 0]],
      ["verdict:block", ["verdict:block", 3]],
      ['verdict:block "', ["verdict:block", 3]],
      ["", ["", 6]],
      ["verdict:pass", ["verdict:pass", 3]],
    ] as const) {
      on.typed(text);
      await vi.waitFor(() => expect(found()).toEqual(expected));
      await setImmediate();
      expect(found()).toEqual(expected);
      expect(on.state()).toMatchObject({ fault: null, wrong: null, reading: "idle" });
    }
    await on.submit("verdict:pass");
    expect(ids(on)).toEqual([id(4), id(2), id(0)]);
  });

  it("lists what the last key asks for, however fast they come", async () => {
    const keys = fc.array(fc.constantFrom("verdict:pass", "verdict:block", "order:nobody", "", "verdict:"), {
      minLength: 1,
      maxLength: 12,
    });
    const on = await listed(many(6));
    await fc.assert(
      fc.asyncProperty(keys, fc.integer({ min: 0, max: 4 }), async (texts, ticks) => {
        void on.history.askFilter();
        for (const text of texts) {
          on.typed(text);
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        }
        const last = texts.findLast((text) => text !== "verdict:");
        if (last === undefined) return leave(on.session);
        const found = { "verdict:pass": 3, "verdict:block": 3, "order:nobody": 0, "": 6 }[last];
        await vi.waitFor(() => expect(on.state()).toMatchObject({ filter: last, total: found }));
        expect(ids(on)).toHaveLength(found);
        await leave(on.session);
      }),
      { numRuns: 40 },
    );
  });

  it("that was there before comes back with Esc, and so do the entry and its detail", async () => {
    const on = await listed(many(300));
    await on.history.applyFilter("verdict:pass");
    on.history.select(20);
    on.history.open();
    const before = on.state();
    void on.history.askFilter();
    for (const text of ["verdict:pas", "verdict:block", "order:nobody"]) {
      on.typed(text);
      if (text === "verdict:pas") expect(on.state().opened).toBe(before.opened);
    }
    await vi.waitFor(() => expect(on.state()).toMatchObject({ entries: [], opened: null }));
    await leave(on.session);
    await vi.waitFor(() => expect(ids(on)).toHaveLength(150));
    const { filter, selectedId, opened } = on.state();
    expect({ filter, selectedId, opened }).toEqual({
      filter: "verdict:pass",
      selectedId: before.selectedId,
      opened: before.opened,
    });
  });

  it("lets the last one win when two are under way", async () => {
    const on = await bench(many(6));
    await Promise.all([on.history.applyFilter("verdict:pass"), on.history.applyFilter("verdict:block")]);
    expect(on.state().filter).toBe("verdict:block");
    expect(ids(on)).toEqual([id(5), id(3), id(1)]);
  });

  it("is named above what it accepts, however a read of what came in meanwhile falls between", async () => {
    const on = await bench(many(6));
    const named = new Set<string>();
    on.history.store.subscribe(({ filter, entries }) => {
      named.add(`${filter}: ${entries.map(({ result }) => result?.recommendation).join(" ")}`);
    });
    await on.history.load();
    for (let later = 0; later < 60; later += 1) {
      const applied = on.history.applyFilter("verdict:pass");
      for (let tick = 0; tick < later; tick += 1) await Promise.resolve();
      if (later % 2 === 1) await setImmediate();
      await Promise.all([on.history.load(), applied]);
      expect(on.state().filter).toBe("verdict:pass");
      // A search that was still going on tells of what it found later.
      await vi.waitFor(() => expect(ids(on)).toEqual([id(4), id(2), id(0)]));
      await on.history.applyFilter("");
    }
    for (const state of named) expect(state).toMatch(/^(: |verdict:pass: (pass ?)*$)/);
  });
});

describe("the detail", () => {
  it("turns its tabs round and starts each at its top", async () => {
    const on = await listed(many(2));
    on.history.open();
    on.history.scrollTo(4);
    on.history.cycleTab(-1);
    expect(on.state()).toMatchObject({ tab: "timing", scroll: 0, opened: { id: id(1) } });
    on.history.cycleTab(1);
    expect(on.state().tab).toBe("why");
    on.history.cycleTab(1);
    on.history.close();
    expect(on.state().opened).toBeNull();
    on.history.open();
    expect(on.state()).toMatchObject({ tab: "why", opened: { id: id(1) } });
  });

  it("opens nothing where there is nothing", async () => {
    const on = await listed();
    on.history.open();
    on.history.select(1);
    void on.history.resend();
    void on.history.askNote();
    void on.history.askPayloadName();
    expect(on.state().opened).toBeNull();
    expect(on.asked()).toMatchObject({ prompt: null, screen: "check" });
  });

  it("is left for the list when a filter is applied", async () => {
    const on = await listed(many(2));
    on.history.open();
    void on.history.askNote();
    await on.submit("seen");
    await vi.waitFor(() => expect(on.state().opened?.note).toBe("seen"));
    await on.history.applyFilter("verdict:pass");
    expect(on.state()).toMatchObject({ opened: null, scroll: 0 });
  });
});

describe("a note", () => {
  it("is kept, replaced and removed", async () => {
    const on = await listed(many(1));
    const note = (): string | null => on.state().entries[0]!.note;
    void on.history.askNote();
    await on.submit("  call the shop ");
    await vi.waitFor(() => expect(note()).toBe("call the shop"));
    void on.history.askNote();
    expect(on.asked().prompt?.initial).toBe("call the shop");
    await on.submit(" ");
    await vi.waitFor(() => expect(note()).toBeNull());
  });

  it("is refused with a card number in it, and asked again", async () => {
    const on = await listed(many(1));
    void on.history.askNote();
    await on.submit("4111 1111 1111 1111");
    await vi.waitFor(() => expect(on.said()?.text).toMatch(/full card number/));
    expect(on.asked().prompt).toMatchObject({
      label: "Note",
      initial: "4111 1111 1111 1111",
    });
    expect(on.state().entries[0]!.note).toBeNull();
    await on.submit("card withheld");
    await vi.waitFor(() => expect(on.state().entries[0]!.note).toBe("card withheld"));
  });
});

describe("saving as a payload", () => {
  const file = (on: Bench, name: string): string => join(on.folder, "data", "payloads", `${name}.json`);

  it("writes the request with the verdict it got", async () => {
    const on = await listed(many(1));
    void on.history.askPayloadName();
    expect(on.asked().prompt?.initial).toBe("A-e00000");
    await on.submit("first");
    expect(on.asked().prompt).toMatchObject({ label: "Expected verdict", initial: "pass" });
    await on.submit("perhaps");
    expect(on.said()?.text).toMatch(/^The expected verdict is pass, block/);
    await on.submit("p");
    expect(on.asked().prompt).toMatchObject({ label: "Tags", initial: "" });
    await on.submit("a tag!");
    expect(on.said()?.text).toMatch(/cannot be a tag/);
    await on.submit("buyer, repeat buyer");
    await vi.waitFor(() => expect(on.said()).toMatchObject({ kind: "done" }));
    expect(JSON.parse(readFileSync(file(on, "first"), "utf8"))).toEqual({
      name: "first",
      expect: "pass",
      tags: ["buyer", "repeat"],
      request: many(1)[0]!.request,
    });
  });

  it("asks again after a bad name, and before overwriting", async () => {
    const on = await listed(many(2));
    void on.history.askPayloadName();
    await on.submit("../../etc");
    await vi.waitFor(() => expect(on.asked().prompt?.initial).toBe("../../etc"));
    expect(on.said()?.text).toMatch(/cannot name a payload/);
    await on.submit("same");
    await on.submit("pass");
    await on.submit("");
    await vi.waitFor(() => expect(on.said()).toMatchObject({ kind: "done" }));

    on.history.select("last");
    void on.history.askPayloadName();
    await on.submit("same");
    await on.submit("pass");
    await on.submit("");
    await vi.waitFor(() => expect(on.asked().dialog?.yes).toBe("overwrite"));
    expect(readFileSync(file(on, "same"), "utf8")).toContain("A-e00001");
    await agree(on.session);
    await vi.waitFor(() => expect(readFileSync(file(on, "same"), "utf8")).toContain("A-e00000"));
  });
});

describe("sending again", () => {
  it("loads the request with where it comes from, for the project it belonged to", async () => {
    const on = await listed(many(2));
    on.session.go("history");
    on.history.select(1);
    await on.history.resend();
    expect(on.loaded).toEqual([{ request: many(1)[0]!.request, from: id(0), repeats: null }]);
    expect(on.asked()).toMatchObject({ screen: "check", project: "merchant-7/medium" });
  });

  it("says that it is attempt 2 where the outcome is unknown", async () => {
    const on = await listed([intent(id(1))]);
    await on.history.resend();
    expect(on.loaded).toMatchObject([{ from: id(1), repeats: id(1) }]);
    expect(on.said()?.text).toMatch(/attempt 2/);
    expect(on.freshOrders()).toBe(0);
  });

  it("asks before the project of the session changes, and changes nothing on a No", async () => {
    const on = await listed([intent(id(1))]);
    on.session.setProject("mine/low");
    on.session.go("history");
    void on.history.resend();
    const { dialog, project, screen } = on.asked();
    expect({ project, screen }).toEqual({ project: "mine/low", screen: "history" });
    expect(on.loaded).toEqual([]);
    expect(dialog?.text).toContain(`sent for ${intent(id(1)).project}, but the project in use is mine/low`);
    await agree(on.session);
    expect(on.asked()).toMatchObject({ project: intent(id(1)).project, screen: "check" });
    expect(on.loaded).toHaveLength(1);
    expect(on.said()?.text).toMatch(/The project is .* now/);
  });

  it("makes a payment of its own of an entry of another profile, and says where it is from", async () => {
    const on = await listed([intent(id(1), { profile: "live" })]);
    on.session.setProject("mine/low");
    await on.history.resend();
    expect(on.asked()).toMatchObject({ project: "mine/low", screen: "check" });
    expect(on.loaded).toEqual([{ request: intent(id(1)).request, from: null, profile: "live" }]);
    expect(on.freshOrders()).toBe(1);
    expect(on.said()?.text).toMatch(/from the profile live, with a fresh order/);
  });
});

describe("following", () => {
  const at = (on: Bench): { selectedId: string | null; following: boolean } => {
    const { selectedId, following } = on.state();
    return { selectedId, following };
  };

  it("keeps the selection on the newest until that is moved, and again once it is back there", async () => {
    const on = await listed(many(3));
    await on.write(intent(id(4)));
    await on.history.load();
    expect(at(on)).toEqual({ selectedId: id(4), following: true });
    on.history.select(1);
    await on.write(intent(id(5)));
    await on.history.load();
    expect(at(on)).toEqual({ selectedId: id(2), following: false });
    on.history.select("first");
    await on.write(intent(id(6)));
    await on.history.load();
    expect(at(on)).toEqual({ selectedId: id(6), following: true });
  });

  it("is switched by a key, and lets what is being read stay where it is", async () => {
    const on = await listed(many(3));
    on.history.toggleFollowing();
    expect(at(on)).toEqual({ selectedId: id(2), following: false });
    await on.write(intent(id(4)));
    await on.history.load();
    expect(at(on).selectedId).toBe(id(2));
    on.history.toggleFollowing();
    expect(at(on)).toEqual({ selectedId: id(4), following: true });
    on.history.open();
    await on.write(intent(id(5)));
    await on.history.load();
    expect(at(on).selectedId).toBe(id(4));
    on.history.close();
    await on.history.load();
    expect(at(on)).toEqual({ selectedId: id(4), following: false });
    on.history.toggleFollowing();
    on.history.open();
    on.history.close();
    await on.write(intent(id(6)));
    await on.history.load();
    expect(at(on)).toEqual({ selectedId: id(6), following: true });
  });
});

describe("the last filters", () => {
  it("are in reach of the prompt, newest first, in this session and the next", async () => {
    const on = await listed(many(4));
    for (const filter of ["verdict:pass", "verdict:block", "colour:red", ""]) {
      void on.history.askFilter();
      await on.submit(filter);
      await vi.waitFor(() =>
        expect(on.state()).toMatchObject(
          filter === "colour:red" ? { wrong: { filter, column: 1, length: 6 } } : { filter, wrong: null },
        ),
      );
    }
    const file = join(on.folder, "state", "filters.json");
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toContain("verdict:block"));
    void on.history.askFilter();
    expect(on.asked().prompt?.recall).toEqual(["verdict:block", "verdict:pass"]);
    expect(readFileSync(file, "utf8")).not.toContain("colour");
  });

  it("never stand in the way of a filter when their file cannot be read", async () => {
    const on = await bench(many(4));
    mkdirSync(join(on.folder, "state"), { recursive: true });
    writeFileSync(join(on.folder, "state", "filters.json"), "no json");
    await on.history.load();
    void on.history.askFilter();
    await on.submit("verdict:pass");
    await vi.waitFor(() => expect(on.state().filter).toBe("verdict:pass"));
    expect(on.asked().toasts).toEqual([]);
  });
});

describe("comparing", () => {
  it("sets the marked entry and the selected one side by side, the older one first, and ends the mark", async () => {
    const on = await listed(many(4));
    on.history.compare();
    expect(on.state().compared).toBeNull();
    on.history.toggleMark();
    on.history.compare();
    expect(on.state().compared).toBeNull();
    on.history.select(2);
    on.history.compare();
    const { compared } = on.state();
    expect([compared?.before.id, compared?.after.id]).toEqual([id(1), id(3)]);
    on.history.close();
    expect(on.state()).toMatchObject({ compared: null, marked: null });
  });

  it("takes a mark back, and keeps one that a filter hides", async () => {
    const on = await listed(many(4));
    on.history.toggleMark();
    on.history.toggleMark();
    expect(on.state().marked).toBeNull();
    on.history.toggleMark();
    await on.history.applyFilter("verdict:pass");
    expect(on.state().marked?.id).toBe(id(3));
    on.history.compare();
    expect(on.state().compared).toMatchObject({
      before: { id: id(2) },
      after: { id: id(3) },
    });
  });
});

describe("sending all again", () => {
  const REMOTE = { name: "shop", baseUrl: "https://risk.example", projectsUrl: "https://risk.example" };

  it("asks in figures on the sandbox, and becomes a replay of the filter with fresh order ids", async () => {
    const on = await listed(many(6));
    await on.history.applyFilter("verdict:pass");
    on.session.setProject("merchant-7/medium");
    on.history.askBatch();
    await expect.poll(() => on.asked().dialog).not.toBeNull();
    const { dialog } = on.asked();
    expect(dialog?.text).toMatch(
      /Send 3 checks of "verdict:pass" again for the project merchant-7\/medium, .* fresh order id, 8 at a time,/,
    );
    expect(dialog?.typed).toBeUndefined();
    await agree(on.session, false);
    expect(on.sentAgain).toEqual([]);
    on.history.askBatch();
    await expect.poll(() => on.asked().dialog).not.toBeNull();
    await agree(on.session);
    await expect
      .poll(() => on.sentAgain)
      .toEqual([
        {
          source: "history:verdict:pass",
          project: "merchant-7/medium",
          freshOrderIds: true,
          concurrency: 8,
          ratePerS: null,
        },
      ]);
    expect(on.asked().screen).toBe("replay");
  });

  it.each(["TEST", "LIVE"] as const)(
    "asks on %s for what is typed, says how many belong elsewhere, and keeps to a rate",
    async (environment) => {
      const entries = many(6).map((entry, at) => ({
        ...entry,
        profile: at < 2 ? "sandbox" : "shop",
        project: at === 5 ? "other/low" : entry.project,
      }));
      const on = await listed(entries, { ...REMOTE, environment });
      on.session.setProject("merchant-7/medium");
      on.history.askBatch();
      await expect.poll(() => on.asked().dialog).not.toBeNull();
      const { dialog } = on.asked();
      expect(dialog).toMatchObject({ typed: environment === "LIVE" ? "shop" : "6" });
      expect(dialog?.text).toContain(
        "Send 6 checks of the whole history (3 of other profiles or projects) again for",
      );
      expect(dialog?.text).toContain("5 a second, 2 at a time");
      expect(dialog?.text).toContain("https://risk.example, profile shop");
      await agree(on.session);
      await expect
        .poll(() => on.sentAgain)
        .toMatchObject([{ source: "history:", ratePerS: 5, concurrency: 2 }]);
    },
  );

  it("is refused once a search has failed, whose number is neither that of the old filter nor that of the new one", async () => {
    const on = await listed(many(6));
    on.session.setProject("merchant-7/medium");
    const { at } = on.store;
    vi.spyOn(on.store, "search").mockImplementationOnce(({ onFound, onProgress }) => {
      onFound(Uint32Array.of(4));
      onProgress?.(3);
      return Promise.reject(new Error("unreadable"));
    });
    await on.history.applyFilter("verdict:pass");
    expect(on.state()).toMatchObject({ filter: "", total: 6, progress: null });
    on.history.askBatch();
    expect(on.said()?.text).toMatch(/could not be read to its end/);

    // The first page of a long search is read while that fails.
    let fail: (() => void) | undefined;
    vi.spyOn(on.store, "extent").mockResolvedValueOnce({ count: 6_000, isContinued: true });
    vi.spyOn(on.store, "search").mockImplementationOnce(({ onFound }) => {
      onFound(Uint32Array.of(4));
      return new Promise((_, reject) => (fail = () => reject(new Error("unreadable"))));
    });
    vi.spyOn(on.store, "at").mockImplementationOnce(async (places) => {
      fail?.();
      await setImmediate();
      return at.call(on.store, places);
    });
    await on.history.applyFilter("verdict:pass");
    const { filter, fault } = on.state();
    expect([filter, fault]).toEqual(["verdict:pass", expect.stringContaining("unreadable")]);
    on.history.askBatch();
    expect(on.asked().dialog).toBeNull();
    await on.history.load();
    expect(on.state()).toMatchObject({ total: 3, fault: null });
  });

  it("says why not: no project, nothing found, a profile that only reads", async () => {
    const on = await listed(many(2));
    on.session.setBusy("Looking for a project with a credential.");
    on.history.askBatch();
    expect(on.said()?.text).toBe("Looking for a project with a credential.");
    on.session.setBusy(null);
    on.history.askBatch();
    expect(on.said()?.text).toMatch(/No project has a credential/);
    on.session.setProject("merchant-7/medium");
    await on.history.applyFilter("verdict:refused");
    on.history.askBatch();
    expect(on.said()?.text).toMatch(/nothing to send again/);
    const reading = await listed(many(2), { ...REMOTE, environment: "TEST", readOnly: true });
    reading.session.setProject("merchant-7/medium");
    reading.history.askBatch();
    expect(reading.said()?.text).toMatch(/read-only/);
    expect(reading.asked().dialog).toBeNull();
  });
});

describe("exporting", () => {
  it("writes what is listed into a new private file and says where", async () => {
    const on = await listed(many(6));
    await on.history.applyFilter("verdict:pass");
    const file = join(on.folder, "blocked.json");
    void on.history.askExport();
    expect(on.asked().prompt?.label).toBe("Export the filtered ones to");
    await on.submit(file);
    await vi.waitFor(() => expect(on.said()).toMatchObject({ kind: "done" }));
    expect(on.said()?.text).toContain(`3 entries are in ${file}`);
    const read = JSON.parse(readFileSync(file, "utf8")) as { id: string }[];
    expect(read.map((entry) => entry.id)).toEqual([id(0), id(2), id(4)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(on.asked().busy).toBeNull();
  });

  it("writes CSV by the ending, and asks again for one that tells no format or is there", async () => {
    const on = await listed(many(2));
    void on.history.askExport();
    await on.submit(join(on.folder, "all.txt"));
    await vi.waitFor(() => expect(on.said()?.text).toMatch(/\.json or \.csv/));
    expect(on.asked().prompt?.initial).toBe(join(on.folder, "all.txt"));
    const file = join(on.folder, "all.csv");
    await on.submit(file);
    await vi.waitFor(() => expect(on.said()).toMatchObject({ kind: "done" }));
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
    void on.history.askExport();
    await on.submit(file);
    await vi.waitFor(() => expect(on.said()?.text).toMatch(/exists already and is not overwritten/));
    expect(on.asked().prompt?.initial).toBe(file);
  });

  it("is stopped without leaving anything", async () => {
    const on = await listed(many(900));
    const file = join(on.folder, "all.json");
    expect(on.history.cancelExport()).toBe(false);
    void on.history.askExport();
    await on.submit(file);
    expect(on.history.cancelExport()).toBe(true);
    expect(on.history.cancelExport()).toBe(false);
    await vi.waitFor(() => expect(on.said()?.text).toMatch(/Stopped; no file was written/));
    expect(readdirSync(on.folder).filter((name) => name.includes("all.json"))).toEqual([]);
  });
});

describe("how a check was signed", () => {
  const lines = async (on: Bench): Promise<string> => {
    const [entry] = on.state().entries;
    await on.history.readSigning(entry!);
    const { signed } = on.state();
    expect(signed?.id).toBe(entry!.id);
    return [...signed!.notes, ...signed!.lines.map(({ text }) => text)].join("\n");
  };
  const WITH = { recipe: "kong", keyId: "key-9", projectId: "project-9", algorithm: "hmac-sha256" };

  it("is told by what was kept: recipe, key, string to sign, headers, and no signature", async () => {
    const on = await listed([intent(id(1), { signed: WITH, result: answer() })]);
    const text = await lines(on);
    expect(text).toMatch(/^Key key-9, project project-9\./);
    expect(text).toContain("Recipe kong");
    expect(text).toContain("String to sign");
    expect(text).toContain("[signature not kept]");
    expect(text).not.toMatch(/signature="[A-Za-z0-9+/]{20,}/);
    expect(text).not.toContain("The secret as");
  });

  it("says so where an entry keeps nothing of it", async () => {
    const on = await listed([intent(id(1), { result: answer() })]);
    expect(await lines(on)).toMatch(
      /key of this check was not recorded, and the project merchant-7\/medium has no key now/,
    );
  });

  it("says so where the profile is gone or the recipe unknown", async () => {
    const on = await listed([intent(id(1), { profile: "gone", signed: WITH })]);
    expect(await lines(on)).toMatch(/profile gone is gone/);
    const other = await listed([
      intent(id(1), { profile: "sandbox", signed: { ...WITH, recipe: "nothing" } }),
    ]);
    expect(await lines(other)).toMatch(/nothing/);
  });
});
