import { footerKeys } from "#screens/shell/view-model.ts";
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CONFIRM, PROMPT } from "#src/ui/dialog-keys.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import { fieldSpans, type FieldLineProps } from "#src/ui/field-line.tsx";
import { widthOf } from "#src/ui/fit.ts";
import { footerSpans } from "#src/ui/footer.tsx";
import { headerSpans } from "#src/ui/header.tsx";
import type { Completion } from "#src/display/completion.ts";
import type { Span } from "#src/ui/line.tsx";
import { paneSpans } from "#src/ui/pane.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { PromptLine } from "#src/ui/prompt.tsx";
import { Confirm, questionRows } from "#src/ui/question.tsx";
import { columnWidths, StillTable, stillTableHeight } from "#src/ui/still-table.tsx";
import type { Row } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { mount, type Mounted } from "../console/harness.tsx";
import { keyName } from "../keys/standard.ts";

const THEME = createTheme({ keyName, color: true, ascii: false });
const PLAIN = createTheme({ keyName, color: false, ascii: true });
const shown: Mounted[] = [];

afterEach(() => {
  for (const screen of shown.splice(0)) screen.unmount();
});

function show(node: ReactNode, ascii: boolean = false): Mounted {
  const screen = mount(node, { ascii, color: !ascii, bindings: PROMPT.bindings });
  shown.push(screen);
  return screen;
}

const text = (spans: readonly Span[]): string => spans.map((span) => span.text).join("");

describe("question", () => {
  const heard = createTheme({ keyName, color: false, ascii: "words" });
  const rows = questionRows("Remove it?", 60, THEME);
  const texts = (all: readonly Row[]): string[] => all.map((row) => text(row).trimEnd());

  it("has its pointer before the first row, and as many rows as it needs", () => {
    const long = "The credential is in the memory of this program alone. Leave although it is not saved?";
    expect(texts(questionRows(long, 40, THEME))).toEqual([
      "› The credential is in the memory of",
      "  this program alone. Leave although it",
      "  is not saved?",
    ]);
    expect(texts(questionRows("Remove it?", 40, heard))).toEqual(["Question: Remove it?"]);
  });

  /** What the footer says of its answers. */
  const answersOf = ({ dispatcher }: Mounted): string[] =>
    footerKeys(dispatcher.active()).keys.map(({ key, label }) => `${key} ${label}`);

  it("is No by Enter until the other answer is chosen", async () => {
    const asked = { rows, yes: "remove", onYes: vi.fn(), onNo: vi.fn(), onLeave: vi.fn() };
    const screen = mount(<Confirm {...asked} />, { bindings: CONFIRM.bindings });
    shown.push(screen);
    await screen.until("› Remove it?");
    expect(answersOf(screen)).toEqual(["y remove", "n no", "Enter no"]);
    screen.press("\t");
    await expect.poll(() => answersOf(screen)).toEqual(["y remove", "n no", "Enter remove"]);
    screen.press("\r");
    await expect.poll(() => asked.onYes.mock.calls.length).toBe(1);
    expect(asked.onNo).not.toHaveBeenCalled();
  });

  it("has no answer for Enter before a payment", async () => {
    const asked = { rows, yes: "send it", onYes: vi.fn(), onNo: vi.fn(), onLeave: vi.fn() };
    const screen = mount(<Confirm {...asked} withoutEnter />, { bindings: CONFIRM.bindings });
    shown.push(screen);
    await screen.until("› Remove it?");
    expect(answersOf(screen)).toEqual(["y send it", "n no"]);
    screen.press("\t\r");
    screen.press("n");
    await expect.poll(() => asked.onNo.mock.calls.length).toBe(1);
    expect(asked.onYes).not.toHaveBeenCalled();
  });
});

describe("field line", () => {
  const FIELD: FieldLineProps = {
    label: "Amount",
    labelWidth: 12,
    value: { text: "12000", cursor: 5 },
    selected: false,
    editing: false,
    note: { text: "120.00 UAH", role: "note" },
    width: 50,
  };

  it("is exactly its width, whatever is in it", () => {
    const values = ["", "12000", "x".repeat(100), "日本語".repeat(20), "a\u0000\u200bb", "👩‍👩‍👧 ok"];
    for (const value of values) {
      for (const [selected, editing] of [
        [false, false],
        [true, false],
        [true, true],
      ] as const) {
        for (const theme of [THEME, PLAIN]) {
          for (const note of [null, FIELD.note!, { text: "long ".repeat(30), role: null }]) {
            for (const cursor of [0, value.length]) {
              const field = { ...FIELD, value: { text: value, cursor }, selected, editing, note };
              expect(widthOf(text(fieldSpans(field, theme))), JSON.stringify(field)).toBe(FIELD.width);
            }
          }
        }
      }
    }
  });

  it("stands in columns and gives the note its role", () => {
    const spans = fieldSpans(FIELD, THEME);
    expect(text(spans)).toBe("  Amount       12000                    120.00 UAH");
    expect(spans.at(-1)).toMatchObject({ role: "note" });
  });

  it("shows the cursor on its character, and keeps it in view in a long value", () => {
    const slotOf = (field: Partial<FieldLineProps>): Span | undefined =>
      fieldSpans({ ...FIELD, selected: true, editing: true, ...field }, THEME).find(
        ({ cursor }) => cursor !== undefined,
      );
    expect(slotOf({ value: { text: "abc", cursor: 1 } })).toMatchObject({
      text: expect.stringMatching(/^abc +$/),
      cursor: 1,
    });
    expect(slotOf({ value: { text: "abc", cursor: 3 } })?.cursor).toBe(3);
    expect(slotOf({ value: { text: "👍🏽b", cursor: 4 } })?.cursor).toBe(2);
    const long = { value: { text: `${"x".repeat(200)}END`, cursor: 203 }, width: 30 };
    const slot = slotOf({ ...long, note: null })!;
    expect(slot.cursor).toBe(widthOf(slot.text) - 1);
    expect(text(fieldSpans({ ...FIELD, ...long, note: null, selected: true, editing: true }, THEME))).toMatch(
      /…x+END $/,
    );
    expect(slotOf({ editing: false })).toBeUndefined();
  });

  it("has a cursor without colour, too", () => {
    const field = { ...FIELD, value: { text: "abc", cursor: 1 }, selected: true, editing: true, note: null };
    expect(text(fieldSpans(field, PLAIN))).toContain("a|bc");
  });

  it("hides a secret: each character while it is typed, its length afterwards", () => {
    const secret = { ...FIELD, value: { text: "hush", cursor: 4 }, masked: true, note: null };
    expect(text(fieldSpans(secret, THEME)).trim()).toBe("Amount       ********");
    expect(text(fieldSpans({ ...secret, editing: true }, THEME)).trim()).toBe("Amount       ****");
  });

  it("writes hidden characters of a value visibly", () => {
    const field = { ...FIELD, value: { text: "pa\u0000s\u200bs", cursor: 0 }, note: null };
    expect(text(fieldSpans(field, THEME))).toContain("pa\\x00s\\u200bs");
  });
});

describe("title row of panes", () => {
  it("is as wide as its panes with a line between them, notes at the right end", () => {
    const panes = [
      { title: "Compose", width: 20 },
      { title: "History", note: "3 of 128", width: 30 },
    ];
    expect(text(paneSpans(panes, THEME))).toBe("  Compose ━━━━━━━━━━ │  History ━━━━━━━━━━━ 3 of 128");
    expect(text(paneSpans(panes, PLAIN))).toMatch(/^[ -~]{52}$/);
    for (let width = 0; width < 30; width += 1) {
      const pane = { title: "A rather long title", note: "1 of 2", width };
      expect(widthOf(text(paneSpans([pane], THEME)))).toBe(width);
    }
  });
});

describe("header", () => {
  const HEADER = {
    environment: { word: "LIVE", role: "live" as const },
    profile: "bank",
    project: "merchant-with-a-long-name/medium",
    tabs: [
      { key: "1", label: "Check", current: true },
      { key: "4", label: "History", current: false },
    ],
  };

  it("keeps the order of its slots at every width, and the project until nothing else gives way", () => {
    for (let width = 58; width <= 220; width += 1) {
      const line = text(headerSpans({ ...HEADER, width }, THEME));
      expect(widthOf(line)).toBe(width);
      const order = ["LIVE", "bank", "merchant-with-a-long-name/medium", "1", "4"].map((part) =>
        line.indexOf(part),
      );
      expect(order).toEqual(order.toSorted((one, other) => one - other));
      expect(order).not.toContain(-1);
      expect(line).toMatch(width < 70 ? / 1 4 $/ : width < 120 ? / 1 Check 4 $/ : / 1 Check {2}4 History $/);
      expect(line.includes("verdict")).toBe(width >= 140);
    }
  });

  it("cuts first the profile and then the project from their beginning, and never the risk level", () => {
    const profile = "shop-live-europe";
    const line = (width: number): string => text(headerSpans({ ...HEADER, profile, width }, THEME));
    expect(line(53)).toContain("\u2026ope \u00b7 merchant-with-a-long-name/medium");
    for (let width = 40; width <= 60; width += 1) expect(line(width)).toContain("/medium ");
    expect(line(32)).not.toContain("\u00b7");
  });

  it("says environment and screen in signs where there is no colour", () => {
    const line = text(headerSpans({ ...HEADER, width: 100 }, PLAIN));
    expect(line).toContain("[LIVE]");
    expect(line).toContain("[1 Check]");
  });
});

describe("footer", () => {
  const KEYS = ["Enter", "Tab", "x", "y"].map((key) => ({ key, label: "does something" }));
  const LAST = [{ key: "q", label: "quit" }];

  it("shows as many keys as fit and never drops the way out", () => {
    expect(text(footerSpans({ keys: KEYS, last: LAST, width: 60 }))).toBe(
      "  Enter does something   Tab does something          q quit ",
    );
    for (let width = 10; width < 120; width += 7) {
      const line = text(footerSpans({ keys: KEYS, last: LAST, width }));
      expect(widthOf(line)).toBe(width);
      expect(line).toContain("q quit");
    }
  });
});

describe("panel", () => {
  const ROWS = [[{ text: "x".repeat(100) }], [{ text: "short" }]];
  const PANEL = (
    <Box width={30} height={6}>
      <Panel title="Title" rows={ROWS} width={30} height={6} />
    </Box>
  );

  it("has nothing but ASCII where the terminal has no more, also where it cuts", () => {
    const cut = show(PANEL, true).frame();
    expect(cut).toContain(`  ${"x".repeat(25)}~`);
    // oxlint-disable-next-line no-control-regex
    expect(cut).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("is exactly its size and cuts rows that are too long", () => {
    const screen = show(PANEL);
    expect(screen.frame()).toBe(
      [
        "  Title ━━━━━━━━━━━━━━━━━━━━━━",
        `  ${"x".repeat(25)}…`,
        "  short",
        "",
        "",
        `  ${"─".repeat(28)}`,
      ].join("\n"),
    );
  });
});

describe("still table", () => {
  const row = (...texts: readonly string[]): { text: string }[] => texts.map((text) => ({ text }));
  const TABLE = {
    headings: row("kind", "checks"),
    rows: [row("key", "3"), [{ text: "日本/low" }, { text: "1 204", role: "block" as const }]],
    width: 60,
  };

  it("is drawn by ink-table, text from the axis, numbers to the edge of their heading, each in its colour", async () => {
    const screen = show(<StillTable {...TABLE} />);
    await screen.until("日本/low");
    const lines = screen.frame().split("\n").slice(0, stillTableHeight(2));
    expect(lines).toEqual(["  kind     checks", "  key           3", "  日本/low  1 204"]);
    expect(screen.styledFrame().split("1 204")[0]).toContain("\u001b[31m");
  });

  it("has nothing but ASCII where the terminal has no more", async () => {
    const screen = show(<StillTable {...TABLE} rows={[row("key".repeat(30), "1")]} />, true);
    // oxlint-disable-next-line no-control-regex
    expect(await screen.until("keykey")).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("cuts the widest cells where the width does not do", () => {
    expect(columnWidths([["aaaaaaaaaa", "bb"]], 16)).toEqual([10, 2]);
    expect(columnWidths([["aaaaaaaaaa", "bb"]], 12)).toEqual([6, 2]);
  });
});

describe("error boundary", () => {
  it("tells what was thrown and shows nothing of it", async () => {
    const failed = vi.fn();
    const error = new Error("secret in a message");
    const Broken = (): ReactNode => {
      throw error;
    };
    const screen = show(
      <ErrorBoundary onError={failed}>
        <Text>before</Text>
        <Broken />
      </ErrorBoundary>,
    );
    await vi.waitFor(() => expect(failed).toHaveBeenCalledWith(error));
    expect(screen.frame()).not.toContain("secret");
  });
});

describe("input line", () => {
  const KEYS = [
    { key: "Enter", label: "accept" },
    { key: "Esc", label: "cancel" },
  ];
  const line = (text: string, masked: boolean = false): ReactNode => (
    <PromptLine
      label="Name"
      initial={text}
      placeholder="such as repeat-buyer"
      masked={masked}
      onSubmit={() => {}}
      onCancel={() => {}}
      keys={KEYS}
      width={60}
    />
  );

  it("says below which keys work", async () => {
    await show(line("first")).until(/^ {2}Name first\n {30,}Enter accept {3}Esc cancel$/m);
    await show(line("")).until(/Name  <such as repeat-buyer>\n.*Enter accept {3}Esc cancel$/m);
    await show(line("hidden", true)).until(/Name \*{6}\n.*Esc cancel$/m);
  });

  it("offers what may be typed next, of which Tab takes the first", async () => {
    const screen = show(
      <PromptLine
        label="Name"
        complete={(text) => ({
          candidates: ["alpha", "alpine", "alps"]
            .filter((name) => name.startsWith(text) && name !== text)
            .map((name) => ({ label: name, text: name })),
          hint: "a\u001bword",
        })}
        onSubmit={() => {}}
        onCancel={() => {}}
        keys={KEYS}
        width={60}
      />,
    );
    await screen.until(/^ {2}alpha {3}alpine {3}alps {3}a\\x1bword {3,}Enter accept$/m);
    screen.press("alpi");
    await screen.press("\t").until(/^ {2}Name alpine\n {2}a\\x1bword {3,}Enter accept {3}Esc cancel$/m);
  });

  it("asks once a text for what may be typed next, because a path is read from disk", async () => {
    const asked: string[] = [];
    const complete = (text: string): Completion => {
      asked.push(text);
      return { candidates: [], hint: `asked ${asked.length}` };
    };
    const prompt = (label: string): ReactNode => (
      <PromptLine label={label} complete={complete} onSubmit={() => {}} onCancel={() => {}} width={60} />
    );
    const screen = show(prompt("One"));
    await screen.until(/One/);
    screen.rerender(prompt("Two"));
    await screen.until(/Two/);
    await screen.press("a").until(/Two a/);
    expect(asked).toEqual(["", "a"]);
  });

  it("has a caret without colour, on an example and within a value", async () => {
    const plain = (text: string): Mounted => show(line(text), true);
    await plain("").until(/^ {2}Name \| <such as repeat-buyer>/m);
    const screen = plain("first");
    await screen.until(/^ {2}Name first\|$/m);
    await screen.press("\u001b[D\u001b[D").until(/^ {2}Name fir\|st$/m);
    await screen.press("x").until(/^ {2}Name firx\|st$/m);
  });
});
