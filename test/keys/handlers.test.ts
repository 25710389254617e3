// Every key of the table does something: its id has a handler, which a layer meets by its name alone.

import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BINDINGS, SCREENS, screenBinding } from "#screens/shell/bindings.ts";
import { moveHandlers, sortHandlers } from "#src/keys/move-bindings.ts";
import { COPIED } from "#src/state/history/history-copy.ts";
import { buttonLayer, formLayer, type FormVerbs } from "#src/ui/form-layer.ts";

const sources = globSync("{src/{keys,state,ui},screens}/**/*.{ts,tsx}").map((file) =>
  readFileSync(file, "utf8"),
);

const found = (pattern: RegExp): readonly string[] =>
  sources.flatMap((code) => [...code.matchAll(pattern)].map(([, name]) => name!));

/** Handlers that are written with their ids, and those that functions of the program make for a scope. */
function handled(): ReadonlySet<string> {
  const verbs = {} as FormVerbs;
  const moves = found(/(?:moveHandlers\(\s*|<ScrolledPanel\b[^>]*?scope=)"([\w.]+)"/g);
  const forms = found(/formLayer\(\s*"([\w.]+)"/g);
  const fieldsOf = (scope: string): string[] =>
    (["text", "choice"] as const).flatMap((kind) =>
      Object.keys(formLayer(scope, { fields: [{ path: "a", kind }], focus: "a" }, verbs)!.handlers),
    );
  return new Set([
    ...found(/"([\w.-]+)": /g),
    ...moves.flatMap((scope) => Object.keys(moveHandlers(scope, () => undefined, 1))),
    ...found(/sortHandlers\(\s*"([\w.]+)"/g).flatMap((scope) =>
      Object.keys(sortHandlers(scope, () => undefined)),
    ),
    ...found(/buttonLayer\(\s*"([\w.]+)"/g).flatMap((scope) =>
      Object.keys(buttonLayer(scope, verbs).handlers),
    ),
    ...forms.flatMap(fieldsOf),
    ...SCREENS.map(({ name }) => screenBinding(name)),
    ...Object.keys(COPIED).map((part) => `history.copy.${part}`),
  ]);
}

it("has a handler for every binding, and a binding for every handler", () => {
  const names = handled();
  expect(BINDINGS.map(({ id }) => id).filter((id) => !names.has(id))).toEqual([]);
  const ids = new Set(BINDINGS.map(({ id }) => id));
  const scopes = new Set(BINDINGS.map(({ scope }) => scope));
  const ofScope = [...names].filter((name) => scopes.has(name.slice(0, name.lastIndexOf("."))));
  expect(ofScope.filter((name) => !ids.has(name))).toEqual([]);
});
