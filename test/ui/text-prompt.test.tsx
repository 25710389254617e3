// A prompt in a terminal, fed by the dispatcher: nothing that is typed gets lost.

import { useEffect, useState, type ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import { Text } from "ink";
import { safe } from "#src/display/safe.ts";
import { applyKey, editText, insertText } from "#src/display/text-edit.ts";
import type { Binding } from "#src/keys/binding.ts";
import { createKeyParser } from "#src/keys/key-parser.ts";
import { useActiveBindings, useLayer } from "#src/keys/use-layer.ts";
import { TextPrompt } from "#src/ui/text-prompt.tsx";
import { mount, type Mounted } from "../console/harness.tsx";

const BINDINGS: readonly Binding[] = [
  { id: "below.letter", keys: ["a", "?"], scope: "below", label: "letter", group: "Test" },
  { id: "below.send", keys: ["ctrl+r"], scope: "below", label: "send", group: "Test" },
  { id: "below.colon", keys: [":"], scope: "below", label: "ask", group: "Test", opensText: true },
  { id: "asking.close", keys: ["esc"], scope: "asking", label: "close", group: "Test" },
  { id: "asking.submit", keys: ["enter"], scope: "asking", label: "submit", group: "Test" },
  { id: "asking.choose", keys: ["up"], scope: "asking", label: "choose", group: "Test" },
];

let mounted: Mounted | null = null;
afterEach(() => {
  mounted?.unmount();
  mounted = null;
});

interface Seen {
  readonly values: string[];
  readonly log: string[];
}

/** A prompt over a layer with letters as commands. */
function open(
  props: { initial?: string; masked?: boolean; change?: (value: string) => string } = {},
): Seen & { screen: Mounted; set: (value: string) => void } {
  const seen: Seen = { values: [], log: [] };
  const setter: { current: (value: string) => void } = { current: () => undefined };
  function Asking(): ReactNode {
    const [value, setValue] = useState(props.initial ?? "");
    useEffect(() => {
      setter.current = setValue;
    }, []);
    useLayer({
      scope: "below",
      level: 1,
      handlers: {
        "below.letter": () => void seen.log.push("letter"),
        "below.send": () => void seen.log.push("send"),
      },
    });
    useLayer({
      scope: "asking",
      level: 3,
      handlers: {
        "asking.close": () => void seen.log.push("close"),
        "asking.choose": () => void seen.log.push("choose"),
        "asking.submit": () => void seen.log.push(`submit ${value}`),
      },
    });
    return (
      <TextPrompt
        value={value}
        onChange={(next) => {
          const kept = props.change?.(next) ?? next;
          seen.values.push(kept);
          setValue(kept);
        }}
        masked={props.masked ?? false}
        level={3}
        width={80}
      />
    );
  }
  const screen = mount(<Asking />, { bindings: BINDINGS });
  mounted = screen;
  return { ...seen, screen, set: (value) => setter.current(value) };
}

/** What the prompt holds after this input, which comes as one chunk unless told. The end is told by Ctrl-R. */
async function typed(chunks: string | readonly string[], initial = ""): Promise<string> {
  const { screen, values, log } = open({ initial });
  for (const chunk of [chunks].flat()) screen.press(chunk);
  await screen.press("\x12").until(() => log.includes("send"));
  return values.at(-1) ?? initial;
}

const ESC = "\x1b";
const FAMILY = "👨‍👩‍👧‍👦";

/** Input as a keyboard sends it: each key, grapheme and paste as a chunk of its own. */
function pieces(input: string): string[] {
  const chunks: string[] = [];
  for (const { segment } of new Intl.Segmenter("en").segment(input)) {
    const last = chunks.at(-1);
    const unfinished =
      last?.startsWith(ESC) === true &&
      (last.startsWith(`${ESC}[200~`)
        ? !last.endsWith(`${ESC}[201~`)
        : !/^.(?:[^[]|\[[\d;]*[A-Z~])$/su.test(last));
    if (last !== undefined && unfinished) chunks[chunks.length - 1] = last + segment;
    else chunks.push(segment);
  }
  return chunks;
}

describe("what comes in one chunk, and key by key", () => {
  it.each([
    ["three backspaces in one chunk", "abcdef\x7f\x7f\x7f", "abc"],
    ["text, a backspace and text in one chunk", "ab\x7fcd", "acd"],
    ["Ctrl letters insert nothing", "ab\x07\x0e\x10\x14\x18c", "abc"],
    ["Home and End", "bc\x1b[Ha\x1b[Fd", "abcd"],
    ["Del deletes behind the cursor", "abc\x1b[H\x1b[3~", "bc"],
    ["Del at the end deletes nothing", "abc\x1b[3~", "abc"],
    ["emoji are deleted whole", `a${FAMILY}🇺🇦é😀\x7f\x7f\x7f`, `a${FAMILY}`],
    ["the cursor passes emoji whole", `a${FAMILY}b\x1b[D\x1b[Dx`, `ax${FAMILY}b`],
    ["the cursor stays within the text at its start", "ab\x1b[D\x1b[D\x1b[D\x1b[Dx", "xab"],
    ["the cursor stays within the text at its end", "ab\x1b[C\x1b[Ccd", "abcd"],
    ["a paste is one line", "\x1b[200~\ro-1\r\no-2\r\x1b[201~", "o-1 o-2"],
    ["word moves and deletions", "one two three\x1bb\x17\x1bbX\x05!", "Xone three!"],
    ["more than is drawn in one go", `${"long ".repeat(40)}\x15four`, "four"],
    ["all before and all behind", "one two\x1b[1;5D\x0bthree\x15four", "four"],
    ["Alt letters that edit", "one two\x1bb\x1b\x7fx\x1bf.", "xtwo."],
  ])("%s", async (_, input, expected) => {
    expect(await typed(input)).toBe(expected);
    mounted?.unmount();
    // The same key by key, as from a keyboard.
    expect(await typed(pieces(input))).toBe(expected);
  });

  it("Enter behind text in one chunk submits all of it", async () => {
    const { screen, log, values } = open();
    await screen.press("abc\r").until(() => log.length > 0);
    expect(log).toEqual(["submit abc"]);
    expect(values).toEqual(["abc"]);
  });
});

describe("the law", () => {
  it("a prompt ends up with the text that the fields' own editing gives", async () => {
    const letters = ["a", "B", "_", " ", "-", "é", "e\u0301", FAMILY, "🇺🇦"];
    const keys = [
      "\x7f",
      "\x1b[3~",
      "\x1b[D",
      "\x1b[C",
      "\x1b[H",
      "\x1b[F",
      "\x1bb",
      "\x1bf",
      "\x1bd",
      "\x1b\x7f",
    ];
    const input = fc.array(
      fc.constantFrom(...letters, ...letters, ...letters, ...keys, "\x17", "\x15", "\x0b"),
      {
        maxLength: 25,
      },
    );
    await fc.assert(
      fc.asyncProperty(input, async (pieces) => {
        let edit = editText("");
        const parser = createKeyParser((event) => {
          if (event.type === "mouse" || event.type === "overlong") return;
          edit = event.type === "key" ? (applyKey(edit, event.name) ?? edit) : insertText(edit, event.text);
        });
        parser.feed(pieces.join(""));
        expect(await typed(pieces.join(""))).toBe(edit.text);
        mounted?.unmount();
      }),
      { numRuns: 40 },
    );
  });
});

describe("a prompt among layers", () => {
  it("letters are text, other keys go on", async () => {
    const { screen, log, values } = open();
    await screen.press("a?\x1b[A\x12").until(() => log.includes("send"));
    expect(log).toEqual(["choose", "send"]);
    expect(values.at(-1)).toBe("a?");
    await screen.press("\x1b").until(() => log.includes("close"));
    expect(values.at(-1)).toBe("a?");
  });

  it("the keys after the one that opens a prompt reach it, and those after Enter do not", async () => {
    const log: string[] = [];
    function Shell(): ReactNode {
      const [value, setValue] = useState<string | null>(null);
      useLayer({
        scope: "below",
        level: 1,
        handlers: { "below.colon": () => setValue(""), "below.letter": () => void log.push("letter") },
      });
      useLayer(
        value === null
          ? null
          : {
              scope: "asking",
              level: 3,
              handlers: {
                "asking.submit": () => {
                  log.push(`submit ${value}`);
                  setValue(null);
                },
              },
            },
      );
      const active = useActiveBindings().map(({ binding }) => binding.keys.join(""));
      return value === null ? (
        <Text>{`closed ${active.join(" ")}`}</Text>
      ) : (
        <TextPrompt value={value} onChange={setValue} level={3} width={80} />
      );
    }
    const screen = mount(<Shell />, { bindings: BINDINGS });
    mounted = screen;
    await screen.until("closed a? :");
    // What follows Enter in the same chunk is few keys, or it would be a paste.
    screen.press(":pay\x7fa\ra");
    await screen.press(":b\r?").until(() => log.length === 4);
    expect(log).toEqual(["submit paa", "letter", "submit b", "letter"]);
    await screen.until("closed");
  });
});

describe("undo and redo", () => {
  const UNDO = "\x1f";
  const REDO = "\x19";
  const keys = (text: string): string[] => text.split("");

  it.each([
    ["a word at a time", [...keys("one two"), UNDO], "one"],
    ["all of them", [...keys("one two"), UNDO, UNDO, UNDO], ""],
    ["back again", [...keys("one two"), UNDO, UNDO, REDO], "one"],
    ["both ways with Alt", [...keys("one two"), "\x1bu", "\x1bu", "\x1br", "\x1br"], "one two"],
    ["a deletion to the start, whole", [...keys("one two"), "\x15", UNDO], "one two"],
    ["a deleted word, with emoji", [...keys("one "), FAMILY, "\x17", UNDO, "!"], `one ${FAMILY}!`],
    ["nothing after a new change", [...keys("one two"), UNDO, "!", REDO], "one!"],
  ])("%s", async (_, input, expected) => {
    expect(await typed(input)).toBe(expected);
  });
});

describe("what is drawn", () => {
  it("the text, and no cursor beside that of the terminal", async () => {
    const shown = `a${safe(FAMILY)}b`;
    const { screen } = open({ initial: `a${FAMILY}b` });
    await screen.until(shown);
    await screen.press("\x1b[D\x1b[D").until(() => screen.styledFrame().trim() === shown);
  });

  it("a mask for each grapheme", async () => {
    const { screen } = open({ masked: true });
    expect((await screen.press(`p${FAMILY}w`).until("***")).trim()).toBe("***");
  });

  it("hidden characters, which Ink would drop or obey", async () => {
    const { screen, values } = open();
    await screen.press("pa\u200bss\u202e").until(safe("pa\u200bss\u202e"));
    expect(values.at(-1)).toBe("pa\u200bss\u202e");
  });

  it("one line, of which the end with the cursor is in sight", async () => {
    const { screen } = open();
    const frame = await screen.press(`${"x".repeat(200)}end`).until("xend");
    expect(frame.trim().split("\n")).toHaveLength(1);
    expect((await screen.press("\x1b[Hstart").until("startx")).trim().split("\n")).toHaveLength(1);
  });
});

describe("a value that someone else sets", () => {
  it("is shown with the cursor behind it", async () => {
    const { screen, values, log, set } = open({ initial: "abc" });
    screen.press("\x1b[H");
    set("other");
    await screen.until("other");
    await screen.press("!\x12").until(() => log.includes("send"));
    expect(values).toEqual(["other!"]);
  });

  it("that refuses a change keeps text and cursor together", async () => {
    const { screen, values, log } = open({ change: (value) => value.replaceAll(/\D/g, "") });
    await screen.press("1a2b\x7f3\x12").until(() => log.includes("send"));
    expect(values.at(-1)).toBe("13");
  });
});
