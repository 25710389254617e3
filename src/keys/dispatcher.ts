// Dispatches input to the open layers, from the highest to the lowest, until one uses the event.

import type { Binding } from "./binding.ts";
import { graphemeEnd } from "./grapheme.ts";
import { createInputQueue, type InputQueue } from "./input-queue.ts";
import type { Chunk, InputEvent } from "./key-parser.ts";
import type { MouseEvent } from "./key-steps.ts";
import { createLayers, type Layer, type Layers } from "./layers.ts";
import { isAlone, unmarkedPaste, type Arrival } from "./unmarked-paste.ts";

export interface Dispatcher
  extends Omit<Layers, "asked" | "bindingsOf" | "whyNot">, Pick<InputQueue, "setBarrier"> {
  /** The table of bindings in use. */
  readonly bindings: readonly Binding[];
  /** True where text would go into a field. */
  isTyping(): boolean;
  /**
   * Dispatches an event; after a used one the next waits until the change is drawn and its layers are open.
   * @param chunk all events of the input that it came with; without it the event came alone
   */
  dispatch(event: InputEvent, chunk?: Chunk): void;
}

/**
 * Creates the dispatcher over the table of bindings.
 * @param whenDisabled called for a key whose binding is disabled
 * @param whenHit called for the mouse while nothing modal is open; false where nothing was hit
 * @param whenIgnored called for a paste that nothing takes, or that is longer than one may be
 */
export function createDispatcher(
  bindings: readonly Binding[],
  whenDisabled?: (why: string, binding: Binding) => void,
  whenHit: (event: MouseEvent) => boolean = () => false,
  whenIgnored: (characters: number, isOverlong: boolean) => void = () => undefined,
): Dispatcher {
  const { asked, bindingsOf, whyNot, ...layers } = createLayers(bindings);
  const { push, putBack, ...queue } = createInputQueue(give);
  /** The chunk that was taken as a paste, up to this event. */
  let pasted: { readonly chunk: Chunk; readonly until: number } | null = null;

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
      case "overlong":
        whenIgnored(event.characters, true);
        return true;
      case "text":
        return giveText(event.text, arrival);
      case "mouse":
        if (!asked().some(({ covered }) => covered) && whenHit(event)) return true;
        // Over a panel the wheel is the arrow keys, which neither send nor answer anything.
        return event.wheel !== 0 && !isTyping() && giveKey(event.wheel < 0 ? "up" : "down", true);
    }
  }

  function isTyping(): boolean {
    return asked().some(({ layer, covered }) => !covered && layer.text !== undefined);
  }

  /** True for text that begins with a key that opens a field for the rest of it. */
  function opensText({ event }: Arrival): boolean {
    if (event.type !== "text") return false;
    const first = event.text.slice(0, graphemeEnd(event.text, 0));
    const reached = layers.active().find(({ binding }) => binding.keys.includes(first));
    return reached?.disabled === null && reached.binding.opensText === true;
  }

  function giveKey(name: string, alone: boolean): boolean {
    for (const { layer, covered } of asked()) {
      if (!covered && layer.key?.(name) === true) return true;
      if (runBinding(layer, name, covered, alone)) return true;
    }
    return false;
  }

  /** Runs the layer's binding of a key; below a modal layer only a global one. */
  function runBinding(layer: Layer, name: string, covered: boolean, alone: boolean): boolean {
    for (const binding of bindingsOf(layer)) {
      if (!binding.keys.includes(name) || (covered && binding.global !== true)) continue;
      const why = whyNot(layer, binding);
      if (why !== null) {
        whenDisabled?.(why, binding);
        return true;
      }
      const handler = layer.handlers[binding.id];
      // The key stays used: an ignored answer must not run another command.
      if (handler !== undefined && binding.alone === true && !alone) return true;
      if (handler !== undefined && handler() !== false) return true;
    }
    return false;
  }

  function givePaste(text: string): boolean {
    for (const { layer, covered } of asked()) {
      if (covered) break;
      if (layer.paste !== undefined) {
        layer.paste(text);
        return true;
      }
      if (layer.text !== undefined) {
        const line = oneLine(text);
        if (line !== "") layer.text(line);
        return true;
      }
    }
    whenIgnored(text.length, false);
    return false;
  }

  /** A text field takes the whole text; otherwise its first grapheme is a command, and the rest waits for it. */
  function giveText(text: string, arrival: Arrival): boolean {
    const first = text.slice(0, graphemeEnd(text, 0));
    const used = giveGrapheme(first, text, isAlone(arrival));
    if (used === "all") return true;
    const rest = text.slice(first.length);
    if (rest !== "") putBack({ ...arrival, event: { type: "text", text: rest } });
    return used === "one";
  }

  function giveGrapheme(first: string, run: string, alone: boolean): "all" | "one" | "none" {
    for (const { layer, covered } of asked()) {
      if (!covered && layer.text !== undefined) {
        layer.text(run);
        return "all";
      }
      if (runBinding(layer, first, covered, alone)) return "one";
    }
    return "none";
  }

  return {
    bindings,
    isTyping,
    ...layers,
    ...queue,
    dispatch: (event, chunk = [event]) => push({ event, chunk, at: chunk.indexOf(event) }),
  };
}

/** A paste for a one-line field: outer line breaks and control characters are dropped, inner line breaks become spaces. */
function oneLine(text: string): string {
  return text
    .replaceAll(/^\n+|\n+$/g, "")
    .replaceAll(/[\t ]*\n+[\t ]*|\t/g, " ")
    .replaceAll(/\p{Cc}/gu, "");
}
