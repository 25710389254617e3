// What a comparison adds up to: the hue of a verdict is for verdicts.

import { expect, it } from "vitest";
import { changeLines } from "#src/display/comparison-lines.ts";
import { compared, runRow } from "../console/replay-engine.ts";

it("says without the hue of a verdict that none changed", () => {
  const rows = [runRow(1), runRow(2)];
  const [line] = changeLines(compared(rows, rows));
  expect(line).toEqual([{ text: "2 compared: no verdict changed", role: "heading" }]);
});
