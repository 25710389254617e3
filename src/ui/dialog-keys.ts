// The commands of a question with yes and no, and of a one-line prompt.

import { commands, key } from "#src/keys/command.ts";

interface Answers {
  /** What Yes does: `remove`. */
  readonly does: string;
  /** What No does, where Esc is another answer. */
  readonly refuses: string | undefined;
  readonly yes: () => void;
  readonly no: () => void;
  readonly leave: () => void;
  /** The answer that Enter gives; null where Enter answers nothing. */
  readonly enter: boolean | null;
  readonly turn: () => void;
}

const hasEnter = ({ enter }: Answers): boolean => enter !== null;

export const CONFIRM = commands<Answers>("confirm", "Questions", 3, {
  yes: key("y", "yes", 1, ({ yes }) => yes(), { alone: true, answers: true, says: ({ does }) => does }),
  no: key("n", "no", 2, ({ no }) => no(), {
    alone: true,
    answers: true,
    says: ({ refuses = "no" }) => refuses,
  }),
  take: key("enter", "take its answer", 3, ({ enter, yes, no }) => (enter === true ? yes() : no()), {
    answers: true,
    when: hasEnter,
    says: ({ enter, does }) => (enter === true ? does : "no"),
  }),
  turn: key("tab shift+tab left right h l", "other answer for Enter", null, ({ turn }) => turn(), {
    when: hasEnter,
  }),
  leave: key("esc", "no", 4, ({ leave }) => leave(), {
    answers: true,
    says: ({ refuses }) => (refuses === undefined ? "no" : "later"),
  }),
});

interface Line {
  /** What Enter does, in a word. */
  readonly does: string;
  readonly submit: () => void;
  readonly cancel: () => void;
  readonly complete: (() => void) | null;
  readonly help: (() => void) | null;
  /** Brings back an earlier input; null where there is none. */
  readonly walk: ((by: 1 | -1) => void) | null;
}

export const PROMPT = commands<Line>("prompt", "Input line", 3, {
  complete: key("tab", "take", 0, ({ complete }) => complete?.(), {
    when: ({ complete }) => complete !== null,
  }),
  submit: key("enter", "accept", 1, ({ submit }) => submit(), { says: ({ does }) => does }),
  cancel: key("esc", "cancel", 2, ({ cancel }) => cancel()),
  help: key("f1", "help", 3, ({ help }) => help?.(), { when: ({ help }) => help !== null }),
  older: key("up", "earlier one", null, ({ walk }) => walk?.(1), { when: ({ walk }) => walk !== null }),
  newer: key("down", "later one", null, ({ walk }) => walk?.(-1), { when: ({ walk }) => walk !== null }),
});
