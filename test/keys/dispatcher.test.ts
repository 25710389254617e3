// Who hears a key: layers, text fields, pastes, and what footer and help are told.

import { describe, expect, it, vi } from "vitest";
import { findCollisions, keyLabel, type Binding } from "#src/keys/binding.ts";
import { createDispatcher, type Dispatcher } from "#src/keys/dispatcher.ts";
import { createKeyParser, PASTE_MOST } from "#src/keys/key-parser.ts";
import type { Layer } from "#src/keys/layers.ts";

const binding = (id: string, keys: string[], more: Partial<Binding> = {}): Binding => ({
  id,
  keys,
  scope: id.split(".")[0]!,
  label: id,
  group: "Test",
  ...more,
});

const TABLE: readonly Binding[] = [
  binding("shell.quit", ["ctrl+c"], { global: true }),
  binding("shell.help", ["?", "f1"]),
  binding("shell.palette", [":"], { opensText: true }),
  binding("list.down", ["j", "down"]),
  binding("list.first", ["g", "home"]),
  binding("list.page", ["ctrl+d"]),
  binding("list.open", ["enter"]),
  binding("field.done", ["enter", "esc"]),
  binding("field.next", ["tab"]),
  binding("dialog.yes", ["y"]),
  binding("dialog.close", ["esc"]),
  binding("question.no", ["n"], { alone: true }),
  binding("family", ["👨‍👩‍👧"], { scope: "list" }),
];

/** A dispatcher whose handlers write down what ran. */
function stage(
  whenDisabled?: (why: string) => void,
  whenIgnored?: (characters: number, isOverlong: boolean) => void,
) {
  const log: string[] = [];
  const dispatcher = createDispatcher(TABLE, whenDisabled, undefined, whenIgnored);
  const parser = createKeyParser((event, chunk) => dispatcher.dispatch(event, chunk));
  const layer = (scope: string, level: number, more: Partial<Layer> = {}): Layer => ({
    scope,
    level,
    handlers: Object.fromEntries(
      TABLE.filter((one) => one.scope === scope).map(({ id }) => [id, () => void log.push(id)]),
    ),
    ...more,
  });
  const field = (more: Partial<Layer> = {}): Layer =>
    layer("field", 2, { text: (text) => void log.push(`text ${text}`), ...more });
  return { log, dispatcher, layer, field, press: (chunk: string) => parser.feed(chunk) };
}

/** With the list open. */
function listed(...given: Parameters<typeof stage>) {
  const on = stage(...given);
  on.dispatcher.open(on.layer("list", 1));
  return on;
}

const ids = (dispatcher: Dispatcher): string[] => dispatcher.active().map((one) => one.binding.id);

describe("layers", () => {
  it("the highest that uses a key gets it, whatever the order of opening", () => {
    const { log, dispatcher, layer, press } = stage();
    dispatcher.open(layer("dialog", 3));
    dispatcher.open(layer("list", 1));
    dispatcher.open(layer("field", 2));
    dispatcher.open(layer("shell", 0));
    press("\r?j\tg");
    expect(log).toEqual(["field.done", "shell.help", "list.down", "field.next", "list.first"]);
  });

  it("within a level the last opened is first, and a closed one hears nothing", () => {
    const { log, dispatcher, layer, press } = stage();
    dispatcher.open(layer("list", 2));
    const later = dispatcher.open(layer("field", 2));
    press("\r");
    later.close();
    later.close();
    later.update(layer("field", 2));
    press("\r");
    expect(log).toEqual(["field.done", "list.open"]);
  });

  it("a handler that says false leaves the key to those below", () => {
    const { log, dispatcher, layer, press } = listed();
    dispatcher.open(layer("field", 2, { handlers: { "field.done": () => false } }));
    press("\r");
    expect(log).toEqual(["list.open"]);
  });

  it("an update replaces the handlers, and a new level moves the layer", () => {
    const { log, dispatcher, layer, press } = stage();
    const list = dispatcher.open(layer("list", 1));
    dispatcher.open(layer("field", 2));
    list.update(layer("list", 3, { handlers: { "list.open": () => void log.push("new") } }));
    press("\r");
    expect(log).toEqual(["new"]);
  });

  it("below a modal layer only global keys work", () => {
    const { log, dispatcher, layer, field, press } = stage();
    dispatcher.open(layer("shell", 0));
    dispatcher.open(field());
    dispatcher.open(layer("dialog", 3, { modal: true }));
    press("j?x\t\x03y");
    dispatcher.dispatch({ type: "paste", text: "p" });
    expect(log).toEqual(["shell.quit", "dialog.yes"]);
  });

  it("a binding that does not work now keeps its key and says why", () => {
    const told = vi.fn<(why: string) => void>();
    const { log, dispatcher, layer, press } = listed(told);
    dispatcher.open(layer("field", 2, { disabled: { "field.done": "Nothing to send." } }));
    press("\r");
    expect(log).toEqual([]);
    expect(told.mock.calls[0]![0]).toBe("Nothing to send.");
    expect(dispatcher.active().find((one) => one.binding.id === "field.done")!.disabled).toBe(
      "Nothing to send.",
    );
  });

  it("unknown keys and text do nothing", () => {
    const { log, dispatcher, layer, press } = stage();
    press("x\r");
    dispatcher.open(layer("shell", 0));
    press("x\x1b[15~zz");
    expect(log).toEqual([]);
  });
});

describe("text", () => {
  it("letters are commands one by one, outside of text fields", () => {
    const { log, dispatcher, press } = listed();
    press("jxj");
    dispatcher.dispatch({ type: "text", text: "👨‍👩‍👧j" });
    expect(log).toEqual(["list.down", "list.down", "family", "list.down"]);
  });

  it("a letter with a combining mark is not that letter", () => {
    const { log, dispatcher } = listed();
    dispatcher.dispatch({ type: "text", text: "j\u0301" });
    expect(log).toEqual([]);
  });

  it("a text field takes a run whole, its keys stay keys", () => {
    const { log, dispatcher, field, press } = listed();
    dispatcher.open(field());
    press("jg?\rj");
    expect(log).toEqual(["text jg?", "field.done", "text j"]);
  });

  it("what follows a command goes to the field that the command opened", () => {
    const { log, dispatcher, layer, field, press } = stage();
    dispatcher.open(
      layer("shell", 0, { handlers: { "shell.palette": () => void dispatcher.open(field()) } }),
    );
    press(":check\r");
    expect(log).toEqual(["text check", "field.done"]);
  });

  it("editing keys are offered before bindings", () => {
    const { log, dispatcher, field, press } = listed();
    dispatcher.open(field({ key: (name) => (log.push(`key ${name}`), name === "home") }));
    press("\x1b[H\x04\r");
    expect(log).toEqual(["key home", "key ctrl+d", "list.page", "key enter", "field.done"]);
  });
});

describe("pastes", () => {
  it("go whole to the highest layer that wants one, and are never commands", () => {
    const { log, dispatcher, layer, field, press } = listed();
    press("\x1b[200~jj\x1b[201~");
    expect(log).toEqual([]);
    dispatcher.open(layer("shell", 0, { paste: (text) => void log.push(`paste ${text}`) }));
    press("\x1b[200~{\r}\x1b[201~");
    dispatcher.open(field());
    press("\x1b[200~\ro-1\r\n o-2\tx\x1b[31m\r\x1b[201~");
    press("\x1b[200~\r\x1b[201~");
    expect(log).toEqual(["paste {\n}", "text o-1 o-2 x[31m"]);
  });
});

describe("a paste that no terminal has marked", () => {
  const JSON_CHUNK = '{\r\t"g": "j",\r\t"operation": "n"\r}\r';

  it("is one paste, or nothing, and never commands", () => {
    const { log, dispatcher, layer, press } = listed();
    dispatcher.open(layer("question", 2));
    for (const chunk of [JSON_CHUNK, "jgjgjgjgj", "j\rj", "\rjgjgjgjgj"]) press(chunk);
    expect(log).toEqual([]);
    dispatcher.open(layer("shell", 0, { paste: (text) => void log.push(`paste ${text}`) }));
    press(JSON_CHUNK);
    expect(log).toEqual([`paste ${JSON_CHUNK.replaceAll("\r", "\n")}`]);
    press("j");
    expect(log.at(-1)).toBe("list.down");
  });

  it("that is longer than one may be is said to be, in a field, too, and nothing of it is taken", () => {
    const ignored: [number, boolean][] = [];
    const { log, dispatcher, field, press } = stage(undefined, (...told) => ignored.push(told));
    dispatcher.open(field());
    press(`\x1b[200~${"x".repeat(PASTE_MOST + 1)}\x1b[201~`);
    expect(ignored).toEqual([[PASTE_MOST + 1, true]]);
    expect(log).toEqual([]);
  });

  it("is said to be ignored where nothing takes it", () => {
    const ignored: number[] = [];
    const { press } = listed(undefined, (characters) => ignored.push(characters));
    press("jgjgjgjgj");
    expect(ignored).toEqual([9]);
  });

  it("is not what a key that is held brings over a slow line, nor what was pressed before it", () => {
    const { log, press } = listed();
    press(`g${"j".repeat(12)}`);
    expect(log).toEqual(["list.first", ...Array.from({ length: 12 }, () => "list.down")]);
  });

  it("ends where a key comes that no paste holds", () => {
    const { log, press } = listed();
    press("jgjgjgjgj\x1b[Hj");
    expect(log).toEqual(["list.first", "list.down"]);
  });

  it("is not what a field gets, whatever its length, nor what follows the key that opens one", () => {
    const { log, dispatcher, layer, field, press } = stage();
    const shell = layer("shell", 0, { handlers: { "shell.palette": () => void dispatcher.open(field()) } });
    dispatcher.open(shell);
    press(":a long word\rmore");
    press("another long word\r");
    expect(log).toEqual([
      "text a long word",
      "field.done",
      "text more",
      "text another long word",
      "field.done",
    ]);
  });

  it("what is left of a chunk when its field has closed is judged anew", () => {
    const { log, dispatcher, field, press } = listed();
    const open = dispatcher.open(field({ handlers: { "field.done": () => open.close() } }));
    press("one\rjg\rjg");
    expect(log).toEqual(["text one"]);
  });

  it("single keys are keys however fast they come, and a few in one chunk too", () => {
    const { log, press } = listed();
    for (let count = 0; count < 20; count += 1) press("j");
    press("jjjjjjj\r");
    expect(log).toEqual([...Array.from({ length: 27 }, () => "list.down"), "list.open"]);
  });

  it.each(["nn", "no", "xn", "n\r", "\tn", "n\x1b[A"])(
    "%j is no answer to what counts only alone",
    (chunk) => {
      const { log, dispatcher, layer, press } = stage();
      dispatcher.open(layer("question", 1));
      press(chunk);
      expect(log).toEqual([]);
      press("n");
      expect(log).toEqual(["question.no"]);
    },
  );

  it("a key that counts only alone becomes no command of a lower layer", () => {
    const { log, dispatcher, layer, press } = stage();
    const below = layer("list", 0, { text: (text) => void log.push(text) });
    dispatcher.open(below);
    dispatcher.open(layer("question", 1));
    press("n\r");
    expect(log).toEqual(["list.open"]);
  });
});

describe("what works now", () => {
  it("lists what a key would really reach", () => {
    const { dispatcher, layer, field } = stage();
    dispatcher.open(layer("shell", 0));
    dispatcher.open(layer("list", 1));
    expect(ids(dispatcher)).toEqual([
      "list.down",
      "list.first",
      "list.page",
      "list.open",
      "family",
      "shell.quit",
      "shell.help",
      "shell.palette",
    ]);
    const open = dispatcher.open(field({ key: () => true }));
    expect(dispatcher.active().map((one) => [one.binding.id, ...one.binding.keys])).toEqual([
      ["field.done", "enter", "esc"],
      ["field.next", "tab"],
      ["list.down", "down"],
      ["shell.quit", "ctrl+c"],
      ["shell.help", "f1"],
    ]);
    open.close();
    dispatcher.open(layer("dialog", 3, { modal: true }));
    expect(ids(dispatcher)).toEqual(["dialog.yes", "dialog.close", "shell.quit"]);
  });

  it("tells listeners when it changes, not when only functions do", () => {
    const { dispatcher, layer } = stage();
    const listener = vi.fn<() => void>();
    const stop = dispatcher.subscribe(listener);
    const list = dispatcher.open(layer("list", 1));
    expect(listener).toHaveBeenCalledTimes(1);
    const before = dispatcher.active();
    list.update(layer("list", 1));
    expect(listener).toHaveBeenCalledTimes(1);
    expect(dispatcher.active()).toBe(before);
    list.update(layer("list", 1, { disabled: { "list.open": "Empty." } }));
    list.update(layer("list", 1, { disabled: { "list.open": "Still empty." } }));
    list.update(layer("list", 1, { modal: true }));
    expect(listener).toHaveBeenCalledTimes(4);
    stop();
    list.close();
    expect(listener).toHaveBeenCalledTimes(4);
    expect(dispatcher.active()).toEqual([]);
  });
});

describe("the barrier", () => {
  it("holds events until what a used one changed is drawn; unused ones hold nothing", () => {
    const { log, dispatcher, press } = listed();
    let drawn: (() => void)[] = [];
    dispatcher.setBarrier((done) => void drawn.push(done));
    press("xjjg");
    expect(log).toEqual(["list.down"]);
    const [first] = drawn;
    drawn = [];
    first!();
    first!();
    expect(log).toEqual(["list.down", "list.down"]);
    dispatcher.setBarrier(null);
    expect(log).toEqual(["list.down", "list.down", "list.first"]);
  });

  it("a handler that throws does not stop the keys after it", () => {
    const { log, dispatcher, layer, press } = stage();
    const handlers = {
      "list.open": () => {
        throw new Error("broken");
      },
      "list.down": () => void log.push("down"),
    };
    dispatcher.open(layer("list", 1, { handlers }));
    expect(() => press("\r")).toThrow("broken");
    press("j");
    expect(log).toEqual(["down"]);
  });
});

describe("the table", () => {
  it("collisions are keys that two bindings of one scope ask for", () => {
    expect(findCollisions(TABLE)).toEqual([]);
    const more = [...TABLE, binding("list.jump", ["j", "x"]), binding("field.jump", ["j"])];
    expect(findCollisions(more)).toEqual([{ scope: "list", key: "j", ids: ["list.down", "list.jump"] }]);
  });

  it.each([
    ["enter", "Enter"],
    ["ctrl+r", "Ctrl-R"],
    ["ctrl+_", "Ctrl-_"],
    ["shift+tab", "Shift-Tab"],
    ["ctrl+shift+left", "Ctrl-Shift-Left"],
    ["pagedown", "PgDn"],
    ["f1", "F1"],
    ["f", "f"],
    ["G", "G"],
    ["+", "+"],
    [" ", "Space"],
    ["?", "?"],
  ])("%s is shown as %s", (name, label) => {
    expect(keyLabel(name)).toBe(label);
  });
});
