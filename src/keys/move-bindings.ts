// The keys that move through a list or a text, the same on every screen, with labels of their own.

import type { Binding } from "./binding.ts";

/** The last part of the ids: `<scope>.<name>`. */
type Move = "down" | "up" | "first" | "last" | "pageDown" | "pageUp";

/** The label of each move in the help. */
export type MoveWords = Readonly<Record<Move, string>>;

/** Through a text, or a list whose rows need no name. */
export const SCROLLING: MoveWords = {
  down: "down",
  up: "up",
  first: "first",
  last: "last",
  pageDown: "page down",
  pageUp: "page up",
};

/** For rows with a name: `next project`. A short list moves by five. */
export function throughRows(thing: string, page: "page" | "five"): MoveWords {
  const far = page === "page" ? "page" : `five ${thing}s`;
  return {
    down: `next ${thing}`,
    up: `previous ${thing}`,
    first: `first ${thing}`,
    last: `last ${thing}`,
    pageDown: `${far} down`,
    pageUp: `${far} up`,
  };
}

const KEYS: Readonly<Record<Move, readonly string[]>> = {
  down: ["j", "down"],
  up: ["k", "up"],
  first: ["g", "home"],
  last: ["G", "end"],
  pageDown: ["pagedown", "ctrl+d"],
  pageUp: ["pageup", "ctrl+u"],
};

/** The bindings of a scope; its layer has the handlers `<scope>.down` and so on. */
export function moveBindings(scope: string, group: string, words: MoveWords): Binding[] {
  return (Object.keys(KEYS) as Move[]).map((move) => ({
    id: `${scope}.${move}`,
    keys: KEYS[move],
    scope,
    group,
    label: words[move],
  }));
}

/** The keys that sort a list by its columns. */
export function sortBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.sort`, keys: ["o"], scope, group, label: "sort by next column", footer: 9.5 },
    { id: `${scope}.turn`, keys: ["O"], scope, group, label: "reverse the order" },
  ];
}

/** The handlers of these bindings. */
export function sortHandlers(
  scope: string,
  sort: (how: "next" | "turned") => void,
): Record<string, () => void> {
  return { [`${scope}.sort`]: () => sort("next"), [`${scope}.turn`]: () => sort("turned") };
}

const MOTIONS: ReadonlySet<string> = new Set([
  ...Object.values(KEYS).flat(),
  "left",
  "right",
  "tab",
  "shift+tab",
]);

/** Whether it moves the focus or what is seen: nobody looks for it by its name. */
export function isMotion({ keys }: Binding): boolean {
  return keys.some((key) => MOTIONS.has(key));
}

/** By a number of rows, or to an end. */
export type MoveTo = number | "first" | "last";

/** The handlers of these bindings. @param page rows of a page */
export function moveHandlers(
  scope: string,
  go: (to: MoveTo) => void,
  page: number,
): Record<string, () => void> {
  const by: Readonly<Record<Move, MoveTo>> = {
    down: 1,
    up: -1,
    first: "first",
    last: "last",
    pageDown: page,
    pageUp: -page,
  };
  return Object.fromEntries(Object.entries(by).map(([move, to]) => [`${scope}.${move}`, () => go(to)]));
}

/** The first visible row of a text after a move. @param last the furthest that it can be scrolled */
export function scrolled(at: number, to: MoveTo, last: number): number {
  if (to === "first") return 0;
  return to === "last" ? last : Math.max(0, Math.min(Math.min(at, last) + to, last));
}

/**
 * The moves of a panel of text, in which the space bar turns the page as in a pager.
 * @param footer places of those that the footer shows
 */
export function pagerBindings(
  scope: string,
  group: string,
  footer: Readonly<Partial<Record<Move, number>>>,
): Binding[] {
  return moveBindings(scope, group, SCROLLING).map((binding) => {
    const move = binding.id.slice(scope.length + 1) as Move;
    const place = footer[move];
    return {
      ...binding,
      keys: move === "pageDown" ? [...binding.keys, " "] : binding.keys,
      ...(place === undefined ? {} : { footer: place }),
    };
  });
}
