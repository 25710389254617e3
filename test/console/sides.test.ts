// Two checks below each other: what differs is marked on both of them, by colour and by word.

import { expect, test } from "vitest";
import { sidesStacked } from "#src/ui/sides.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

test("what differs has its colour before and after", () => {
  const theme = createTheme({ keyName, color: true, ascii: false });
  const fact = { label: "Score", before: { text: "0" }, after: { text: "40" }, marks: true };
  const rows = sidesStacked([fact], 60, theme);
  const roles = rows.map((row) => row.find(({ text }) => /0/.test(text))?.role);
  expect(rows).toHaveLength(2);
  expect(roles).toEqual(["warning", "warning"]);
});
