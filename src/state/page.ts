// The screens, and the pages over them: a text that scrolls, and that is drawn again when its data changes.

import type { StoreApi } from "zustand/vanilla";
import type { CounterReading, Explanation } from "#src/contract/wire/explanation.ts";
import type { Audience } from "#src/display/audience.ts";
import type { Ascii } from "#src/display/sign.ts";
import type { SigningLine } from "#src/display/signing-lines.ts";
import type { HangingLine, TableLine } from "#src/display/span.ts";

export type ScreenName =
  "check" | "register" | "vault" | "history" | "replay" | "rules" | "profiles" | "labels" | "demo";

/** How a page is to be drawn now. */
export interface PageRoom {
  /** Columns of its lines. */
  readonly width: number;
  readonly ascii: Ascii;
  /** Who looks: what it must not see may not stand in the lines. */
  readonly audience: Audience;
}

/** What the keys of a page do; `close` closes it unless it is among them. */
export interface PageKeys {
  readonly close?: () => void;
  /** Opens what would be answered now, in place of `close`. */
  readonly whatIf?: () => void;
  readonly copy?: () => void;
  readonly again?: () => void;
  /** Opens the rule file at what the page is about. */
  readonly edit?: (() => void) | undefined;
  /** Asks what else to try. */
  readonly ask?: () => void;
  readonly next?: (() => void) | undefined;
}

/** A score with its thresholds, as a gauge. */
interface ScoreLine {
  readonly score: Omit<Explanation, "id">;
}

/** What was counted, as bars below a heading. */
interface CountersLine {
  readonly counters: readonly CounterReading[];
}

export interface PageView {
  /** Safe; another title starts at the top again. */
  readonly title: string;
  /** Wrapped at words; lines of signed bytes at any character. */
  readonly lines: readonly (HangingLine | SigningLine | TableLine | ScoreLine | CountersLine)[];
  /** The share of the work that is done: a bar below the lines. */
  readonly share?: number | null;
  readonly keys?: PageKeys;
}

export interface Page<State = unknown> {
  /** The screen that it lies over. */
  readonly screen: ScreenName;
  /** What it shows: it is drawn again whenever that changes. */
  readonly store: Pick<StoreApi<State>, "getState" | "getInitialState" | "subscribe">;
  /** Shows what presenter mode hides: that closes it, and it is not opened meanwhile. */
  readonly exposes?: true;
  /** @param state as it may be seen now */
  view(state: State, room: PageRoom): PageView;
}
