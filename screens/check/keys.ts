// The keys of Check. Letters are commands on the send button only: in a field they are typed.

import type { Binding } from "#src/keys/binding.ts";

const CHECK = "Check";

export const CHECK_BINDINGS: readonly Binding[] = [
  { id: "check.cancel", keys: ["esc"], scope: "check", label: "cancel", group: CHECK, footer: 0 },
  { id: "check.send", keys: ["enter"], scope: "check", label: "send", group: CHECK, footer: 10 },
  {
    id: "check.sendAnywhere",
    keys: ["ctrl+r"],
    scope: "check",
    label: "send from anywhere",
    group: CHECK,
  },
  { id: "check.next", keys: ["tab", "down"], scope: "check", label: "next field", group: CHECK, footer: 20 },
  {
    id: "check.previous",
    keys: ["shift+tab", "up"],
    scope: "check",
    label: "previous field",
    group: CHECK,
  },
  { id: "check.decide", keys: ["d"], scope: "check", label: "3-D Secure?", group: CHECK, footer: 15 },
  { id: "check.fresh", keys: ["f"], scope: "check", label: "fresh order id", group: CHECK, footer: 40 },
  { id: "check.same", keys: ["s"], scope: "check", label: "same order id", group: CHECK, footer: 45 },
  { id: "check.undoLoad", keys: ["u"], scope: "check", label: "undo load", group: CHECK, footer: 30 },
  { id: "check.rowDown", keys: ["j"], scope: "check", label: "older check", group: CHECK, footer: 50 },
  { id: "check.rowUp", keys: ["k"], scope: "check", label: "newer check", group: CHECK },
  {
    id: "check.pageDown",
    keys: ["pagedown", "ctrl+d"],
    scope: "check",
    label: "older checks, one page",
    group: CHECK,
  },
  {
    id: "check.pageUp",
    keys: ["pageup", "ctrl+u"],
    scope: "check",
    label: "newer checks, one page",
    group: CHECK,
  },
  { id: "check.first", keys: ["g", "home"], scope: "check", label: "newest check, follow", group: CHECK },
  { id: "check.last", keys: ["G", "end"], scope: "check", label: "oldest check", group: CHECK },

  {
    id: "check.field.leave",
    keys: ["esc"],
    scope: "check.field",
    label: "back to Send",
    group: "Check, in a field",
    footer: 10,
  },
  {
    id: "check.field.send",
    keys: ["ctrl+r"],
    scope: "check.field",
    label: "send",
    group: "Check, in a field",
    footer: 5,
  },
  {
    id: "check.field.next",
    keys: ["enter"],
    scope: "check.field",
    label: "next field",
    group: "Check, in a field",
  },

  {
    id: "check.question.yes",
    keys: ["y"],
    scope: "check.question",
    label: "yes, send to 3-D Secure",
    group: "3-D Secure question",
    alone: true,
    footer: 1,
  },
  {
    id: "check.question.no",
    keys: ["n"],
    scope: "check.question",
    label: "no, block",
    group: "3-D Secure question",
    alone: true,
    footer: 2,
  },
  {
    id: "check.question.later",
    keys: ["esc"],
    scope: "check.question",
    label: "later",
    group: "3-D Secure question",
    footer: 3,
  },
];
