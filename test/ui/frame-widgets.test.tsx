// Widgets that only draw, with ink-testing-library. Its terminal is 100 columns wide and has no rows: the environment
// says them, or Ink would start a process at every frame to find out.
import "../console/colour.ts";
import { stripVTControlCharacters } from "node:util";
import { render } from "ink-testing-library";
import { Box } from "ink";
import type { ReactElement, ReactNode } from "react";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Footer } from "#src/ui/footer.tsx";
import { Header } from "#src/ui/header.tsx";
import { Line } from "#src/ui/line.tsx";
import { Bands } from "#src/ui/pane.tsx";
import { createTheme, ThemeProvider } from "#src/ui/theme.ts";
import { ToastLine } from "#src/ui/toast-line.tsx";
import { keyName } from "../keys/standard.ts";

beforeAll(() => {
  vi.stubEnv("COLUMNS", "100");
  vi.stubEnv("LINES", "24");
});
afterAll(() => vi.unstubAllEnvs());

const opened: ReturnType<typeof render>[] = [];
afterEach(() => {
  for (const instance of opened.splice(0)) instance.unmount();
});

function show(node: ReactNode, ascii: boolean = false): ReturnType<typeof render> {
  const theme = createTheme({ keyName, color: true, ascii });
  const themed = (drawn: ReactNode): ReactElement => <ThemeProvider value={theme}>{drawn}</ThemeProvider>;
  const instance = render(themed(node));
  opened.push(instance);
  return { ...instance, rerender: (next) => instance.rerender(themed(next)) };
}

const plain = (frame: string | undefined): string =>
  stripVTControlCharacters(frame ?? "").replaceAll(/ +$/gm, "");

/** The last colour that was set before the text. */
function colourBefore(frame: string | undefined, text: string): string | undefined {
  const before = (frame ?? "").slice(0, (frame ?? "").indexOf(text));
  return ["\u001b[31m", "\u001b[36m"].toSorted((a, b) => before.lastIndexOf(b) - before.lastIndexOf(a))[0];
}

const TABS = [
  { key: "1", label: "Check", current: true },
  { key: "2", label: "Register", current: false },
];

describe("widgets that only draw", () => {
  it("header: badge in the colour of the environment, the open screen marked", () => {
    const header = (word: string, role: "sandbox" | "live"): ReactElement => (
      <Header environment={{ word, role }} profile={null} project="demo/low" tabs={TABS} width={60} />
    );
    const frame = show(header("SANDBOX", "sandbox")).lastFrame();
    expect(plain(frame)).toBe("  SANDBOX  demo/low                                     1 2");
    expect(frame).toContain("\u001b[1mSANDBOX");
    expect(colourBefore(show(header("LIVE", "live")).lastFrame(), "LIVE")).toBe("\u001b[31m");
  });

  it("footer: redrawn only for other keys", () => {
    const footer = (label: string): ReactElement => (
      <Footer keys={[{ key: "Enter", label }]} last={[{ key: "q", label: "quit" }]} width={40} />
    );
    const { rerender, frames } = show(footer("send"));
    rerender(footer("send"));
    expect(new Set(frames).size).toBe(1);
    rerender(footer("open"));
    expect(plain(frames.at(-1))).toBe("  Enter open                     q quit");
  });

  it("panes: titles before their rules, and one line between the panes", () => {
    const { lastFrame } = show(
      <Box flexDirection="column" width={22}>
        <Bands
          bands={[
            {
              panes: [
                { title: "A", width: 10, rows: [] },
                { title: "B", note: "1 of 2", width: 10, rows: [] },
              ],
              height: 2,
            },
          ]}
        />
      </Box>,
    );
    const lines = plain(lastFrame()).split("\n");
    expect(lines).toEqual(["  A ━━━━━━ │  B ━━━━━━", "           │", "           │"]);
  });

  it.each([
    ["note", " "],
    ["done", " "],
    ["error", "✖ "],
  ] as const)("toast: a %s has its sign if any, and two rows whatever its length", (kind, sign) => {
    const text = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");
    const line = <ToastLine text={text} kind={kind} rest="M shows all" width={40} />;
    const rows = plain(show(line).lastFrame()).split("\n");
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(new RegExp(`^ {2}${sign.trimEnd()} ?word0 word1`));
    expect(rows[1]).toMatch(/ word\d*… M shows all$/);
  });

  it("line: equal spans draw the same row again", () => {
    const { lastFrame, rerender } = show(<Line spans={[{ text: "one", role: "pass" }, { text: " two" }]} />);
    const first = lastFrame();
    rerender(<Line spans={[{ text: "one", role: "pass" }, { text: " two" }]} />);
    expect(lastFrame()).toBe(first);
    rerender(<Line spans={[{ text: "one", role: "block" }, { text: " two" }]} />);
    expect(plain(lastFrame())).toBe("one two");
  });

  it("signs are ASCII where the terminal has no more", () => {
    const frame = show(<ToastLine text="no" kind="error" rest="" width={10} />, true).lastFrame();
    expect(plain(frame)).toBe("  x no");
  });
});
