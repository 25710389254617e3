// The keys that move through a list or a text: the same everywhere, under the words of the place.

import type { Binding } from "./binding.ts";

/** Names of what moves, as `<scope>.<name>`. */
type Move = "down" | "up" | "first" | "last" | "pageDown" | "pageUp";

/** What each move is called in the help. */
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

/** Through rows that are one thing each: `next project`. A short list goes five of them at a time. */
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

/** The moves of a scope; its layer says under `<scope>.down` and so on what happens. */
export function moveBindings(scope: string, group: string, words: MoveWords): Binding[] {
  return (Object.keys(KEYS) as Move[]).map((move) => ({
    id: `${scope}.${move}`,
    keys: KEYS[move],
    scope,
    group,
    label: words[move],
  }));
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
