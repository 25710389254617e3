// A deck as slides: what a page shows of its title, of each frame and of its end, as texts and rows that are masked and safe.

import type { Outcomes } from "#src/contract/records/outcomes.ts";
import type { Said } from "./audience-words.ts";
import type { RoleSpan } from "./span.ts";
import type { VerdictKind } from "./verdict.ts";

/** The same rows for a wide page and for a narrow one, and in words for who hears them. */
export interface Picture {
  readonly wide: readonly PictureRow[];
  readonly narrow: readonly PictureRow[];
  readonly heard: readonly string[];
}

export type PictureRow = readonly RoleSpan[];

export interface StorySlide {
  /** Unique in the story, and its address in the page: `step-3`, and `step-3-2` for its second attempt. */
  readonly id: string;
  /** `step 3 of 8`, with `attempt 2 of 3` behind it where there are several. */
  readonly place: string;
  /** `3`, and `3.2` for the second attempt. */
  readonly number: string;
  /** What the audience reads. */
  readonly said: string;
  /** The payment, most important first; of a day how its rules differ. */
  readonly facts: readonly string[];
  /** One for each answer; none for a day of payments. */
  readonly verdicts: readonly VerdictKind[];
  /** The deck expects another verdict. */
  readonly isWrong: boolean;
  readonly picture: Picture;
  /** What may be asked, with its answer. */
  readonly questions: readonly { readonly asked: string; readonly answer: Picture }[];
  /** What a change of rules does; none for a check. */
  readonly sentences: readonly string[];
  /** For the charts of a day of payments; null without. */
  readonly outcomes: Outcomes | null;
  /** Null for none, and where notes are left out. */
  readonly note: string | null;
}

export interface Story {
  readonly title: string;
  readonly summary: string;
  readonly slides: readonly StorySlide[];
  /** Whether all came as expected; empty where nothing is expected. */
  readonly conclusion: PictureRow;
  readonly say: Said;
}
