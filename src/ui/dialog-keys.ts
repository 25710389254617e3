// The commands of the dialogs: a question with yes and no, one that is answered by typing a word, and a one-line prompt.

import { commands, key } from "#src/keys/command.ts";

interface Answers {
  readonly yes: () => void;
  readonly no: () => void;
  /** Marks the other answer, and takes the marked one; null where Enter answers nothing. */
  readonly turn: (() => void) | null;
  readonly take: () => void;
}

export const CONFIRM = commands<Answers>("confirm", "Questions", 3, {
  yes: key("y", "yes", 2, ({ yes }) => yes(), { alone: true }),
  no: key("n esc", "no", 3, ({ no }) => no()),
  turn: key("tab shift+tab left right h l", "other answer", 4, ({ turn }) => turn?.(), {
    when: ({ turn }) => turn !== null,
  }),
  take: key("enter", "take the marked answer", 1, ({ take }) => take(), {
    when: ({ turn }) => turn !== null,
  }),
});

interface Typed {
  readonly submit: () => void;
  readonly cancel: () => void;
}

export const TYPED_CONFIRM = commands<Typed>("typed", "Questions", 3, {
  submit: key("enter", "confirm, once it is typed", 1, ({ submit }) => submit()),
  cancel: key("esc", "no", 2, ({ cancel }) => cancel()),
});

interface Line extends Typed {
  readonly complete: (() => void) | null;
  readonly help: (() => void) | null;
  /** Brings back an earlier input; null where there is none. */
  readonly walk: ((by: 1 | -1) => void) | null;
}

export const PROMPT = commands<Line>("prompt", "Input line", 3, {
  complete: key("tab", "take", 0, ({ complete }) => complete?.(), {
    when: ({ complete }) => complete !== null,
  }),
  submit: key("enter", "accept", 1, ({ submit }) => submit()),
  cancel: key("esc", "cancel", 2, ({ cancel }) => cancel()),
  help: key("f1", "help", 3, ({ help }) => help?.(), { when: ({ help }) => help !== null }),
  older: key("up", "earlier one", null, ({ walk }) => walk?.(1), { when: ({ walk }) => walk !== null }),
  newer: key("down", "later one", null, ({ walk }) => walk?.(-1), { when: ({ walk }) => walk !== null }),
});
