// The built-in decks on the real sandbox with its starter rules: the verdicts that they promise do come out.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openDemo, type CheckFrame } from "#src/actions/sandbox/demo.ts";
import { openEphemeral } from "#src/app/ephemeral.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { checkCount } from "#src/replay/decks/deck.ts";
import { PROGRAM } from "../cli/verdict-process.ts";
import { noDamage } from "../storage/no-damage.ts";

// The version of the built program, whose sandbox would be replaced as another one's otherwise.
vi.hoisted(() => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  (globalThis as { VERDICT_VERSION?: string }).VERDICT_VERSION = version;
});

const { signal } = new AbortController();

async function played(name: (typeof BUILT_IN_DECKS)[number]): Promise<CheckFrame[]> {
  const deck = builtInDeck(name);
  const { context, end } = await openEphemeral({
    onProblem: noDamage,
    env: { PATH: process.env["PATH"] },
    executable: [process.execPath, PROGRAM],
    seed: deck.seed,
    startAt: deck.startAt,
  });
  const folder = dirname(context.home.data);
  try {
    const demo = await openDemo(context, deck, signal);
    const frames: CheckFrame[] = [];
    for (let frame = await demo.forward(signal); frame !== null; frame = await demo.forward(signal)) {
      if (frame.kind === "check") frames.push(frame);
    }
    expect(await demo.forward(signal)).toBeNull();
    expect(frames).toHaveLength(checkCount(deck));
    return frames;
  } finally {
    await end();
    expect(existsSync(folder)).toBe(false);
  }
}

const shown = (frames: readonly CheckFrame[]): string[] =>
  frames.map(({ entries }) => verdictKind(entries.at(-1)!.result));

describe("a deck on a sandbox of its own", () => {
  it.each(BUILT_IN_DECKS)("%s comes out as it expects, explained check by check", async (name) => {
    const frames = await played(name);
    for (const frame of frames) {
      expect(frame, `${frame.index + 1}: ${frame.say}`).toMatchObject({ asExpected: true });
      expect(frame.entries.at(-1)!.explanation).not.toBeNull();
    }
  });

  it("fills counters attempt by attempt, does not count a repeat, and moves only the virtual clock", async () => {
    const frames = await played("one-card");
    const card = frames.map(
      ({ entries }) =>
        entries.at(-1)!.explanation!.counters.find(({ key, window }) => key === "card" && window === "1h")!
          .value,
    );
    expect(card).toEqual([1, 1, 2, 3, 4, 5, 6, 1]);
    expect(frames[1]!.entries[0]!.explanation!.repeat).toBe(true);
    expect(frames.map(({ entries, attempts }) => `${entries.length}/${attempts}`)).toEqual([
      "1/1",
      "1/1",
      "1/2",
      "2/2",
      "1/1",
      "1/2",
      "2/2",
      "1/1",
    ]);
    const { startAt } = builtInDeck("one-card");
    expect(frames.map(({ virtualTime }) => (virtualTime - startAt) / 60_000)).toEqual([
      0, 0, 1, 2, 3, 4, 5, 2885,
    ]);
    expect(frames[4]!.finalAction).toBe("3ds");
  });

  it("gives one payment three verdicts in three projects", async () => {
    const frames = await played("three-levels");
    const [, low, medium, high] = frames;
    expect([low, medium, high].map((frame) => frame!.riskLevel)).toEqual(["low", "medium", "high"]);
    expect(shown([low!, medium!, high!])).toEqual(["pass", "3ds_or_block", "block"]);
    const bodies = [low, medium, high].map((frame) => ({ ...frame!.request, order_id: "" }));
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it("turns one recommendation into 3-D Secure, a block, or an open question", async () => {
    const frames = await played("3ds-or-block");
    const asked = frames.filter(({ expected }) => expected === "3ds_or_block");
    expect(asked.map(({ finalAction }) => finalAction)).toEqual(["3ds", "block", "3ds", null]);
  });

  it("says the same twice", async () => {
    const still = (frames: readonly CheckFrame[]): unknown =>
      frames.map(({ entries, virtualTime }) => {
        const { explanation, result } = entries.at(-1)!;
        return [virtualTime, explanation?.id, explanation?.score, result?.message];
      });
    expect(still(await played("one-card"))).toEqual(still(await played("one-card")));
  });
});
