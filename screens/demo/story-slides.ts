// A deck and its frames as slides of a page: the rows of the presenter's screen at two widths, and as they are heard. Pure.

import { saidIn } from "#src/display/audience-words.ts";
import { deckText } from "#src/display/deck-lines.ts";
import { spokenLines } from "#src/ui/spoken.ts";
import type { Picture, PictureRow, Story, StorySlide } from "#src/display/story-slide.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { fitRow } from "#src/ui/rows.ts";
import { createTheme, type Theme } from "#src/ui/theme.ts";
import { conclusionRows } from "./deck-rows.ts";
import { answersOf, paymentParts, type Block, type FrameRoom } from "./frame-rows.ts";
import { questionBlocks, questionText } from "./question-rows.ts";
import { shownBlocks, stepText } from "./view-model.ts";

/** On a desk, with reasons beside counters, and too few rows for letters of ten. */
const WIDE: FrameRoom = { width: 100, height: 33, reasons: Number.POSITIVE_INFINITY };
/** A page grows with what stands side by side. */
const WIDE_SIDES: FrameRoom = { ...WIDE, height: 60 };
/** On a telephone, in letters of 12 pixels or more. */
const NARROW: FrameRoom = { ...WIDE, width: 40, height: 200 };
/** Nothing is cut or wrapped. */
const HEARD: FrameRoom = { ...NARROW, width: 4_000 };

/** Everything personal is masked. @param options.notes with the presenter's notes */
export function storySlides(
  deck: Deck,
  frames: readonly DemoFrame[],
  options: { readonly notes: boolean },
): Story {
  const say = saidIn(deck.words);
  const keyName = (id: string): string => id;
  const seen = { ...createTheme({ color: true, ascii: false, keyName }), say };
  const spoken = { ...createTheme({ color: false, ascii: "words", keyName }), say };
  const drawn = (
    draw: (room: FrameRoom, theme: Theme) => readonly Block[],
    wide: FrameRoom = WIDE,
  ): Picture => {
    const rows = (room: FrameRoom, theme: Theme): PictureRow[] =>
      draw(room, theme)
        .filter((block) => block.length > 0)
        .flatMap((block, index) => (index === 0 ? block : [[], ...block]));
    const fitted = (room: FrameRoom): PictureRow[] =>
      rows(room, seen).map((row) => fitRow(row, room.width, seen));
    const heard = rows(HEARD, spoken).map((row) => row.map(({ text }) => text).join(""));
    return { wide: fitted(wide), narrow: fitted(NARROW), heard: spokenLines(heard.join("\n")) };
  };

  const slideOf = (frame: DemoFrame): StorySlide => {
    const isCheck = frame.kind === "check";
    const attempt = isCheck && frame.attempts > 1 ? frame.entries.length : 0;
    const picture = drawn(
      (room, theme) => {
        // What is said, the payment, and what a change does, stand beside the rows as text.
        if (isCheck) return shownBlocks({ ...frame, say: "" }, room, theme).slice(1);
        return shownBlocks(
          { ...frame, say: "", day: { ...frame.day, sentences: [], changes: [] } },
          room,
          theme,
        );
      },
      isCheck && frame.sides.length > 0 ? WIDE_SIDES : WIDE,
    );
    const verdicts = isCheck ? answersOf(frame).map(({ result }) => verdictKind(result)) : [];
    const questions = verdicts.flatMap((_, askedSide) =>
      (["flips", "amounts"] as const).map((asked) => {
        const question = { asked, askedSide, askedPage: 0 };
        return {
          asked: questionText(frame, question, say),
          answer: drawn((room, theme) => questionBlocks(frame, question, room, theme).slice(-1)),
        };
      }),
    );
    // Big letters are nothing to hear; of several answers each row names its own.
    const [alone] = verdicts.length === 1 ? verdicts : [];
    const heard = alone === undefined ? [] : [`${say(alone)}. ${say(`${alone}_reaction`)}`];
    return {
      id: attempt > 1 ? `step-${frame.index + 1}-${attempt}` : `step-${frame.index + 1}`,
      place: stepText(frame, say),
      number: attempt > 0 ? `${frame.index + 1}.${attempt}` : String(frame.index + 1),
      said: deckText(frame.say),
      facts: isCheck ? paymentParts(frame, say) : frame.day.changes.map(deckText),
      verdicts,
      isWrong: isCheck && frame.asExpected === false,
      picture: { ...picture, heard: [...heard, ...picture.heard] },
      questions,
      sentences: isCheck ? [] : frame.day.sentences.map(deckText),
      outcomes: isCheck ? null : frame.day.outcomes,
      note: options.notes && frame.note !== null ? deckText(frame.note) : null,
    };
  };
  return {
    title: deckText(deck.title),
    summary: deckText(deck.summary),
    slides: frames.map(slideOf),
    conclusion: conclusionRows(frames, seen)[0] ?? [],
    say,
  };
}
