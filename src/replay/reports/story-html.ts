// The page of a deck: one self-contained file of slides without network requests, with every text escaped.

import type { Picture, PictureRow, Story, StorySlide } from "#src/display/story-slide.ts";
import { SIGN } from "#src/display/sign.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { chartSections } from "./decision-html.ts";
import { escapeHtml, pageHead, proseMarkup, themeButton } from "./page-markup.ts";
import slidesScript from "./page/story.browser.js";
import style from "./page/story.css";
import theme from "./page/theme.browser.js";

const SCRIPT = theme + slidesScript;

/** Longest text: what is said, a row, or a line that is heard. */
const LONGEST = 5_000;

const text = (raw: string): string => escapeHtml(raw, LONGEST);

export function storyHtml(story: Story): string {
  const { title, summary, slides, conclusion, say } = story;
  const cover = `<h1>${text(title)}</h1><p class="summary">${proseMarkup(summary)}</p>`;
  const end = `<h2>${text(say("what_came_out"))}</h2><ol class="results">${slides.map((slide) => resultMarkup(slide, story)).join("")}</ol><p class="conclusion">${rowMarkup(conclusion)}</p>`;
  const all = [
    slideMarkup("start", "", cover),
    ...slides.map((slide) => slideMarkup(slide.id, text(slide.place), contentOf(slide, story))),
    slideMarkup("end", text(say("the_end")), end),
  ];
  const hasNotes = slides.some(({ note }) => note !== null);
  const notes = hasNotes
    ? `<button type="button" id="notes" class="plain" aria-pressed="false" hidden>${text(say("note"))}</button>`
    : "";
  return [
    pageHead(title, SCRIPT, style, say("lang")),
    `<div class="page story">\n<header><p class="brand">${text(title)}</p><div>${notes}${themeButton(say)}</div></header>\n`,
    `<main>\n${all.join("")}</main>\n`,
    `<nav class="walk" hidden><button type="button" id="back"><span aria-hidden="true">‹</span> ${text(say("back"))}</button>`,
    `<div><span id="place">1 / ${all.length}</span><div class="track"><div id="track"></div></div></div>`,
    `<button type="button" id="next">${text(say("next"))} <span aria-hidden="true">›</span></button></nav>\n`,
    `</div>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`,
  ].join("");
}

/** @param place, content markup */
function slideMarkup(id: string, place: string, content: string): string {
  return `<section class="slide" id="${text(id)}" tabindex="-1">${place === "" ? "" : `<p class="place">${place}</p>`}${content}</section>\n`;
}

function contentOf(slide: StorySlide, { say }: Story): string {
  const { said, facts, picture, sentences, questions, outcomes, note } = slide;
  const items = facts.map((part) => `<li>${text(part)}</li>`).join("");
  const asked = questions.map(
    ({ asked, answer }) => `<details><summary>${text(asked)}</summary>${pictureMarkup(answer)}</details>`,
  );
  return [
    `<h2>${proseMarkup(said)}</h2>`,
    items === "" ? "" : `<ul class="facts">${items}</ul>`,
    ...sentences.map((sentence) => `<p class="sentence">${proseMarkup(sentence)}</p>`),
    pictureMarkup(picture),
    ...asked,
    ...(outcomes === null ? [] : chartSections(outcomes)),
    note === null
      ? ""
      : `<aside class="note"><h3>${text(say("note"))}</h3><p>${proseMarkup(note)}</p></aside>`,
  ].join("");
}

/** What is drawn is hidden from those who hear the same. */
function pictureMarkup({ wide, narrow, heard }: Picture): string {
  const pre = (look: string, rows: readonly PictureRow[]): string =>
    `<pre class="${look}" aria-hidden="true">\n${rows.map(rowMarkup).join("\n")}</pre>`;
  const lines = heard.map((line) => `<p>${text(line)}</p>`).join("");
  return `<div class="heard">${lines}</div>${pre("wide", wide)}${pre("narrow", narrow)}`;
}

/** Full blocks, of which big letters are made, have their ground painted: no stripe is between the rows. */
const INK = new RegExp(`${SIGN.barFull.symbol}+`, "g");

function rowMarkup(row: PictureRow): string {
  const spans = row.map(({ text: raw, role }) => {
    const inked = text(raw).replace(INK, (blocks) => `<i>${blocks}</i>`);
    return role ? `<span class="${role}">${inked}</span>` : inked;
  });
  return spans.join("").trimEnd();
}

/** One line of what came out. */
function resultMarkup({ number, verdicts, said, isWrong }: StorySlide, { say }: Story): string {
  const marks = verdicts.map((kind) => {
    const { symbol, role } = VERDICTS[kind];
    return `<span class="verdict ${role}"><span aria-hidden="true">${symbol}</span> ${text(say(kind))}</span>`;
  });
  const wrong = isWrong ? `<span class="verdict error">${SIGN.error.symbol}</span> ` : "";
  return `<li><span class="number">${number}</span><span>${marks.join("<br>")}</span><span>${wrong}${text(said)}</span></li>`;
}
