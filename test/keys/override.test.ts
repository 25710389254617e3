// A user's own keys: what is taken, and what is refused with its place.

import { describe, expect, it } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { findCollisions } from "#src/keys/binding.ts";
import { readKeyName } from "#src/keys/key-names.ts";
import { createKeyParser } from "#src/keys/key-parser.ts";
import { overrideBindings, type KeyOverride } from "#src/keys/override.ts";

function result(...overrides: KeyOverride[]) {
  return overrideBindings(BINDINGS, overrides);
}

describe("overrides", () => {
  it("take the place of the default keys", () => {
    const taken = result(
      { id: "check.sendAnywhere", keys: ["Ctrl-R", "F5"] },
      { id: "history.resend", keys: ["f6"] },
    );
    const bindings = "bindings" in taken ? taken.bindings : [];
    expect(bindings.find(({ id }) => id === "check.sendAnywhere")!.keys).toEqual(["ctrl+r", "f5"]);
    expect(bindings.find(({ id }) => id === "history.resend")!.keys).toEqual(["f6"]);
    expect(bindings).toHaveLength(BINDINGS.length);
    expect(findCollisions(bindings)).toEqual([]);
  });

  it("take the ids that pages had before they shared their keys", () => {
    const taken = result(
      { id: "whatIf.anew", keys: ["f5"] },
      { id: "sweep.close", keys: ["esc", "f6"] },
      { id: "why.close", keys: ["esc", "f7"] },
    );
    const bindings = "bindings" in taken ? taken.bindings : [];
    expect(bindings.find(({ id }) => id === "page.again")!.keys).toEqual(["f5"]);
    expect(bindings.find(({ id }) => id === "page.close")!.keys).toEqual(["esc", "f6", "f7"]);
  });

  it("may swap two keys", () => {
    expect(result({ id: "check.fresh", keys: ["o"] }, { id: "check.same", keys: ["f"] })).toHaveProperty(
      "bindings",
    );
  });

  it.each<readonly [string, KeyOverride[], RegExp, number | null]>([
    [
      "an unknown binding",
      [{ id: "check.sned", keys: ["x"] }],
      /there is no binding "check.sned"; "verdict help shortcuts"/,
      null,
    ],
    ["no key", [{ id: "check.send", keys: [] }], /needs at least one key/, null],
    [
      "an unknown key",
      [{ id: "check.send", keys: ["enter", "hyper+x"] }],
      /no terminal sends a key "hyper\+x"/,
      1,
    ],
    ["a key that is another one", [{ id: "check.send", keys: ["ctrl+m"] }], /terminals send enter for/, 0],
    ["a collision", [{ id: "check.fresh", keys: ["s"] }], /S|s is the key of check.save there already/, 0],
    ["the same key twice", [{ id: "check.fresh", keys: ["f", "f"] }], /is listed twice/, 1],
    ["a letter in a text field", [{ id: "check.field.send", keys: ["x"] }], /is typed as text there/, 0],
    [
      "an editing key in a text field",
      [{ id: "check.field.send", keys: ["ctrl+a"] }],
      /edits the text there/,
      0,
    ],
    [
      "quit behind another key",
      [{ id: "check.fresh", keys: ["q"] }],
      /shell\.quit would have no key there/,
      null,
    ],
    [
      "help behind other keys",
      [{ id: "shell.help", keys: ["j"] }],
      /shell\.help would have no key there/,
      null,
    ],
    [
      "Ctrl-C behind a field's key",
      [{ id: "check.field.send", keys: ["ctrl+c"] }],
      /shell\.interrupt would have no key/,
      null,
    ],
  ])("refuse %s", (_what, overrides, problem, key) => {
    const refused = result(...overrides);
    expect(refused).toMatchObject({ override: 0, key });
    expect("problem" in refused ? refused.problem : "").toMatch(problem);
  });
});

describe("the name of a key", () => {
  it("is what the parser calls it", () => {
    const heard: [string, string][] = [
      ["\u0012", "Ctrl-R"],
      ["\u001b[15~", "F5"],
      ["\u001b[6~", "PgDn"],
      ["\u001b[1;5C", "ctrl+right"],
      ["\u001b[Z", "Shift-Tab"],
      ["\u001bb", "alt+b"],
      ["\r", "Return"],
      ["\u0000", "ctrl+space"],
      ["\u001b[1;6A", "ctrl+shift+up"],
    ];
    for (const [bytes, written] of heard) {
      const names: string[] = [];
      const parser = createKeyParser((event) => void (event.type === "key" && names.push(event.name)));
      parser.feed(bytes);
      parser.dispose();
      expect(readKeyName(written)).toEqual({ name: names[0] });
    }
  });

  it("reads every key of the table", () => {
    for (const { keys } of BINDINGS) for (const key of keys) expect(readKeyName(key)).toEqual({ name: key });
  });

  it.each(["hyper+x", "ctrl+", "ctrl+1", "f13", "", "ab", "alt+x", "\u0007"])("refuses %j", (written) => {
    expect(readKeyName(written)).toHaveProperty("problem");
  });
});
