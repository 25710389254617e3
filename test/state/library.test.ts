// The library and the way between it and the composer, over real files in a temporary home.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import { selectedPayload } from "#src/state/check/library-acts.ts";
import { answered, type TestService } from "../console/test-context.ts";
import { checking, NOON, type Checking } from "./checking.ts";
import { agree, leave, submit } from "./answers.ts";

const REQUEST = { operation: "payment", order_id: "o-7", amount: 700, currency: 978 };

let desk: Checking;
const answers: TestService = {};

beforeEach(async () => {
  delete answers.check;
  answers.now = () => NOON;
  desk = await checking(answers);
});
afterEach(() => desk.remove());

async function keep(name: string, change: Partial<SavedPayload> = {}): Promise<void> {
  await (
    await desk.context.payloads()
  ).save({ name, expect: null, tags: [], request: REQUEST, ...change }, true);
}
const dir = (): string => join(desk.context.home.data, "payloads");
const names = (): string[] => desk.library.store.getState().found.map(({ name }) => name);
const selected = (): string | null => selectedPayload(desk.library.store.getState())?.name ?? null;
const session = () => desk.session.store.getState();
const lastSaid = (): string => desk.said().at(-1) ?? "";

/** Opens the library and waits until it is read. */
async function openLibrary(): Promise<void> {
  desk.library.open();
  await vi.waitFor(() => expect(desk.library.store.getState().rows).not.toBeNull());
}

/** Answers the line that is asked for; its label says which one that must be. */
async function answer(label: string, text?: string): Promise<void> {
  expect(session().prompt?.label).toBe(label);
  await submit(desk.session, text);
}

/** What the editor is opened on; it gives back another text. */
function editorWrites(write: (text: string) => string): string {
  const editing = session().editing!;
  desk.session.closeEditor();
  editing.onText(write(editing.text));
  return editing.text;
}

describe("the library", () => {
  it("lists, searches as it is typed, and Esc brings back the search before", async () => {
    await keep("alpha", { tags: ["risky"], expect: "block" });
    await keep("beta", { tags: ["risky", "eu"] });
    await keep("gamma");
    await openLibrary();
    expect(names()).toEqual(["alpha", "beta", "gamma"]);
    desk.library.select("last");
    void desk.library.askSearch();
    session().prompt!.onChange!("tag:risky");
    expect(names()).toEqual(["alpha", "beta"]);
    expect(selected()).toBe("beta");
    await answer("Filter", "tag:risky ");
    void desk.library.askSearch();
    session().prompt!.onChange!("nothing like it");
    expect([names(), selected()]).toEqual([[], null]);
    await leave(desk.session);
    expect(names()).toEqual(["alpha", "beta"]);
    desk.library.showAll();
    expect(names()).toHaveLength(3);
  });

  it("loads the selected one as it was saved, which can be undone, and compares its expected verdict", async () => {
    await keep("seven", { expect: "block", tags: ["a"] });
    await openLibrary();
    const before = desk.composer.toRequest();
    await desk.library.load();
    expect(desk.composer.toRequest()).toEqual(REQUEST);
    expect(desk.library.store.getState().open).toBe(false);
    expect(lastSaid()).toMatch(/^Payload "seven" is loaded, expecting block; nothing is sent yet/);
    await desk.composer.send();
    expect(lastSaid()).toBe("Expected block; the verdict is pass.");
    desk.composer.undoLoad();
    expect(desk.composer.toRequest()).toEqual(before);
    // What is composed now is another payment, of which nothing is expected.
    await desk.composer.send();
    expect(desk.said().filter((text) => text.startsWith("Expected"))).toHaveLength(1);
  });

  it("expects nothing of a payload once it is changed, and nothing is said when the expectation holds", async () => {
    await keep("seven", { expect: "block" });
    await openLibrary();
    await desk.library.load();
    answers.check = () => answered("block");
    await desk.composer.send();
    desk.composer.focus("amount");
    desk.composer.enter("1");
    answers.check = () => answered("pass");
    await desk.composer.send();
    expect(desk.said().filter((text) => text.startsWith("Expected"))).toEqual([]);
  });

  it("says why one cannot be loaded, and lets it be corrected or removed", async () => {
    await keep("bad");
    writeFileSync(join(dir(), "bad.json"), "{}}");
    await openLibrary();
    await desk.library.load();
    expect(lastSaid()).toMatch(/^bad\.json: Line 1/);
    expect(desk.library.store.getState().open).toBe(true);
    await desk.library.edit();
    expect(editorWrites(() => JSON.stringify({ expect: "pass", request: REQUEST }))).toBe("{}}");
    await vi.waitFor(() => expect(lastSaid()).toBe('Payload "bad" is saved.'));
    expect(selectedPayload(desk.library.store.getState())).toMatchObject({ problem: null, expect: "pass" });
    void desk.library.remove();
    expect(existsSync(join(dir(), "bad.json"))).toBe(true);
    await agree(desk.session);
    await vi.waitFor(() => expect(names()).toEqual([]));
    expect(existsSync(join(dir(), "bad.json"))).toBe(false);
  });

  it("offers a text that cannot be saved again, and leaves the payload as it is meanwhile", async () => {
    await keep("seven");
    await openLibrary();
    const before = readFileSync(join(dir(), "seven.json"), "utf8");
    await desk.library.edit();
    const wrong = before.replace("700", '"700"');
    editorWrites(() => wrong);
    await vi.waitFor(() => expect(lastSaid()).toMatch(/amount must be .* e opens what you wrote again\.$/));
    expect(readFileSync(join(dir(), "seven.json"), "utf8")).toBe(before);
    await desk.library.edit();
    expect(editorWrites((text) => text.replace('"700"', "701"))).toBe(wrong);
    await vi.waitFor(() => expect(readFileSync(join(dir(), "seven.json"), "utf8")).toContain("701"));
    await desk.library.edit();
    expect(editorWrites((text) => text)).toContain("701");
    await vi.waitFor(() => expect(lastSaid()).toBe("Nothing was changed."));
  });

  it("does not overwrite what somebody else has written meanwhile, unless it is saved once more", async () => {
    await keep("seven");
    await openLibrary();
    await desk.library.edit();
    await keep("seven", { request: { ...REQUEST, amount: 900 } });
    editorWrites((text) => text.replace("700", "800"));
    await vi.waitFor(() => expect(lastSaid()).toMatch(/changed in another session/));
    expect(readFileSync(join(dir(), "seven.json"), "utf8")).toContain("900");
    await desk.library.edit();
    expect(editorWrites((text) => text)).toContain("800");
    await vi.waitFor(() => expect(readFileSync(join(dir(), "seven.json"), "utf8")).toContain("800"));
  });

  it("keeps a name and refuses another in the text", async () => {
    await keep("seven");
    await openLibrary();
    await desk.library.edit();
    editorWrites((text) => text.replace('"name": "seven"', '"name": "eight"'));
    await vi.waitFor(() => expect(lastSaid()).toMatch(/the name "eight", but the payload is "seven"/));
  });
});

describe("saving what is composed", () => {
  it("asks for name, expected verdict and tags, and proposes the verdict that it got", async () => {
    answers.check = () => answered("block");
    await desk.composer.send();
    void desk.composed.save();
    await answer("Save as payload", "mine");
    expect(session().prompt?.initial).toBe("block");
    await answer("Expected verdict");
    await answer("Tags", "a b");
    await vi.waitFor(() => expect(lastSaid()).toMatch(/^Payload "mine" is saved, expecting block: /));
    expect(lastSaid()).toContain(join(dir(), "mine.json"));
    expect(JSON.parse(readFileSync(join(dir(), "mine.json"), "utf8"))).toEqual({
      name: "mine",
      expect: "block",
      tags: ["a", "b"],
      request: desk.composer.toRequest(),
    });
  });

  it("proposes what a loaded payload says, and asks before overwriting", async () => {
    await keep("seven", { expect: "pass", tags: ["x", "y"] });
    await openLibrary();
    await desk.library.load();
    desk.composer.focus("amount");
    desk.composer.enter("0");
    void desk.composed.save();
    for (const label of ["Save as payload", "Expected verdict", "Tags"]) await answer(label);
    await vi.waitFor(() => expect(session().dialog?.yes).toBe("overwrite"));
    expect(readFileSync(join(dir(), "seven.json"), "utf8")).toContain('"amount": 700,');
    await agree(desk.session);
    await vi.waitFor(() =>
      expect(JSON.parse(readFileSync(join(dir(), "seven.json"), "utf8"))).toEqual({
        name: "seven",
        expect: "pass",
        tags: ["x", "y"],
        request: { ...REQUEST, amount: 7000 },
      }),
    );
  });

  it("is refused while a field is wrong, and for card data in the name", async () => {
    desk.composer.focus("amount");
    desk.composer.enter("x");
    void desk.composed.save();
    expect(session().prompt).toBeNull();
    expect(lastSaid()).toMatch(/^amount must be .* Correct this before you save the payment\.$/);
    desk.composer.key("backspace");
    void desk.composed.save();
    await answer("Save as payload", "4111111111111111");
    await answer("Expected verdict");
    await answer("Tags");
    await vi.waitFor(() => expect(session().prompt?.label).toBe("Save as payload"));
    expect(lastSaid()).toMatch(/full card number/);
    expect(existsSync(dir())).toBe(false);
  });
});

describe("editing what is composed", () => {
  it("takes the text, which can be undone", () => {
    const before = desk.composer.toRequest();
    desk.composed.edit();
    expect(JSON.parse(editorWrites((text) => text.replace("12000", "13000")))).toEqual(before);
    expect(desk.composer.toRequest()).toEqual({ ...before, amount: 13_000 });
    expect(lastSaid()).toMatch(/is ready to send; u restores the previous payment/);
    desk.composer.undoLoad();
    expect(desk.composer.toRequest()).toEqual(before);
  });

  it("shows a text that its field cannot hold as it was typed", () => {
    desk.composer.focus("amount");
    desk.composer.enter("x");
    desk.composed.edit();
    expect(JSON.parse(session().editing!.text)).toMatchObject({ amount: "12000x" });
  });

  it("is refused with card data, which must not be written anywhere", () => {
    desk.composer.focus("description");
    desk.composer.enter(" 4111 1111 1111 1111");
    desk.composed.edit();
    expect(session().editing).toBeNull();
    expect(lastSaid()).toMatch(/full card number/);
  });

  it("offers a refused text again until the fields have changed", () => {
    const before = desk.composer.toRequest();
    desk.composed.edit();
    editorWrites(() => "{ nonsense");
    expect(lastSaid()).toMatch(/^The text: Line 1.* e opens what you wrote again\.$/);
    expect(desk.composer.toRequest()).toEqual(before);
    desk.composed.edit();
    expect(editorWrites((text) => text)).toBe("{ nonsense");
    desk.composer.freshOrder();
    desk.composed.edit();
    expect(JSON.parse(editorWrites((text) => text))).toEqual(desk.composer.toRequest());
    expect(lastSaid()).toBe("Nothing was changed.");
  });
});
