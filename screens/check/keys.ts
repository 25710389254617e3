// The keys of Check. Letters are commands on the send button only: in a field they are input.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { jumpBinding } from "#src/keys/form-bindings.ts";
import { moveBindings, pagerBindings, throughRows } from "#src/keys/move-bindings.ts";

const CHECK = "Check";
const LIBRARY = "Library";
const SIGNING = "What is signed";
const WHAT_IF = "What if";
const SWEEP = "Sweep";
const WHY = "Why";

export const CHECK_BINDINGS: readonly Binding[] = [
  ...bindingsOf("check", CHECK, [
    { id: "check.cancel", keys: ["esc"], label: "cancel", answers: true, footer: 0 },
    { id: "check.send", keys: ["enter"], label: "send", footer: 10, sends: true },
    { id: "check.sendAnywhere", keys: ["ctrl+r"], label: "send from anywhere", sends: true },
    { id: "check.next", keys: ["tab", "down"], label: "next field", footer: 20 },
    { id: "check.previous", keys: ["shift+tab", "up"], label: "previous field" },
    jumpBinding("check", CHECK, 22),
    { id: "check.decide", keys: ["d"], label: "3-D Secure?", footer: 15 },
    { id: "check.again", keys: ["a"], label: "send again", footer: 16, sends: true },
    { id: "check.why", keys: ["i"], label: "why", also: "what would flip it, rules", footer: 21 },
    { id: "check.fresh", keys: ["f"], label: "fresh order id", footer: 40 },
    { id: "check.same", keys: ["o"], label: "same order id", footer: 45 },
    { id: "check.save", keys: ["s"], label: "save as payload", footer: 27 },
    { id: "check.library", keys: ["l"], label: "library", footer: 25 },
    { id: "check.templates", keys: ["t"], label: "templates", footer: 49 },
    { id: "check.edit", keys: ["e"], label: "edit as JSON", footer: 26, exposes: true },
    { id: "check.signing", keys: ["x"], label: "what is signed", footer: 46, exposes: true },
    { id: "check.copySigned", keys: ["Y"], label: "copy as curl", footer: 47, exposes: true },
    { id: "check.whatIf", keys: ["w"], label: "what if", also: "flip", footer: 23 },
    { id: "check.copy", keys: ["y"], label: "copy", footer: 29, exposes: true },
    { id: "check.sweep", keys: ["W"], label: "sweep a field", footer: 48, opensText: true },
    { id: "check.undoLoad", keys: ["u"], label: "undo load", footer: 28 },
    { id: "check.rowDown", keys: ["j"], label: "older check", footer: 50 },
    { id: "check.rowUp", keys: ["k"], label: "newer check" },
    { id: "check.filter", keys: ["/"], label: "filter the history", footer: 24, opensText: true },
    { id: "check.pageDown", keys: ["pagedown", "ctrl+d"], label: "older checks, one page" },
    { id: "check.pageUp", keys: ["pageup", "ctrl+u"], label: "newer checks, one page" },
    { id: "check.first", keys: ["g", "home"], label: "newest check, follow new" },
    { id: "check.last", keys: ["G", "end"], label: "oldest check of the list" },
  ]),

  ...bindingsOf("library", LIBRARY, [
    { id: "library.load", keys: ["enter"], label: "load", footer: 1 },
    { id: "library.search", keys: ["/"], label: "search", footer: 2, opensText: true },
    { id: "library.edit", keys: ["e"], label: "edit", footer: 3, exposes: true },
    { id: "library.remove", keys: ["x", "delete"], label: "remove", footer: 4 },
    { id: "library.back", keys: ["esc"], label: "back", footer: 5 },
    { id: "library.turn", keys: ["tab"], label: "saved, or templates", footer: 6 },
  ]),
  ...moveBindings("library", LIBRARY, throughRows("payload", "page")),

  ...bindingsOf("signing", SIGNING, [
    { id: "signing.close", keys: ["esc", "x"], label: "back", footer: 1 },
    { id: "signing.copy", keys: ["Y"], label: "copy as curl", footer: 2, exposes: true },
    { id: "signing.anew", keys: ["r"], label: "sign again", footer: 3 },
  ]),
  ...pagerBindings("signing", SIGNING, { down: 4 }),

  ...bindingsOf("whatIf", WHAT_IF, [
    { id: "whatIf.close", keys: ["esc", "w"], label: "back", footer: 1 },
    { id: "whatIf.anew", keys: ["r"], label: "try again", footer: 2 },
  ]),
  ...pagerBindings("whatIf", WHAT_IF, { down: 3 }),

  ...bindingsOf("why", WHY, [{ id: "why.close", keys: ["esc", "i"], label: "back", footer: 1 }]),
  ...pagerBindings("why", WHY, { down: 2 }),

  ...bindingsOf("sweep", SWEEP, [
    { id: "sweep.close", keys: ["esc"], label: "back", footer: 1 },
    { id: "sweep.ask", keys: ["W", "enter"], label: "another", footer: 2, opensText: true },
    { id: "sweep.next", keys: ["tab"], label: "next field", footer: 3 },
  ]),
  ...pagerBindings("sweep", SWEEP, { down: 4 }),

  ...bindingsOf("check.field", "Check, in a field", [
    { id: "check.field.leave", keys: ["esc"], label: "back to Send", footer: 10 },
    { id: "check.field.send", keys: ["ctrl+r"], label: "send", footer: 5, sends: true },
    { id: "check.field.next", keys: ["enter"], label: "next field" },
  ]),

  ...bindingsOf("check.history", "Check, in the history", [
    { id: "check.history.open", keys: ["enter"], label: "open", footer: 1 },
    { id: "check.history.leave", keys: ["esc"], label: "back to Send", footer: 2 },
  ]),
  ...moveBindings("check.history", "Check, in the history", {
    down: "older check",
    up: "newer check",
    first: "newest check, follow",
    last: "oldest check",
    pageDown: "older checks, one page",
    pageUp: "newer checks, one page",
  }),

  ...bindingsOf("check.question", "3-D Secure question", [
    {
      id: "check.question.yes",
      keys: ["y"],
      label: "yes, send to 3-D Secure",
      alone: true,
      answers: true,
      footer: 1,
    },
    { id: "check.question.no", keys: ["n"], label: "no, block", alone: true, answers: true, footer: 2 },
    { id: "check.question.later", keys: ["esc"], label: "later", answers: true, footer: 3 },
  ]),
];
