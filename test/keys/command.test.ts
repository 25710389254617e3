// The table of keys is whole: every set of commands that a screen or a widget declares is in it.

import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { commands, only, type Commands } from "#src/keys/command.ts";

const files = globSync([
  "screens/*/{keys,copy-keys}.ts",
  "src/ui/dialog-keys.ts",
  "src/keys/form-commands.ts",
]);

it("lists every set of commands", async () => {
  const modules = await Promise.all(files.map(async (file) => (await import(resolve(file))) as object));
  const sets = modules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((each): each is Pick<Commands<never>, "bindings"> =>
      Object.hasOwn(Object(each) as object, "bindings"),
    );
  expect(sets.length).toBeGreaterThan(40);
  const listed = new Set(BINDINGS);
  const missing = sets.flatMap(({ bindings }) => bindings).filter((each) => !listed.has(each));
  expect(missing).toEqual([]);
});

it("offers what exists, and refuses with a reason", () => {
  const pressed: string[] = [];
  const scene = (state: { readonly there: boolean; readonly why: string | null }) => state;
  const all = commands<ReturnType<typeof scene>>("test", "Test", 1, {
    plain: { keys: ["a"], label: "plain", run: () => void pressed.push("plain") },
    unused: { keys: ["b"], label: "unused", run: () => false },
    refused: { keys: ["c"], label: "refused", not: ({ why }) => why, run: () => undefined },
    ...only(({ there }) => there, {
      absent: { keys: ["d"], label: "absent", run: () => undefined },
      named: {
        id: "other.name",
        keys: ["e"],
        label: "named",
        when: ({ why }) => why === null,
        run: () => undefined,
      },
    }),
  });
  expect(all.bindings.map(({ id }) => id)).toEqual([
    "test.plain",
    "test.unused",
    "test.refused",
    "test.absent",
    "other.name",
  ]);
  const here = all.layer({ there: true, why: null });
  expect(Object.keys(here.handlers)).toHaveLength(5);
  expect(here.handlers["test.plain"]!()).toBe(true);
  expect(pressed).toEqual(["plain"]);
  expect(here.handlers["test.unused"]!()).toBe(false);
  expect(here.disabled).toEqual({});
  expect(Object.keys(all.layer({ there: true, why: "Not now." }).handlers)).not.toContain("other.name");
  const away = all.layer({ there: false, why: "Not now." });
  expect(Object.keys(away.handlers)).toEqual(["test.plain", "test.unused", "test.refused"]);
  expect(away.disabled).toEqual({ "test.refused": "Not now." });
});
