// The commands of Check. Letters are commands on the send button only: in a field they are input.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { commands, key, only } from "#src/keys/command.ts";
import { jumpCommand } from "#src/keys/form-commands.ts";
import { moves, throughRows, type Moving, type ListMove } from "#src/keys/move-commands.ts";
import { isOpen } from "#src/state/check/checks-state.ts";
import { selectedPayload, templateText, type LibraryState } from "#src/state/check/library-acts.ts";
import type { Library } from "#src/state/check/library.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { takeProject } from "#src/state/register/project-switch.ts";
import { HISTORY } from "#src/state/check/composer.ts";

interface Scene {
  readonly model: ConsoleModel;
  /** What is composed. */
  readonly request: CheckRequest;
  /** Why nothing can be asked or sent regardless of the fields; null otherwise. */
  readonly lack: string | null;
  /** The same, or the error in the fields. */
  readonly blocked: string | null;
  /** The same, or what is under way or asked. */
  readonly unsent: string | null;
  readonly isSending: boolean;
  /** Id of the check whose 3-D Secure question is open. */
  readonly question: string | null;
  /** What is pointed at, else what is shown. */
  readonly inView: HistoryEntry | null;
  /** The selected row of the history. */
  readonly selected: HistoryEntry | null;
  /** The last check without an answer. */
  readonly lost: HistoryEntry | null;
  readonly hasSent: boolean;
  readonly canUndo: boolean;
  /** Rows of a page of the history. */
  readonly page: number;
  /** Shows the whole decision of a check. */
  readonly explain: (entry: HistoryEntry) => void;
}

/** Moves through the history, which has the keys then, also while it is empty: Enter behind a key of the list must not send. */
export function walk({ checks, composer }: ConsoleModel, to: ListMove): void {
  checks.select(to);
  if (checks.store.getState().question === null) composer.focus(HISTORY);
}

function send({ model: { brake, composer } }: Scene): void {
  void brake.press(composer.toRequest(), () => void composer.send(), composer.doubts());
}

function sendAgain({ model: { brake, composer, session }, lost }: Scene): void {
  if (lost === null) return;
  const { id, project, request } = lost;
  const again = async (): Promise<void> => {
    if ((await takeProject(session, project)) === null) return;
    composer.loadRequest(request, { from: id, repeats: id });
    await composer.send();
  };
  void brake.press(request, () => void again());
}

async function filterHistory({ model: { session, history } }: Scene): Promise<void> {
  session.go("history");
  if (!(await history.askFilter())) session.go("check");
}

/** The first key focuses the selected row; an open question has it focused already, so the key moves on. */
const step = ({ model, question }: Scene, by: 1 | -1): void => walk(model, question === null ? 0 : by);

const whyNotSend = ({ unsent }: Scene): string | null => unsent;
const isFree = ({ isSending }: Scene): boolean => !isSending;
const hasView = ({ inView }: Scene): boolean => inView !== null;
const canDecide = ({ inView, question }: Scene): boolean =>
  inView !== null && isOpen(inView) && question === null;

export const CHECK = commands<Scene>("check", "Check", 1, {
  cancel: key("esc", "cancel", 0, (s) => void s.model.checks.cancel(), {
    answers: true,
    when: ({ isSending }) => isSending,
  }),
  send: key("enter", "send", 10, send, { sends: true, not: whyNotSend }),
  sendAnywhere: key("ctrl+r", "send from anywhere", null, send, { sends: true, not: whyNotSend }),
  next: key("tab down", "next field", 20, (s) => s.model.composer.move(1)),
  previous: key("shift+tab up", "previous field", null, (s) => s.model.composer.move(-1)),
  jump: jumpCommand(22, ({ model }, path) => model.composer.focus(path)),
  decide: key("d", "3-D Secure?", 15, ({ model, inView }) => void model.checks.ask(inView!.id), {
    when: canDecide,
  }),
  again: key("a", "send again", 16, sendAgain, { sends: true, when: ({ lost }) => lost !== null }),
  why: key("i", "why", 21, ({ explain, inView }) => explain(inView!), {
    also: "what would flip it, rules",
    when: hasView,
  }),
  fresh: key("f", "fresh order id", 40, (s) => s.model.composer.freshOrder()),
  same: key("o", "same order id", 45, (s) => void s.model.composer.sameOrder(), {
    when: ({ hasSent }) => hasSent,
  }),
  save: key("s", "save as payload", 27, (s) => s.model.composed.save()),
  library: key("l", "library", 25, (s) => s.model.library.open()),
  templates: key("t", "templates", 49, (s) => s.model.library.open("templates")),
  edit: key("e", "edit as JSON", 26, (s) => s.model.composed.edit(), { exposes: true }),
  signing: key("x", "what is signed", 46, (s) => s.model.signing.show(), { exposes: true }),
  copySigned: key("Y", "copy as curl", 47, (s) => s.model.signing.copy(), { exposes: true }),
  whatIf: key("w", "what if", 23, ({ model, request }) => model.whatIf.show(request), {
    also: "flip",
    not: ({ model, blocked }) => model.whatIf.disabled ?? blocked,
  }),
  copy: key("y", "copy", 29, ({ model, inView }) => model.history.askCopy(inView), {
    exposes: true,
    when: hasView,
  }),
  sweep: key("W", "sweep a field", 48, (s) => s.model.sweeps.ask(), {
    opensText: true,
    not: ({ model, lack }) => model.sweeps.disabled ?? lack,
  }),
  undoLoad: key("u", "undo load", 28, (s) => void s.model.composer.undoLoad(), {
    when: ({ canUndo }) => canUndo,
  }),
  rowDown: key("j", "older check", 50, (scene) => step(scene, 1)),
  rowUp: key("k", "newer check", null, (scene) => step(scene, -1)),
  filter: key("/", "filter the history", 24, filterHistory, { opensText: true }),
  pageDown: key("pagedown ctrl+d", "older checks, one page", null, ({ model, page }) => walk(model, page)),
  pageUp: key("pageup ctrl+u", "newer checks, one page", null, ({ model, page }) => walk(model, -page)),
  first: key("g home", "newest check, follow new", null, (s) => walk(s.model, "first")),
  last: key("G end", "oldest check of the list", null, (s) => walk(s.model, "last")),
});

interface LibraryScene extends Moving {
  readonly library: Library;
  readonly state: LibraryState;
  readonly keyName: (id: string) => string;
}

const hasPayload = ({ state }: LibraryScene): boolean => selectedPayload(state) !== null;
const whyFixed = ({ state, keyName }: LibraryScene): string | null =>
  state.shelf === "saved" ? null : templateText(keyName);

export const LIBRARY = commands<LibraryScene>("library", "Library", 1, {
  load: key("enter", "load", 1, (s) => s.library.load(), { when: hasPayload }),
  search: key("/", "filter", 2, (s) => s.library.askSearch(), {
    opensText: true,
    // Also while the list is read: typed text filters it once it is there.
    when: ({ state: { rows } }) => rows === null || rows.length > 0,
  }),
  edit: key("e", "edit", 3, (s) => s.library.edit(), { exposes: true, not: whyFixed, when: hasPayload }),
  remove: key("d delete", "remove", 4, (s) => s.library.remove(), { not: whyFixed, when: hasPayload }),
  back: key("esc", "back", 5, ({ library, state }) =>
    state.search.trim() === "" ? library.close() : library.showAll(),
  ),
  turn: key("tab", "saved, or templates", 6, (s) => s.library.switchShelf()),
  ...only(hasPayload, moves(throughRows("payload", "page"))),
});

export const CHECK_FIELD = commands<Scene>("check.field", "Check, in a field", 2, {
  // During a check Esc cancels it and does not leave the field.
  leave: key("esc", "back to Send", 10, ({ model: { checks, composer } }) => {
    if (!checks.cancel()) composer.leave();
  }),
  send: key("ctrl+r", "send", 5, send, { sends: true, not: whyNotSend }),
  next: key("enter", "next field", null, (s) => s.model.composer.move(1)),
});

const IN_HISTORY = {
  down: "older check",
  up: "newer check",
  first: "newest check, follow",
  last: "oldest check",
  pageDown: "older checks, one page",
  pageUp: "newer checks, one page",
};

export const CHECK_HISTORY = commands<Scene & Moving>("check.history", "Check, in the history", 2, {
  open: key("enter", "open", 1, ({ explain, selected }) => explain(selected!), {
    not: ({ selected }) => (selected === null ? "No check has been sent yet." : null),
  }),
  // During a check Esc cancels it.
  leave: key("esc", "back to Send", 2, (s) => s.model.composer.leave(), { when: isFree }),
  ...moves(IN_HISTORY),
});

interface Question {
  readonly model: ConsoleModel;
  /** Id of the check that it is about. */
  readonly question: string;
}

export const CHECK_QUESTION = commands<Question>("check.question", "3-D Secure question", 2, {
  yes: key(
    "y",
    "yes, send to 3-D Secure",
    1,
    ({ model, question }) => void model.checks.decide(question, true),
    { alone: true, answers: true },
  ),
  no: key("n", "no, block", 2, ({ model, question }) => void model.checks.decide(question, false), {
    alone: true,
    answers: true,
  }),
  later: key("esc", "later", 3, (s) => s.model.checks.later(), { answers: true }),
});
