// The pages around the frames of a deck: the list of decks, the title, the recap and a failure. Pure.

import { deckSize, deckText } from "#src/display/deck-lines.ts";
import { formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind, verdictKinds, VERDICTS, verdictSign } from "#src/display/verdict.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import type { Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { clip, fit, window, wrapWords, spansWidth } from "#src/ui/fit.ts";
import { fitRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";
import type { Block, FrameRoom } from "./frame-rows.ts";

const WIDEST_TEXT = 76;

/** The decks, with their summaries if there is room, and always that of the selected one. */
export function choiceBlocks({ choices, selected }: DemoState, room: FrameRoom, theme: Theme): Block[] {
  if (choices.length === 0) return [[[{ text: "Reading the decks." }]]];
  const about = (deck: Deck, isSelected: boolean): Row[] => {
    const lines = wrapWords(deckText(deck.summary), Math.min(WIDEST_TEXT, room.width - 2));
    return [
      ...lines.map((text): Row => [{ text: `  ${text}` }]),
      [{ text: `  ${sizeOf(deck)}`, role: isSelected ? "note" : null }],
    ];
  };
  const title = (deck: Deck, isSelected: boolean): Row => [
    {
      text: `${isSelected ? theme.sign("pointer") : " "} ${deckText(deck.title)}`,
      role: isSelected ? "accent" : "heading",
    },
  ];
  const all = choices.map((deck, index): Block => [
    title(deck, index === selected),
    ...about(deck, index === selected),
  ]);
  const rows = all.reduce((sum, block) => sum + block.length + 1, 0);
  if (rows <= room.height) return all;
  const own = about(choices[selected]!, true);
  const visible = window(choices.length, Math.max(1, room.height - own.length), selected);
  return [
    choices.slice(visible.from, visible.to).flatMap((deck, index) => {
      const isSelected = visible.from + index === selected;
      return [title(deck, isSelected), ...(isSelected ? own : [])];
    }),
  ];
}

function sizeOf(deck: Deck): string {
  return `${deckSize(deck)}: verdict demo ${safe(deck.name, { max: 40 })}`;
}

/** The title, before the first check. */
export function coverBlocks(
  { opening, progress, autoS, paused }: DemoState,
  deck: Deck,
  room: FrameRoom,
  theme: Theme,
): Block[] {
  const width = Math.min(WIDEST_TEXT, room.width);
  const projects = deck.projects.map(({ key }) => safe(key, { max: 60 })).join(", ");
  const size = `${deckSize(deck)}, sent for ${projects}.`;
  const place =
    "A temporary sandbox answers, with real signatures and a clock that the deck sets. Your data does not change.";
  const ready = autoS === null || paused ? "begins" : "begins_by_itself";
  const state = !opening
    ? theme.say(ready, { key: theme.keyName("demo.forward") })
    : theme.say(progress === null ? "preparing" : "deciding", { n: progress ?? 0 });
  return [
    [],
    rowsOf(deckText(deck.title), width, "heading"),
    rowsOf(deckText(deck.summary), width, "heading"),
    // A deck that is told in other words has no English for its audience.
    ...(deck.words.size === 0 ? [[...rowsOf(size, width, null), ...rowsOf(place, width, null)]] : []),
    rowsOf(state, width, opening ? "note" : "pass"),
  ];
}

/** Every check with its verdict, and whether all are as the deck expects. */
export function recapBlocks({ frames }: Pick<DemoState, "frames">, room: FrameRoom, theme: Theme): Block[] {
  const seen = frames.filter((frame) => frame.kind === "check");
  const checks = seen.length;
  const wrong = seen.filter(({ asExpected }) => asExpected === false).length;
  const expecting = seen.filter(({ asExpected }) => asExpected !== null).length;
  const { say } = theme;
  const summary: Row =
    wrong > 0
      ? [
          {
            text: `${theme.sign("error")} ${wrong} of ${checks} verdicts differ from the expected verdicts.`,
            role: "error",
          },
        ]
      : expecting < checks
        ? [
            {
              text: say(expecting === 0 ? "none_expected" : "partly_expected", { n: expecting, all: checks }),
            },
          ]
        : [{ text: `${theme.sign("done")} ${say("as_expected", { all: checks })}`, role: "pass" }];
  const list = Math.max(1, room.height - 4);
  const shown = frames.length > list ? frames.slice(0, list - 1) : frames;
  const verdicts = shown.map((frame) => recapVerdicts(frame, theme));
  const wide = verdicts.map(spansWidth);
  const column = Math.min(room.width >> 1, Math.max(11, ...wide.map((each) => each + 2)));
  const rows = shown.map((frame, index) =>
    recapRow(frame, fitRow(verdicts[index]!, column, theme), room.width - column, theme),
  );
  const left = frames.length - shown.length;
  return [
    [[{ text: say("what_came_out"), role: "heading" }]],
    left > 0 ? [...rows, [{ text: `and ${left} more` }]] : rows,
    [summary],
  ];
}

/** The verdict, or the signs of several; how many payments a day had. */
function recapVerdicts(frame: DemoFrame, theme: Theme): Row {
  if (frame.kind === "stream") return [{ text: formatCount(frame.day.payments.length) }];
  if (frame.sides.length === 0) return verdictSpans(verdictKinds(frame.entries.at(-1)!), theme);
  return frame.sides.flatMap(({ entry }, index) => {
    const kind = verdictKind(entry.result);
    const sign = theme.ascii === "words" ? theme.say(kind) : verdictSign(kind, theme.ascii);
    return [{ text: index === 0 ? "" : "  " }, { text: sign, role: VERDICTS[kind].role }];
  });
}

function recapRow(frame: DemoFrame, verdicts: Row, width: number, theme: Theme): Row {
  const isAttempt = frame.kind === "check" && frame.attempts > 1;
  const number = isAttempt ? `${frame.index + 1}.${frame.entries.length}` : String(frame.index + 1);
  const wrong = frame.kind === "check" && frame.asExpected === false ? theme.sign("error") : " ";
  const said = deckText(frame.say);
  return [
    { text: `${fit(number, 5)} ` },
    ...verdicts,
    { text: `${wrong} `, role: "error" },
    { text: clip(said, width - 8, theme.sign("ellipsis")) },
  ];
}

export function failedBlocks(failed: string, canRestart: boolean, room: FrameRoom, theme: Theme): Block[] {
  const width = Math.min(WIDEST_TEXT, room.width);
  const next = canRestart
    ? `${theme.keyName("demo.restart")} starts it again, ${theme.keyName("demo.end")} ends it.`
    : `${theme.keyName("demo.leave")} leaves.`;
  return [
    [],
    rowsOf(`${theme.sign("error")} ${safe(failed, { max: 600 })}`, width, "error"),
    rowsOf(next, width, null),
  ];
}

function rowsOf(text: string, width: number, role: "heading" | "note" | "pass" | "error" | null): Row[] {
  return wrapWords(text, width).map((line) => [{ text: line, role }]);
}
