// The message below the form of Check: a predicted verdict in its colour, and all that is said behind it.

import { expect, it } from "vitest";
import { composeRows } from "#screens/check/compose-rows.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { composition, type Draft } from "#src/state/check/draft.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

it("says the whole sentence where the verdict stands in it twice", () => {
  const { text } = verdictSpan("pass", false);
  const message = `It was ${text} before, and may be another now.`;
  const request = { operation: "payment", order_id: "a" } as const;
  const found = { path: "amount", severity: "note", message } as const;
  const draft: Draft = {
    request,
    findings: new Map([["amount", found]]),
    hints: new Map(),
    blocked: null,
    warnings: [],
    repeats: null,
    predicted: "pass",
  };
  const composer = { ...composition(request, null), focus: SUBMIT, before: null, prediction: null };
  const state = { composer, draft, sending: false, lack: null, locked: false };
  const theme = createTheme({ keyName, color: true, ascii: false });
  const { rows } = composeRows({ ...state, width: 110, height: 40, from: undefined }, theme);
  const lines = rows.map((row) =>
    row
      .map((span) => span.text)
      .join("")
      .trim(),
  );
  expect(lines).toContain(`If sent now: ${text}. ${message}`);
});
