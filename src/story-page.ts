// A deck with its frames as one file for a browser.

import { storySlides } from "#screens/demo/story-slides.ts";
import type { Deck, DemoFrame } from "#src/actions/sandbox/demo.ts";
import { storyHtml } from "#src/replay/reports/story-html.ts";

/** The same page for the same frames, with everything personal masked. @param options.notes with the presenter's notes */
export function storyPage(
  deck: Deck,
  frames: readonly DemoFrame[],
  options: { readonly notes: boolean },
): string {
  return storyHtml(storySlides(deck, frames, options));
}
