// The one place where input meets what is open: layers from the highest to the lowest are asked who uses an event.

import type { Binding } from "./binding.ts";
import { graphemeEnd } from "./grapheme.ts";
import type { Chunk, InputEvent } from "./key-parser.ts";
import { isAlone, unmarkedPaste, type Arrival } from "./unmarked-paste.ts";

/** Something open that hears keys: the shell, a screen, a pane, a field, a dialog. */
export interface Layer {
  /** Which bindings of the table belong to it. */
  readonly scope: string;
  /** 0 shell, 1 screen, 2 pane or field, 3 dialog or prompt, 4 help or palette. The highest is asked first. */
  readonly level: number;
  /** Nothing falls through to lower layers but global bindings. */
  readonly modal?: boolean;
  /** What each binding does, by its id; an answer of `false` means that the key was not used. */
  readonly handlers: Readonly<Record<string, () => void | boolean>>;
  /** Why a binding does not work now, by its id. It keeps its keys. */
  readonly disabled?: Readonly<Record<string, string>>;
  /** The layer is a text field: printable text goes here, and letters are no commands here and below. */
  readonly text?: (text: string) => void;
  /** Hears named keys before bindings do, for editing; `true` means that the key was used. */
  readonly key?: (name: string) => boolean;
  /** Hears pastes whole. Without it a text field gets them as one line of text. */
  readonly paste?: (text: string) => void;
}

/** A binding that is within reach now, and why it does not work if it does not. */
export interface ActiveBinding {
  readonly binding: Binding;
  readonly disabled: string | null;
}

export interface OpenLayer {
  update(layer: Layer): void;
  close(): void;
}

export interface Dispatcher {
  /** The table that it works by. */
  readonly bindings: readonly Binding[];
  /**
   * Gives an event to the layers; after a used one the next waits until what it changed is drawn and open.
   * @param chunk all events of the input that it came with; without it the event came alone
   */
  dispatch(event: InputEvent, chunk?: Chunk): void;
  /** Opens a layer above those of its level. */
  open(layer: Layer): OpenLayer;
  /** What works now, highest layer first; the same array until it changes. */
  active(): readonly ActiveBinding[];
  /** Calls back whenever `active()` has changed. */
  subscribe(listener: () => void): () => void;
  /** Runs steps before the next event, waiting after each as after a used event. For layers that take a key apart. */
  interleave(steps: readonly (() => void)[]): void;
  /** Says why nothing may be sent now: the reason of every binding that sends; null where it may be. */
  setNoSending(why: string | null): void;
  /** Says why nothing may be shown in the open or copied now: the reason of every binding that does; null where it may be. */
  setNoExposing(why: string | null): void;
  /** Says how to wait until the change that a handler made is drawn; without it nothing waits. */
  setBarrier(barrier: Barrier | null): void;
}

/** Calls `done` once, when every change made before is drawn and its layers are open. */
export type Barrier = (done: () => void) => void;

/** Keys that text fields with a `key` hook use for themselves; bindings below do not get them. */
export const EDITING_KEYS: ReadonlySet<string> = new Set(
  (
    "left right home end backspace delete ctrl+a ctrl+b ctrl+d ctrl+e ctrl+f ctrl+k ctrl+u ctrl+w ctrl+y ctrl+_ " +
    "alt+b alt+d alt+f alt+r alt+u alt+left alt+right alt+backspace ctrl+left ctrl+right ctrl+delete"
  ).split(" "),
);

/**
 * Creates the dispatcher over the table of bindings.
 * @param whenDisabled is told when someone presses a key whose binding does not work now
 */
export function createDispatcher(
  bindings: readonly Binding[],
  whenDisabled?: (why: string, binding: Binding) => void,
): Dispatcher {
  const byScope = Map.groupBy(bindings, ({ scope }) => scope);
  const listeners = new Set<() => void>();
  /** From the highest to the lowest. */
  let open: { layer: Layer }[] = [];
  let active: readonly ActiveBinding[] | null = null;
  let queue: (Arrival | (() => void))[] = [];
  /** What was taken of a chunk as a paste: its events before this place are done. */
  let pasted: { readonly chunk: Chunk; readonly until: number } | null = null;
  let barrier: Barrier | null = null;
  let noSending: string | null = null;
  let noExposing: string | null = null;
  let waiting = false;
  let draining = false;
  /** Counts barriers, so that one that is replaced while it waits cannot answer for the next. */
  let turn = 0;

  const inScope = (scope: string): readonly Binding[] => byScope.get(scope) ?? [];

  /** Why a binding of an open layer does not work now; null where it does. */
  const whyNot = (layer: Layer, binding: Binding): string | null => {
    const own = layer.disabled?.[binding.id] ?? null;
    if (own === null && layer.handlers[binding.id] === undefined) return null;
    // What cannot be mended on this screen is said first.
    const why = (binding.sends === true ? noSending : null) ?? (binding.exposes === true ? noExposing : null);
    return why ?? own;
  };

  function changed(): void {
    active = null;
    for (const listener of listeners) listener();
  }

  function drain(): void {
    if (draining) return;
    draining = true;
    try {
      while (!waiting) {
        const next = queue.shift();
        if (next === undefined) return;
        const used = typeof next === "function" ? (next(), true) : give(next);
        if (used && barrier !== null) wait(barrier);
      }
    } finally {
      draining = false;
    }
  }

  function wait(until: Barrier): void {
    const mine = (turn += 1);
    waiting = true;
    until(() => {
      if (mine === turn) resume();
    });
  }

  function resume(): void {
    if (!waiting) return;
    turn += 1;
    waiting = false;
    drain();
  }

  function give(arrival: Arrival): boolean {
    const { event, chunk, at } = arrival;
    if (pasted !== null && chunk === pasted.chunk && at < pasted.until) return false;
    const paste = isTyping() ? null : unmarkedPaste(arrival);
    if (paste !== null && !opensText(arrival)) {
      pasted = { chunk, until: paste.until };
      return givePaste(paste.text);
    }
    switch (event.type) {
      case "key":
        return giveKey(event.name, isAlone(arrival));
      case "paste":
        return givePaste(event.text);
      case "text":
        return giveText(event.text, arrival);
    }
  }

  /** True where text would go into a field. */
  function isTyping(): boolean {
    for (const { layer } of open) {
      if (layer.text !== undefined) return true;
      if (layer.modal === true) return false;
    }
    return false;
  }

  /** True for text that begins with a key that opens a field for the rest of it. */
  function opensText({ event }: Arrival): boolean {
    if (event.type !== "text") return false;
    const first = event.text.slice(0, graphemeEnd(event.text, 0));
    const reached = withinReach().find(({ binding }) => binding.keys.includes(first));
    return reached?.disabled === null && reached.binding.opensText === true;
  }

  function giveKey(name: string, alone: boolean): boolean {
    let covered = false;
    for (const { layer } of open) {
      if (!covered && layer.key?.(name) === true) return true;
      if (runBinding(layer, name, covered, alone)) return true;
      covered ||= layer.modal === true;
    }
    return false;
  }

  /** Runs the layer's binding of a key; below a modal layer only a global one. */
  function runBinding(layer: Layer, name: string, covered: boolean, alone: boolean): boolean {
    for (const binding of inScope(layer.scope)) {
      if (!binding.keys.includes(name) || (covered && binding.global !== true)) continue;
      const why = whyNot(layer, binding);
      if (why !== null) {
        whenDisabled?.(why, binding);
        return true;
      }
      const handler = layer.handlers[binding.id];
      // It keeps its key: an answer that is not taken must not become another command either.
      if (handler !== undefined && binding.alone === true && !alone) return true;
      if (handler !== undefined && handler() !== false) return true;
    }
    return false;
  }

  function givePaste(text: string): boolean {
    for (const { layer } of open) {
      if (layer.paste !== undefined) {
        layer.paste(text);
        return true;
      }
      if (layer.text !== undefined) {
        const line = oneLine(text);
        if (line !== "") layer.text(line);
        return true;
      }
      if (layer.modal === true) return false;
    }
    return false;
  }

  /** A text field takes the whole rest; otherwise the first grapheme is a command, and what follows waits for it. */
  function giveText(text: string, arrival: Arrival): boolean {
    const first = text.slice(0, graphemeEnd(text, 0));
    const used = giveGrapheme(first, text, isAlone(arrival));
    if (used === "all") return true;
    const rest = text.slice(first.length);
    if (rest !== "") queue.unshift({ ...arrival, event: { type: "text", text: rest } });
    return used === "one";
  }

  function giveGrapheme(first: string, run: string, alone: boolean): "all" | "one" | "none" {
    let covered = false;
    for (const { layer } of open) {
      if (!covered && layer.text !== undefined) {
        layer.text(run);
        return "all";
      }
      if (runBinding(layer, first, covered, alone)) return "one";
      covered ||= layer.modal === true;
    }
    return "none";
  }

  function withinReach(): readonly ActiveBinding[] {
    const found: ActiveBinding[] = [];
    const taken = new Set<string>();
    let covered = false;
    let typing = false;
    for (const { layer } of open) {
      typing ||= !covered && layer.text !== undefined;
      const edits = !covered && layer.text !== undefined && layer.key !== undefined;
      if (edits) for (const name of EDITING_KEYS) taken.add(name);
      for (const binding of inScope(layer.scope)) {
        const disabled = whyNot(layer, binding);
        if (layer.handlers[binding.id] === undefined && disabled === null) continue;
        if (covered && binding.global !== true) continue;
        const keys = binding.keys.filter((name) => !taken.has(name) && !(typing && isPrintable(name)));
        for (const name of keys) taken.add(name);
        if (keys.length > 0) found.push({ binding: { ...binding, keys }, disabled });
      }
      covered ||= layer.modal === true;
    }
    return found;
  }

  return {
    bindings,
    dispatch(event, chunk = [event]) {
      queue.push({ event, chunk, at: chunk.indexOf(event) });
      drain();
    },
    open(layer) {
      const entry = { layer };
      const place = (): void => {
        const at = open.findIndex((other) => other.layer.level <= entry.layer.level);
        open = at < 0 ? [...open, entry] : open.toSpliced(at, 0, entry);
      };
      place();
      changed();
      return {
        update(next) {
          const previous = entry.layer;
          entry.layer = next;
          if (!open.includes(entry)) return;
          if (previous.level !== next.level) {
            open = open.filter((other) => other !== entry);
            place();
          }
          if (!offersSame(previous, next)) changed();
        },
        close() {
          if (!open.includes(entry)) return;
          open = open.filter((other) => other !== entry);
          changed();
        },
      };
    },
    active() {
      active ??= withinReach();
      return active;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interleave(steps) {
      queue = [...steps, ...queue];
      drain();
    },
    setNoSending(why) {
      if (why === noSending) return;
      noSending = why;
      changed();
    },
    setNoExposing(why) {
      if (why === noExposing) return;
      noExposing = why;
      changed();
    },
    setBarrier(next) {
      barrier = next;
      // Whoever was to say that all is drawn is gone, and with it what was to be drawn.
      resume();
    },
  };
}

/** Named keys are words in lower case or combinations; everything else is a printable grapheme. */
function isPrintable(name: string): boolean {
  return graphemeEnd(name, 0) === name.length;
}

/** True when two layers offer the same to footer and help, whatever their functions are. */
function offersSame(one: Layer, other: Layer): boolean {
  return (
    one.scope === other.scope &&
    one.level === other.level &&
    one.modal === other.modal &&
    (one.text === undefined) === (other.text === undefined) &&
    (one.key === undefined) === (other.key === undefined) &&
    sameKeys(one.handlers, other.handlers) &&
    sameKeys(one.disabled ?? {}, other.disabled ?? {}) &&
    Object.entries(one.disabled ?? {}).every(([id, why]) => other.disabled?.[id] === why)
  );
}

function sameKeys(one: object, other: object): boolean {
  const ids = Object.keys(one);
  return ids.length === Object.keys(other).length && ids.every((id) => id in other);
}

/** A paste for a one-line field: line breaks around go, those inside are spaces, control characters go. */
function oneLine(text: string): string {
  return text
    .replaceAll(/^\n+|\n+$/g, "")
    .replaceAll(/[\t ]*\n+[\t ]*|\t/g, " ")
    .replaceAll(/\p{Cc}/gu, "");
}
