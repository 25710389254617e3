// State of the console as a whole: screen, toasts, dialog, prompt, presenter mode.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import { afterTimeout, type After } from "./timers.ts";

export type ScreenName =
  "check" | "register" | "vault" | "history" | "replay" | "rules" | "profiles" | "demo";

export type ToastKind = "note" | "done" | "error";

export interface Toast {
  readonly id: number;
  /** Safe to show. */
  readonly text: string;
  readonly kind: ToastKind;
}

/** A question before something that cannot be undone; the answer is No unless the user says otherwise. */
export interface Dialog {
  readonly title: string;
  readonly text: string;
  /** What Yes does, in a word or two: `Remove`. */
  readonly yes: string;
  /** What has to be typed for Yes, to the letter: the name of a live profile, or a count. Without it a key answers. */
  readonly typed?: string;
  readonly onYes: () => void;
  /** No; the question is closed already. */
  readonly onNo?: () => void;
}

/** One line of text asked from the user. */
export interface Prompt {
  readonly label: string;
  readonly initial?: string;
  readonly placeholder?: string;
  /** True for a secret: shown as a mask. */
  readonly masked?: boolean;
  /** What was given before, newest first: Up and Down walk through it. */
  readonly recall?: readonly string[];
  /** After each change, e.g. for a filter that is applied while it is typed. */
  readonly onChange?: (text: string) => void;
  /** Enter; the prompt is closed already. */
  readonly onSubmit: (text: string) => void;
  /** Esc; the prompt is closed already. */
  readonly onCancel?: () => void;
}

/** A text for the user's editor; the console gives it the terminal until it ends. */
export interface TextEditing {
  readonly text: string;
  /** What the editor calls it: `payload.json`. */
  readonly fileName: string;
  /** The editor has ended well; the console is back. */
  readonly onText: (text: string) => void;
}

export interface SessionState {
  readonly screen: ScreenName;
  readonly toasts: readonly Toast[];
  readonly dialog: Dialog | null;
  readonly prompt: Prompt | null;
  readonly help: boolean;
  readonly palette: boolean;
  /** `<merchant_id>/<risk_level>` of the project that checks belong to; null while there is none. */
  readonly project: string | null;
  /** The text to open the editor on; null for none. */
  readonly editing: TextEditing | null;
  /** One line about what goes on in the background; null when nothing does. */
  readonly busy: string | null;
  /** The first-run hint is open. */
  readonly hint: boolean;
  /** Presenter mode: nothing personal is shown. The time at which it began, local; null outside of it. */
  readonly presenter: Milliseconds | null;
}

export interface Session {
  readonly store: StoreApi<SessionState>;
  /** For sentences that name a key. */
  readonly keyName: KeyName;
  go(screen: ScreenName): void;
  /** Shows a toast. Control characters in the text are escaped here. */
  say(text: string, kind: ToastKind): void;
  /** Removes the toasts with this text. */
  unsay(text: string): void;
  dismissToasts(): void;
  confirm(dialog: Dialog): void;
  closeDialog(): void;
  ask(prompt: Prompt): void;
  closePrompt(): void;
  /** Opens the user's editor on a text. */
  edit(editing: TextEditing): void;
  closeEditor(): void;
  showHelp(open: boolean): void;
  showPalette(open: boolean): void;
  setProject(key: string | null): void;
  setBusy(text: string | null): void;
  showHint(open: boolean): void;
  /** Enters presenter mode at a time, or leaves it. */
  setPresenter(since: Milliseconds | null): void;
  /** Leaves the console. */
  quit(): void;
  /** Stops the timers; later toasts are dropped. */
  close(): void;
}

export interface SessionOptions {
  readonly keyName: KeyName;
  readonly quit: () => void;
  /** Schedules a callback and returns how to cancel it; real timers by default. */
  readonly after?: After;
}

/** How long a toast stays, unless a key sends it away earlier. */
export const TOAST_MS = 4_000;
/** Toasts shown at once. */
const TOAST_LIMIT = 3;
const LONGEST_TOAST = 400;

export function createSession(options: SessionOptions): Session {
  const { after = afterTimeout } = options;
  const timers = new Set<() => void>();
  let lastToast = 0;
  let closed = false;
  const store = createStore<SessionState>(() => ({
    screen: "check",
    toasts: [],
    dialog: null,
    prompt: null,
    help: false,
    palette: false,
    project: null,
    editing: null,
    busy: null,
    hint: false,
    presenter: null,
  }));
  const set = (change: Partial<SessionState>): void => store.setState(change);

  return {
    store,
    keyName: options.keyName,
    go: (screen) => set({ screen }),
    say(text, kind) {
      // Its timer would keep the process alive behind the prompt.
      if (closed) return;
      const id = (lastToast += 1);
      const toasts = [...store.getState().toasts, { id, text: safe(text, { max: LONGEST_TOAST }), kind }];
      set({ toasts: toasts.slice(-TOAST_LIMIT) });
      const cancel = after(TOAST_MS, () => {
        timers.delete(cancel);
        set({ toasts: store.getState().toasts.filter((toast) => toast.id !== id) });
      });
      timers.add(cancel);
    },
    unsay(text) {
      const gone = safe(text, { max: LONGEST_TOAST });
      const { toasts } = store.getState();
      const left = toasts.filter((toast) => toast.text !== gone);
      if (left.length < toasts.length) set({ toasts: left });
    },
    dismissToasts() {
      if (store.getState().toasts.length > 0) set({ toasts: [] });
    },
    confirm: (dialog) => set({ dialog }),
    closeDialog: () => set({ dialog: null }),
    ask: (prompt) => set({ prompt }),
    closePrompt: () => set({ prompt: null }),
    edit: (editing) => set({ editing }),
    closeEditor: () => set({ editing: null }),
    showHelp: (help) => set({ help }),
    showPalette: (palette) => set({ palette }),
    setProject: (project) => set({ project }),
    setBusy: (busy) => set({ busy: busy === null ? null : safe(busy) }),
    showHint: (hint) => set({ hint }),
    setPresenter: (presenter) => set({ presenter }),
    quit: options.quit,
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
