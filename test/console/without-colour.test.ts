// Colour is never the only difference: drawn without it, two verdicts and two environments still read differently.

import { describe, expect, it } from "vitest";
import { historyRows } from "#screens/check/history-rows.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { ROLE_STYLE, roleStyles, THEMES, type Role } from "#src/display/style.ts";
import { VERDICT_KINDS, VERDICTS, type VerdictKind } from "#src/display/verdict.ts";
import { SCREENS } from "#screens/shell/screen-list.ts";
import { headerSpans } from "#src/ui/header.tsx";
import { attemptsAmong } from "#src/ui/marks.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

function resultOf(kind: VerdictKind): CheckResult | null {
  if (kind === "unknown") return null;
  const isAnswer = kind === "pass" || kind === "block" || kind === "3ds_or_block";
  const change = isAnswer
    ? { outcome: "answered", recommendation: kind }
    : { outcome: kind, recommendation: null };
  return { message: null, explanation: "", latencyMs: 1, ...change } as CheckResult;
}

const entryOf = (kind: VerdictKind): HistoryEntry =>
  ({
    id: "1",
    at: 0,
    request: { order_id: "o-1", amount: 1, currency: 980 },
    result: resultOf(kind),
    finalAction: "block",
    project: "shop/medium",
    note: null,
  }) as HistoryEntry;

it("a plate is in brackets, also in the theme without colours on a terminal that has them", () => {
  const theme = createTheme({ keyName, color: true, ascii: false, name: "none" });
  expect(theme.bracketed("LIVE")).toBe("[LIVE]");
});

it("keeps bold, underline and inverse where there are no colours, and the bar is inverse", () => {
  for (const name of THEMES) {
    const { textStyle } = createTheme({ keyName, color: false, ascii: false, name });
    for (const role of Object.keys(ROLE_STYLE) as Role[]) {
      const { color: _, background: __, ...weight } = roleStyles(name)[role];
      expect(textStyle(role), `${role} in ${name}`).toEqual(
        role === "bar" && name !== "none" ? { ...weight, inverse: true } : weight,
      );
    }
  }
});

describe.each([true, false])("without colour, ASCII %s", (ascii) => {
  const theme = createTheme({ keyName, color: false, ascii });

  it("every verdict has a sign and a word of its own", () => {
    const rows = VERDICT_KINDS.map((kind) =>
      historyRows(
        {
          entries: [entryOf(kind)],
          attempts: attemptsAmong([]),
          selectedId: null,
          focused: false,
          sendingId: null,
          project: null,
          unit: "minor",
          width: 60,
          now: 0,
        },
        theme,
      )
        .flat()
        .map(({ text }) => text)
        .join(""),
    );
    expect(new Set(rows).size).toBe(VERDICT_KINDS.length);
    for (const [index, kind] of VERDICT_KINDS.entries()) {
      const { symbol, ascii: plain, word } = VERDICTS[kind];
      expect(rows[index]).toContain(`${ascii ? plain : symbol} ${word}`);
    }
    // Bars and titles of groups show the sign alone.
    expect(
      new Set(VERDICT_KINDS.map((kind) => (ascii ? VERDICTS[kind].ascii : VERDICTS[kind].symbol))).size,
    ).toBe(VERDICT_KINDS.length);
  });

  it("environment and screen are marked by brackets", () => {
    const texts = (["SANDBOX", "TEST", "LIVE"] as const).map((word) =>
      headerSpans(
        {
          environment: { word, role: "live" },
          profile: null,
          project: "shop/low",
          tabs: [
            { key: "1", label: "Check", current: true },
            { key: "2", label: "Register", current: false },
          ],
          width: 80,
        },
        theme,
      )
        .map(({ text }) => text)
        .join(""),
    );
    for (const [index, word] of ["SANDBOX", "TEST", "LIVE"].entries())
      expect(texts[index]).toContain(`[${word}]`);
    expect(texts[0]).toContain("[1 Check] 2 ");
  });

  it("every screen has its name where the brackets leave room for it, closer together", () => {
    const labels = SCREENS.map(({ label }, index) => ({ key: `${index + 1}`, label, current: index === 0 }));
    const environment = { word: "SANDBOX", role: "heading" } as const;
    const given = { environment, profile: null, project: "shop-north/medium", tabs: labels, width: 120 };
    const line = headerSpans(given, theme)
      .map(({ text }) => text)
      .join("");
    for (const { key, label } of labels) expect(line).toContain(`${key} ${label}`);
  });
});

describe("themes", () => {
  it("name a look for the same roles, from the sixteen colours, without blue", () => {
    for (const theme of THEMES) {
      const styles = roleStyles(theme);
      expect(Object.keys(styles).sort()).toEqual(Object.keys(ROLE_STYLE).sort());
      for (const { color = "", background = "" } of Object.values(styles))
        expect(`${color} ${background}`).not.toMatch(/blue/i);
    }
  });

  it("set what matters on a ground of its own in high contrast, black or bright white on it", () => {
    const styles = roleStyles("high-contrast");
    for (const role of ["pass", "block", "challenge", "doubt", "fault", "live", "error"] as const) {
      expect(styles[role].background).toBeDefined();
      expect(["black", "whiteBright"]).toContain(styles[role].color);
    }
  });
});
