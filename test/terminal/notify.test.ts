// The call back to the terminal: one bell, or one sequence that no text can leave.

import fc from "fast-check";
import { expect, it } from "vitest";
import { terminalNotifier } from "#src/terminal/notify.ts";

function written(kind: "bell" | "osc9", text: string, env: Record<string, string> = {}): string {
  let all = "";
  terminalNotifier({ write: (chunk) => (all += chunk) }, env, kind)(text);
  return all;
}

it("is the bell, or a notification that passes through tmux", () => {
  expect(written("bell", "The end")).toBe("\u0007");
  expect(written("osc9", "The end")).toBe("\u001b]9;The end\u0007");
  expect(written("osc9", "The end", { TMUX: "1" })).toBe("\u001bPtmux;\u001b\u001b]9;The end\u0007\u001b\\");
});

it("is one sequence, whatever the text is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) =>
      // oxlint-disable-next-line no-control-regex
      /^\u001b\]9;[^\u0000-\u001f\u007f-\u009f]*\u0007$/.test(written("osc9", text)),
    ),
  );
});
