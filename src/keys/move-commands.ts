// The commands that move through a list or a text, the same on every screen, with labels of their own.

import type { ListMove } from "#src/contract/records/list-sort.ts";
import type { Binding } from "./binding.ts";
import type { CommandList } from "./command.ts";

export type { ListMove } from "#src/contract/records/list-sort.ts";

type Move = "down" | "up" | "first" | "last" | "pageDown" | "pageUp";

/** What moves, and the rows of its page: 0 where all of a text is seen. */
export interface Moving {
  readonly go: (to: ListMove) => void;
  readonly page: number;
}

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

const MOVES: Readonly<Record<Move, { readonly keys: readonly string[]; to(page: number): ListMove }>> = {
  down: { keys: ["j", "down"], to: () => 1 },
  up: { keys: ["k", "up"], to: () => -1 },
  first: { keys: ["g", "home"], to: () => "first" },
  last: { keys: ["G", "end"], to: () => "last" },
  pageDown: { keys: ["pagedown", "ctrl+d"], to: (page) => page },
  pageUp: { keys: ["pageup", "ctrl+u"], to: (page) => -page },
};

export function moves(words: MoveWords): CommandList<Moving> {
  return Object.fromEntries(
    (Object.keys(MOVES) as Move[]).map((move) => {
      const { keys, to } = MOVES[move];
      return [move, { keys, label: words[move], run: ({ go, page }: Moving) => go(to(page)) }];
    }),
  );
}

/**
 * The moves of a panel of text, in which the space bar turns the page as in a pager.
 * They do not exist while all of it is seen.
 * @param footer places of those that the footer shows
 */
export function pagerMoves(footer: Readonly<Partial<Record<Move, number>>>): CommandList<Moving> {
  return Object.fromEntries(
    Object.entries(moves(SCROLLING)).map(([move, { keys, ...command }]) => {
      const place = footer[move as Move];
      const all = move === "pageDown" ? [...keys, " "] : keys;
      const when = ({ page: rows }: Moving): boolean => rows > 0;
      return [move, { ...command, keys: all, when, ...(place === undefined ? {} : { footer: place }) }];
    }),
  );
}

/** The commands that sort a list by its columns. */
export function sorts<Scene>(sort: (scene: Scene, how: "next" | "turned") => void): CommandList<Scene> {
  return {
    sort: { keys: ["o"], label: "sort by next column", footer: 9.5, run: (scene) => sort(scene, "next") },
    turn: { keys: ["O"], label: "reverse the order", run: (scene) => sort(scene, "turned") },
  };
}

const MOTIONS: ReadonlySet<string> = new Set([
  ...Object.values(MOVES).flatMap(({ keys }) => keys),
  "left",
  "right",
  "tab",
  "shift+tab",
]);

/** Whether it moves the focus or what is seen: nobody looks for it by its name. */
export function isMotion({ keys }: Binding): boolean {
  return keys.some((key) => MOTIONS.has(key));
}

/** The first visible row of a text after a move. @param last the furthest that it can be scrolled */
export function scrolled(at: number, to: ListMove, last: number): number {
  if (to === "first") return 0;
  return to === "last" ? last : Math.max(0, Math.min(Math.min(at, last) + to, last));
}
