// What a presenter reads on a second terminal while a deck runs: the place in it, the note, what comes next. Masked.

import { usage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { deckText } from "#src/display/deck-lines.ts";
import { isoTime } from "#src/display/time.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Deck } from "#src/replay/decks/deck.ts";
import type { DemoFrame } from "./demo.ts";

/** A deck as the audience sees it at this moment. */
export interface PresentedDeck {
  readonly deck: Deck;
  readonly frames: readonly DemoFrame[];
  /** Frames of the whole deck. */
  readonly checks: number;
  /** What is shown: 0 the title, then frame by frame, and behind the last one the end. */
  readonly at: number;
  /** Why it cannot go on; null while it can. */
  readonly failed: string | null;
  /** When the first step was shown; null before. */
  readonly startedAt: Milliseconds | null;
  /** When it goes forward by itself; null for by hand. */
  readonly nextAt: Milliseconds | null;
}

/** One line for those who follow, with nothing personal in it. */
export function deckNotes({ deck, frames, checks, at, failed, startedAt, nextAt }: PresentedDeck) {
  const frame = frames[at - 1] ?? null;
  const check = frame?.kind === "check" ? frame : null;
  const isEnd = at > checks;
  const isLast = check === null || check.entries.length === check.attempts;
  const following = isEnd ? undefined : isLast ? deck.steps[(frame?.index ?? -1) + 1]?.say : frame?.say;
  return {
    schema: 1,
    type: "notes",
    deck: deckText(deck.title),
    /** `title` before the first step, `end` behind the last one. */
    place: frame !== null ? ("step" as const) : isEnd ? ("end" as const) : ("title" as const),
    step: frame === null ? null : frame.index + 1,
    steps: deck.steps.length,
    attempt: check?.entries.length ?? null,
    attempts: check?.attempts ?? null,
    say: frame === null ? null : deckText(frame.say),
    note: frame?.note == null ? null : deckText(frame.note),
    /** What is said next: in the next step, or once more in this one. */
    next: following === undefined ? null : deckText(following),
    verdicts:
      check === null
        ? []
        : check.sides.length > 0
          ? check.sides.map(({ title, entry }) => ({
              side: deckText(title),
              verdict: verdictKind(entry.result),
            }))
          : [{ side: null, verdict: verdictKind(check.entries.at(-1)!.result) }],
    final_action: check?.finalAction ?? null,
    expected: check?.expected ?? null,
    as_expected: check?.asExpected ?? null,
    /** The result of a day that runs past, in sentences. */
    sentences: frame?.kind === "stream" ? frame.day.sentences.map(deckText) : [],
    started_at: startedAt === null ? null : isoTime(startedAt),
    next_at: nextAt === null ? null : isoTime(nextAt),
    problem: failed === null ? null : deckText(failed),
  };
}

export type DeckNotes = ReturnType<typeof deckNotes>;

/**
 * Reads a line that another process of verdict has written.
 * @throws Fault("usage") for one of another version
 */
export function readDeckNotes(line: string): DeckNotes {
  try {
    const read = JSON.parse(line) as DeckNotes;
    if (read.schema === 1 && read.type === "notes") return read;
  } catch {
    // Told below.
  }
  throw usage`The deck is presented by another version of verdict; follow it with the same version.`;
}
