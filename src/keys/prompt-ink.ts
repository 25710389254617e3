// Replaces `ink` inside ink-text-input: keys come from the dispatcher, one per drawing. Without it ink-text-input
// loses keys that come in one chunk, inserts Ctrl letters, takes Del for Backspace and has no Home key.

import { Text as InkText, type Key } from "ink";
import { createContext, createElement, use, useLayoutEffect, useRef, type ReactNode } from "react";
import stringWidth from "string-width";
import { CursorRow } from "./real-cursor.ts";
import type { StandIns } from "./stand-ins.ts";
import { useDispatcher, useLayer } from "./use-layer.ts";

/** What a prompt passes to the replaced `ink` inside it. */
export interface PromptContents {
  readonly standIns: StandIns;
  /** The text as ink-text-input holds it: one UTF-16 unit for each grapheme. */
  readonly encoded: string;
  /** The cursor of ink-text-input: at first behind the text, then moved by the keys that are passed on. */
  readonly cursor: { at: number };
  /** Drawn before the character at the cursor where colours are off; empty elsewhere. */
  readonly caret: string;
  /** Undoes or redoes; false for another key. */
  turn(key: string): boolean;
  /** Level of the layer that the prompt belongs to; the prompt receives keys before it. */
  readonly level: number;
  /** Whether the prompt handles Enter; otherwise the layer below does. */
  readonly submits: boolean;
}

export const PromptContext = createContext<PromptContents | null>(null);

type InputHandler = (input: string, key: Partial<Key>) => void;

/**
 * Ink's `Text` with the graphemes put back, and the terminal's cursor in it instead of a drawn one; a line that is too long
 * is cut off at the end where the cursor is not.
 */
export function Text({ children }: { readonly children?: ReactNode }): ReactNode {
  const { standIns, cursor, caret } = usePrompt();
  if (typeof children !== "string") return createElement(InkText, { wrap: "truncate" }, children);
  const plain = children.replaceAll(INVERSE, "");
  const before = standIns.draw(plain.slice(0, cursor.at));
  const after = `${caret}${standIns.draw(plain.slice(cursor.at))}`;
  const early = cursor.at < plain.length / 2;
  const column = (width: number): number =>
    early ? stringWidth(before) : Math.min(stringWidth(before), width - stringWidth(after));
  const text = createElement(InkText, { wrap: early ? "truncate-end" : "truncate-start" }, before + after);
  return createElement(CursorRow, { column }, text);
}

/** What ink-text-input writes around its cursor. */
// oxlint-disable-next-line no-control-regex
const INVERSE = /\x1b\[2?7m/g;

/** The part of Ink's `useInput` that ink-text-input uses: receives text, Enter, Backspace, and cursor keys within the text. */
export function useInput(handler: InputHandler, options: { readonly isActive?: boolean } = {}): void {
  const prompt = usePrompt();
  const dispatcher = useDispatcher();
  const latest = useRef({ handler, prompt });
  useLayoutEffect(() => {
    latest.current = { handler, prompt };
  });

  /** Passes one key on; the next has to wait until ink-text-input has drawn itself with this one. */
  const press = (step: Step): void => {
    latest.current.prompt.cursor.at +=
      step === "right" ? 1 : step === "left" || step === "backspace" ? -1 : 0;
    latest.current.handler("", STEP_KEYS[step]);
  };

  useLayer(
    options.isActive === false
      ? null
      : {
          scope: "prompt-text",
          level: prompt.level + 0.5,
          handlers: {},
          text(text) {
            const encoded = latest.current.prompt.standIns.encode(text);
            latest.current.prompt.cursor.at += encoded.length;
            latest.current.handler(encoded, {});
          },
          key(name) {
            if (latest.current.prompt.turn(name)) return true;
            const steps = stepsOf(name, latest.current.prompt);
            if (steps === null) return false;
            const [first, ...others] = steps;
            if (first !== undefined) press(first);
            if (others.length > 0) dispatcher.interleave(others.map((step) => () => press(step)));
            return true;
          },
        },
  );
}

function usePrompt(): PromptContents {
  const prompt = use(PromptContext);
  if (prompt === null)
    throw new Error("Use TextPrompt of src/keys/text-prompt.tsx: ink-text-input alone loses input.");
  return prompt;
}

/** The keys that ink-text-input handles without loss. */
type Step = "left" | "right" | "backspace" | "enter";

const STEP_KEYS: Readonly<Record<Step, Partial<Key>>> = {
  left: { leftArrow: true },
  right: { rightArrow: true },
  backspace: { backspace: true },
  enter: { return: true },
};

/** The steps that an editing key is made of, none at the edges of the text; null for other keys. */
function stepsOf(
  name: string,
  { encoded, standIns, submits, cursor: { at } }: PromptContents,
): Step[] | null {
  const end = encoded.length;
  switch (name) {
    case "enter":
      return submits ? ["enter"] : null;
    case "left":
    case "ctrl+b":
      return steps("left", Math.min(1, at));
    case "right":
    case "ctrl+f":
      return steps("right", Math.min(1, end - at));
    case "home":
    case "ctrl+a":
      return steps("left", at);
    case "end":
    case "ctrl+e":
      return steps("right", end - at);
    case "alt+b":
    case "ctrl+left":
    case "alt+left":
      return steps("left", at - startBefore(isWord));
    case "alt+f":
    case "ctrl+right":
    case "alt+right":
      return steps("right", wordAfter() - at);
    case "backspace":
      return steps("backspace", Math.min(1, at));
    case "delete":
    case "ctrl+d":
      return deleteAfter(Math.min(1, end - at));
    case "alt+backspace":
      return steps("backspace", at - startBefore(isWord));
    case "ctrl+w":
      return steps("backspace", at - startBefore(isSolid));
    case "alt+d":
    case "ctrl+delete":
      return deleteAfter(wordAfter() - at);
    case "ctrl+u":
      return steps("backspace", at);
    case "ctrl+k":
      return deleteAfter(end - at);
    default:
      return null;
  }

  function belongs(index: number, kind: RegExp): boolean {
    return kind.test(standIns.decode(encoded[index]!));
  }

  function startBefore(kind: RegExp): number {
    let place = at;
    while (place > 0 && !belongs(place - 1, kind)) place -= 1;
    while (place > 0 && belongs(place - 1, kind)) place -= 1;
    return place;
  }

  function wordAfter(): number {
    let place = at;
    while (place < end && !belongs(place, isWord)) place += 1;
    while (place < end && belongs(place, isWord)) place += 1;
    return place;
  }
}

const isWord = /^[\p{L}\p{N}_]/u;
const isSolid = /^\S/u;

const steps = (step: Step, times: number): Step[] => Array.from({ length: times }, () => step);

const deleteAfter = (times: number): Step[] => [...steps("right", times), ...steps("backspace", times)];
