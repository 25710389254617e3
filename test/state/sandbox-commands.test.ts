// Commands of the palette: what each line means, and what is said about one that means nothing.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandForms, readCommand, type CommandWords } from "#src/state/sandbox/sandbox-commands.ts";

const WORDS: CommandWords = {
  magic: [
    { prefix: "force-block", what: "recommends block; otherwise like force-pass" },
    { prefix: "force-500", what: "answers with status 500; nothing is decided" },
  ],
  snapshots: ["before", "demo"],
};

const meaning = (line: string): unknown => {
  const reading = readCommand(line, WORDS);
  return reading?.kind === "command" ? reading.command : reading?.kind;
};
const words = (line: string): string | undefined => {
  const reading = readCommand(line, WORDS);
  return reading?.kind === "command" ? reading.label : reading?.problem;
};

describe("a typed command", () => {
  it.each([
    ["clock +24h", { do: "clock", change: { do: "advance", byMs: 86_400_000 } }],
    [" CLOCK  +1d2h ", { do: "clock", change: { do: "advance", byMs: 93_600_000 } }],
    ["clock freeze", { do: "clock", change: { do: "freeze" } }],
    ["clock resume", { do: "clock", change: { do: "resume" } }],
    ["clock reset", { do: "clock", change: { do: "reset" } }],
    ["clock 2026-12-01", { do: "clock", change: { do: "set", at: Date.UTC(2026, 11, 1) } }],
    ["order force-block", { do: "order", prefix: "force-block" }],
    ["snapshot later", { do: "snapshot", name: "later" }],
    ["restore before", { do: "restore", name: "before" }],
    ["reset", { do: "reset", keepProjects: true }],
    ["reset all", { do: "reset", keepProjects: false }],
    ["faults clear", { do: "clear_faults" }],
    [
      "faults 503 x5",
      {
        do: "fault",
        order: { on: "check", rate: 1, count: 5, effect: { do: "status", status: 503, retryAfterS: null } },
      },
    ],
    [
      "faults slow",
      {
        do: "fault",
        order: {
          on: "check",
          rate: 1,
          count: null,
          effect: { do: "latency", latency: { shape: "fixed", ms: 2_000 } },
        },
      },
    ],
    [
      "faults truncated x1",
      { do: "fault", order: { on: "check", rate: 1, count: 1, effect: { do: "truncated" } } },
    ],
  ])("%s", (line, command) => {
    expect(meaning(line)).toEqual(command);
  });

  it.each([
    ["clock", "clock takes +24h, freeze"],
    ["clock 24h", "clock takes +24h"],
    ["clock +24", "clock takes +24h"],
    ["clock +0s", "clock takes +24h"],
    ["clock +99999999d", "clock takes +24h"],
    ["clock -1h", "clock takes +24h"],
    ["clock freeze now", "clock takes +24h"],
    ["faults", "faults takes a status such as 503"],
    ["faults 200", "status from 400 to 599"],
    ["faults slow 5m", "up to 120 s"],
    ["faults 503 x5 more words", "faults takes a status"],
    ["order mine", "order takes force-block, force-500"],
    ["snapshot", "snapshot takes a name"],
    ["snapshot ../etc", "snapshot takes a name"],
    ["snapshot before", 'there is a snapshot "before" already'],
    ["restore never", 'restore takes "before", "demo"'],
    ["reset everything", "reset takes nothing, or all"],
  ])("%s is unclear, and says what is taken", (line, problem) => {
    expect(meaning(line)).toBe("unclear");
    expect(words(line)).toContain(problem);
  });

  it("is none where the first word is not one", () => {
    for (const line of ["", "  ", "clocks +1h", "history", "screen Vault"])
      expect(readCommand(line, WORDS)).toBeNull();
  });

  it("is read from any line without failing", () => {
    const word = fc.constantFrom(
      "clock",
      "faults",
      "order",
      "snapshot",
      "restore",
      "reset",
      "x5",
      "+1h",
      "slow",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string())), (parts) => {
        const reading = readCommand(parts.join(" "), WORDS);
        expect(reading === null || reading.kind === "command" || reading.problem !== "").toBe(true);
      }),
    );
  });
});

describe("the commands that are offered", () => {
  it("mean what they say, and one of them is to be completed", () => {
    const forms = commandForms(WORDS);
    expect(forms.map(({ text }) => text)).toContain("order force-500");
    expect(forms.map(({ text }) => text)).toContain("restore demo");
    for (const { text, label } of forms) {
      if (text.endsWith(" ")) expect(text).toBe("snapshot ");
      else expect(words(text)).toBe(label);
    }
  });

  it("say in words what they do", () => {
    expect(words("clock +36h")).toBe("1 d 12 h forward");
    expect(words("faults 503 x5")).toBe("status 503, the next 5 checks");
    expect(words("faults slow 2s")).toBe("latency 2 s, every check");
    expect(words("order force-block")).toBe("next order id: recommends block");
  });
});
