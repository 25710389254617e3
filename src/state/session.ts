// State of the console as a whole: screen, toasts, dialog, prompt, presenter mode.

import { createStore } from "zustand/vanilla";
import type { LineForm } from "#src/contract/records/typed-line.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createAudience, NO_AUDIENCE, type Topics } from "#src/display/audience.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Completion } from "#src/display/completion.ts";
import type { Page, ScreenName } from "./page.ts";
import { isTypedInSight } from "#src/display/presented-state.ts";
import { safe } from "#src/display/safe.ts";
import { afterTimeout, type After } from "./timers.ts";

export type ToastKind = "note" | "done" | "error";

export interface Toast {
  readonly id: number;
  /** Safe to show. */
  readonly text: string;
  /** What was composed then: it may be about that. */
  readonly about: CheckRequest;
  readonly kind: ToastKind;
  /** When it was said: ms since the epoch. */
  readonly at: Milliseconds;
}

/** A question before something that cannot be undone; the answer is No unless the user says otherwise. */
export interface Agreement {
  /** What is to be known, and the question at the end: what is quoted before it is short. */
  readonly text: string;
  /** What Yes does, in a word or two: `remove`. */
  readonly yes: string;
  /** What No does, where Esc gives neither answer and Enter is none: `block`. */
  readonly no?: string;
  /** What has to be typed for Yes, to the letter: the name of a live profile, or a count. Without it a key answers. */
  readonly typed?: string;
  /** Enter is no answer: a key that sends is often pressed once more. */
  readonly isBeforeSending?: true;
}

export type Dialog = Agreement & { readonly answer: (isYes: boolean | null) => void };

/** One line of text asked from the user. */
export interface Question {
  readonly label: string;
  /** Where several follow each other, which this is: `1 of 3`. */
  readonly step?: string;
  readonly initial?: string;
  readonly placeholder?: string;
  /** What can be typed, in lines: above the keys in the help. */
  readonly help?: string;
  /** True for a secret: shown as a mask. */
  readonly masked?: boolean;
  /** While presenting: whether a text may be seen; none may without it. */
  readonly isPublic?: (text: string) => boolean;
  /** What was given before, newest first: Up and Down walk through it. */
  readonly recall?: readonly string[];
  /** What may be typed next; by default nothing is offered. */
  readonly complete?: (text: string) => Completion;
  /** After each change, e.g. for a filter that is applied while it is typed. */
  readonly onChange?: (text: string) => void;
}

export type Prompt = Question & {
  /** Two that say the same are told apart by their numbers. */
  readonly id: number;
  /** Null for Esc. */
  readonly answer: (text: string | null) => void;
};

/** A text for the user's editor; the console gives it the terminal until it ends. */
export interface TextEditing {
  readonly text: string;
  /** What the editor calls it: `payload.json`. */
  readonly fileName: string;
  /** Where it opens, from 1; at its start by default. */
  readonly line?: number | undefined;
  /** The editor has ended well; the console is back. */
  readonly onText: (text: string) => void;
}

/** A program that gets the terminal until it ends. */
export interface ProgramRun {
  /** As the user knows it. */
  readonly name: string;
  /** The program and its arguments; of verdict itself the words behind its name. */
  readonly words: readonly string[];
  /** Runs verdict itself, on the home and the profile of this console. */
  readonly isOurs?: true;
  /** What it gets beside the environment: the values of placeholders. */
  readonly variables: Readonly<Record<string, string>>;
  /** A key is awaited at its end. */
  readonly wait: boolean;
  /** @param problem how it ended, as the rest of a sentence about it; null when it ended well */
  readonly onEnd: (problem: string | null) => void;
}

export interface SessionState {
  readonly screen: ScreenName;
  /** The pane of the screen that has all of it, from 1; 0 for every pane. */
  readonly zoom: number;
  /** By screen: columns by which the divider between its panes stands to the right of its own place. */
  readonly dividers: Readonly<Partial<Record<ScreenName, number>>>;
  /** What is shown now. */
  readonly toasts: readonly Toast[];
  /** What was said in this session, oldest first, the last `MESSAGE_LIMIT`. */
  readonly messages: readonly Toast[];
  readonly dialog: Dialog | null;
  readonly prompt: Prompt | null;
  readonly help: boolean;
  readonly palette: boolean;
  /** Lines that the palette offers in place of everything; empty for everything. */
  readonly prepared: readonly LineForm[];
  /** The page of messages is open. */
  readonly messagesOpen: boolean;
  /** Those over all screens; the last one of a screen lies on top. */
  readonly pages: readonly Page[];
  /** `<merchant_id>/<risk_level>` of the project that checks belong to; null while there is none. */
  readonly project: string | null;
  /** The text to open the editor on; null for none. */
  readonly editing: TextEditing | null;
  /** The program that is to get the terminal; null for none. */
  readonly program: ProgramRun | null;
  /** Takes the last change back that can be; null for none. */
  readonly undo: (() => Promise<void>) | null;
  /** One line about what goes on in the background; null when nothing does. */
  readonly busy: string | null;
  /** Presenter mode: nothing personal is shown. The time at which it began, local; null outside of it. */
  readonly presenter: Milliseconds | null;
}

/** What is wrong with a line; null for nothing. */
type ProblemOf = (line: string) => string | null | Promise<string | null>;

interface Typed {
  readonly text: string;
  readonly problem: ReturnType<ProblemOf>;
}

export interface SessionOptions {
  readonly keyName: KeyName;
  readonly quit: () => void;
  /** ms since the epoch; the system's clock by default. */
  readonly now?: () => Milliseconds;
  /** What sentences may be about. */
  readonly topics?: () => Topics;
  /** What the console before this one said. */
  readonly messages?: readonly Toast[];
  /** Schedules a callback and returns how to cancel it; real timers by default. */
  readonly after?: After;
}

/** How long a toast that is no error stays, unless a key sends it away earlier. */
export const TOAST_MS = 4_000;
/** Toasts shown at once. */
const TOAST_LIMIT = 3;
const MESSAGE_LIMIT = 200;
export const LONGEST_TOAST = 400;

const NOTHING: Topics = { composed: {}, ids: [] };

export function createSession(options: SessionOptions) {
  const { after = afterTimeout, now = Date.now, topics = () => NOTHING, messages = [] } = options;
  const timers = new Set<() => void>();
  let lastToast = messages.at(-1)?.id ?? 0;
  let lastPrompt = 0;
  let closed = false;
  const store = createStore<SessionState>(() => ({
    screen: "check",
    zoom: 0,
    dividers: {},
    toasts: [],
    messages,
    dialog: null,
    prompt: null,
    help: false,
    palette: false,
    prepared: [],
    messagesOpen: false,
    pages: [],
    project: null,
    editing: null,
    program: null,
    undo: null,
    busy: null,
    presenter: null,
  }));
  const audience = createAudience(topics);
  const set = (change: Partial<SessionState>): void => store.setState(change);

  const keep = (text: string, kind: ToastKind): Toast => {
    const shown = safe(text, { max: LONGEST_TOAST });
    const toast = { id: (lastToast += 1), text: shown, about: topics().composed, kind, at: now() };
    const before = store.getState().messages;
    // What is said again and again, such as by a key that is held, stands there once.
    const isAgain = before.at(-1)?.text === shown;
    set({ messages: [...(isAgain ? before.slice(0, -1) : before), toast].slice(-MESSAGE_LIMIT) });
    return toast;
  };

  const session = {
    store,
    /** For sentences that name a key. */
    keyName: options.keyName,
    go: (screen: ScreenName) => set({ screen, zoom: 0 }),
    zoom: (zoom: number) => set({ zoom }),
    setDividers: (dividers: SessionState["dividers"]) => set({ dividers }),
    /** Shows a toast, and keeps it among the messages. Control characters in the text are escaped here. */
    say(text: string, kind: ToastKind) {
      // Its timer would keep the process alive behind the prompt.
      if (closed) return;
      const said = keep(text, kind);
      const toasts = [...store.getState().toasts, said];
      // The last error stays, however much is said after it.
      const error = toasts.findLast((toast) => toast.kind === "error");
      set({ toasts: toasts.filter((toast, at) => at >= toasts.length - TOAST_LIMIT || toast === error) });
      // An error is there until it was seen: until a key.
      if (kind === "error") return;
      const cancel = after(TOAST_MS, () => {
        timers.delete(cancel);
        set({ toasts: store.getState().toasts.filter((toast) => toast.id !== said.id) });
      });
      timers.add(cancel);
    },
    /** Keeps an error among the messages that the open screen shows already; elsewhere it is shown as a toast, too. */
    sayElsewhere(screen: ScreenName, text: string) {
      if (store.getState().screen === screen) keep(text, "error");
      else session.say(text, "error");
    },
    /** Removes the toasts with this text. */
    unsay(text: string) {
      const gone = safe(text, { max: LONGEST_TOAST });
      const { toasts } = store.getState();
      const left = toasts.filter((toast) => toast.text !== gone);
      if (left.length < toasts.length) set({ toasts: left });
    },
    dismissToasts() {
      if (store.getState().toasts.length > 0) set({ toasts: [] });
    },
    /** Asks before something that cannot be undone. @returns true for Yes; false also when something else is asked instead */
    agree: async (question: Agreement) => (await session.choose(question)) === true,
    /** Asks for one of two answers. @returns null for neither */
    choose: (question: Agreement) =>
      new Promise<boolean | null>((answer) => {
        store.getState().dialog?.answer(null);
        set({ dialog: { ...question, answer } });
      }),
    /** Answers the open question. What that leads to at once takes its place, with no frame between. */
    answer(isYes: boolean | null) {
      const { dialog } = store.getState();
      dialog?.answer(isYes);
      setImmediate(() => store.setState((now) => (now.dialog === dialog ? { dialog: null } : {})));
    },
    /**
     * Asks for a line; a wrong one is explained and asked for again as it was typed.
     * @param problemOf what is wrong with a line, without the space around it; called in the same turn as Enter
     * @returns the line; null when the user has left, or something else is asked instead
     */
    async askUntil(question: Question, problemOf: ProblemOf = () => null): Promise<string | null> {
      // A secret is taken as it was typed.
      const lineOf = (text: string): string => (question.masked === true ? text : text.trim());
      let { initial } = question;
      for (;;) {
        const typed = await new Promise<Typed | null>((resolve) => {
          const answer = (text: string | null): void =>
            resolve(text === null ? null : { text, problem: problemOf(lineOf(text)) });
          store.getState().prompt?.answer(null);
          set({ prompt: { ...question, initial, id: (lastPrompt += 1), answer } });
        });
        if (typed === null) return null;
        const problem = await typed.problem;
        if (problem === null) return lineOf(typed.text);
        session.say(problem, "error");
        initial = typed.text;
      }
    },
    /** Enter in the open prompt. What that leads to at once takes its place, with no frame between. */
    submit(text: string) {
      const { prompt } = store.getState();
      prompt?.answer(text);
      setImmediate(() => store.setState((now) => (now.prompt === prompt ? { prompt: null } : {})));
    },
    /** Esc in the open prompt. */
    closePrompt() {
      store.getState().prompt?.answer(null);
      set({ prompt: null });
    },
    /** Opens the user's editor on a text. */
    edit: (editing: TextEditing) => set({ editing }),
    closeEditor: () => set({ editing: null }),
    offerUndo: (undo: SessionState["undo"]) => set({ undo }),
    /** Takes the last change back that can be, once. */
    async undo() {
      const { undo } = store.getState();
      set({ undo: null });
      await undo?.();
    },
    /** Gives the terminal to a program. */
    runProgram: (program: ProgramRun) => set({ program }),
    programTaken: () => set({ program: null }),
    showHelp: (help: boolean) => set({ help }),
    showPalette: (palette: boolean, prepared: readonly LineForm[] = []) => set({ palette, prepared }),
    showMessages: (messagesOpen: boolean) => set({ messagesOpen }),
    /** Lays a page over its screen, above those that lie there. */
    show(page: Page) {
      const { pages } = store.getState();
      const why = page.exposes ? session.whyHidden() : null;
      if (why !== null) session.say(why, "note");
      else if (page !== pages.at(-1)) set({ pages: [...pages.filter((each) => each !== page), page] });
    },
    closePage: (page: Page) => set({ pages: store.getState().pages.filter((each) => each !== page) }),
    setProject: (project: string | null) => set({ project }),
    setBusy: (busy: string | null) => set({ busy: busy === null ? null : safe(busy) }),
    /** Enters presenter mode at a time, or leaves it. */
    setPresenter(presenter: Milliseconds | null) {
      const { pages } = store.getState();
      set({ presenter, pages: presenter === null ? pages : pages.filter(({ exposes }) => !exposes) });
    },
    /** Who looks now. */
    audience: () => (store.getState().presenter === null ? NO_AUDIENCE : audience),
    /** Why nothing is opened, copied or run that shows what an audience must not see; null while none looks. */
    whyHidden: () => (store.getState().presenter === null ? null : hiddenByPresenter(options.keyName)),
    /** True, with a sentence, while presenter mode hides a field: it must not be changed unseen. */
    refusesTyping(path: string) {
      if (store.getState().presenter === null || isTypedInSight(path)) return false;
      session.say(
        `Presenter mode hides this field, so you cannot change it; leave the field, then press ${options.keyName("shell.presenter")} to leave presenter mode.`,
        "note",
      );
      return true;
    },
    /** Leaves the console. */
    quit: options.quit,
    /** Stops the timers; later toasts are dropped. */
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
  return session;
}

/** Why nothing is shown that presenter mode hides. */
export const hiddenByPresenter = (keyName: KeyName): string =>
  `Presenter mode hides what this would show; leave it with ${keyName("shell.presenter")} first.`;

/** The page that lies on top of the open screen. */
export function openPage({ pages, screen }: SessionState): Page | undefined {
  return pages.findLast((page) => page.screen === screen);
}

export type Session = ReturnType<typeof createSession>;
