// The page of a deck: one self-contained file of slides without network requests, with every text escaped.

import type { Picture, PictureRow, Story, StorySlide } from "#src/display/story-slide.ts";
import { SIGN } from "#src/display/sign.ts";
import { chartParts } from "./decision-charts.ts";
import { long, prose, trusted, type Markup } from "./markup.ts";
import { page, partSection, themeButton, verdictMark } from "./page-markup.ts";
import slidesScript from "./page/story.browser.js";
import style from "./page/story.css";
import theme from "./page/theme.browser.js";

const SCRIPT = theme + slidesScript;

export function storyHtml(story: Story): string {
  const { title, summary, slides, conclusion, say } = story;
  const cover = prose`<h1>${long`${title}`}</h1><p class="summary">${summary}</p>`;
  const results = slides.map((slide) => resultMarkup(slide, story));
  const end = long`<h2>${say("what_came_out")}</h2><ol class="results">${results}</ol>${conclusion.length > 0 && long`<p class="conclusion">${rowMarkup(conclusion)}</p>`}`;
  const all = [
    slideMarkup("start", "", cover),
    ...slides.map((slide) => slideMarkup(slide.id, slide.place, contentOf(slide, story))),
    slideMarkup("end", say("the_end"), end),
  ];
  const hasNotes = slides.some(({ note }) => note !== null);
  const notes =
    hasNotes &&
    long`<button type="button" id="notes" class="plain" aria-pressed="false" hidden>${say("note")}</button>`;
  const content = long`<div class="page story">
<header><p class="brand">${title}</p><div>${notes}${themeButton(say)}</div></header>
<main>
${all}</main>
<nav class="walk" hidden><button type="button" id="back"><span aria-hidden="true">‹</span> ${say("back")}</button><div><span id="place">1 / ${all.length}</span><div class="track"><div id="track"></div></div></div><button type="button" id="next">${say("next")} <span aria-hidden="true">›</span></button></nav>
</div>
`;
  return page(title, content, SCRIPT, style, say("lang"));
}

function slideMarkup(id: string, place: string, content: Markup): Markup {
  return long`<section class="slide" id="${id}" tabindex="-1">${place !== "" && long`<p class="place">${place}</p>`}${content}</section>
`;
}

function contentOf(slide: StorySlide, { say }: Story): Markup {
  const { said, facts, picture, sentences, questions, outcomes, note } = slide;
  const items = facts.map((part) => long`<li>${part}</li>`);
  return prose`${[
    prose`<h2>${said}</h2>`,
    items.length > 0 && prose`<ul class="facts">${items}</ul>`,
    sentences.map((sentence) => prose`<p class="sentence">${sentence}</p>`),
    pictureMarkup(picture),
    questions.map(
      ({ asked, answer }) => long`<details><summary>${asked}</summary>${pictureMarkup(answer)}</details>`,
    ),
    outcomes !== null && chartParts(outcomes).map(partSection),
    note !== null && prose`<aside class="note"><h3>${long`${say("note")}`}</h3><p>${note}</p></aside>`,
  ]}`;
}

/** What is drawn is hidden from those who hear the same. */
function pictureMarkup({ wide, narrow, heard }: Picture): Markup {
  const pre = (look: string, rows: readonly PictureRow[]): Markup =>
    long`<pre class="${look}" aria-hidden="true">
${rows.map((row, index) => long`${index > 0 && NEXT_LINE}${rowMarkup(row)}`)}</pre>`;
  const lines = heard.map((line) => long`<p>${line}</p>`);
  return long`<div class="heard">${lines}</div>${pre("wide", wide)}${pre("narrow", narrow)}`;
}

const NEXT_LINE = long`
`;
/** Full blocks, of which big letters are made, have their ground painted: no stripe is between the rows. */
const INK = new RegExp(`(${SIGN.barFull.symbol}+)`);

function rowMarkup(row: PictureRow): Markup {
  const spans = row.map(({ text, role }) => {
    // Every second part is of blocks.
    const inked = text.split(INK).map((part, index) => (index % 2 === 1 ? long`<i>${part}</i>` : part));
    return role ? long`<span class="${role}">${inked}</span>` : inked;
  });
  return trusted(String(long`${spans}`).trimEnd());
}

/** One line of what came out. */
function resultMarkup({ number, verdicts, said, isWrong }: StorySlide, { say }: Story): Markup {
  const marks = verdicts.map(
    (kind, index) => long`${index > 0 && long`<br>`}${verdictMark(kind, say(kind))}`,
  );
  const wrong = isWrong && long`<span class="verdict error">${SIGN.error.symbol}</span> `;
  return long`<li><span class="number">${number}</span><span>${marks}</span><span>${wrong}${said}</span></li>`;
}
