// The open layers, from the highest to the lowest, and the bindings that can be used now.

import type { Binding } from "./binding.ts";
import { graphemeEnd } from "./grapheme.ts";
import { EDITING_KEYS } from "./key-names.ts";

/** An open part of the console that handles keys: the shell, a screen, a pane, a field, a dialog. */
export interface Layer {
  /** The scope of its bindings. */
  readonly scope: string;
  /** 0 shell, 1 screen, 2 pane or field, 3 dialog or prompt, 4 help or palette. The highest is asked first. */
  readonly level: number;
  /** Nothing falls through to lower layers but global bindings. */
  readonly modal?: boolean;
  /** By the id of a binding; `false` means that the key was not used. */
  readonly handlers: Readonly<Record<string, () => void | boolean>>;
  /** The reason why a binding is disabled, by its id. It keeps its keys. */
  readonly disabled?: Readonly<Record<string, string>>;
  /** What a binding does now, by its id, in place of its label. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Bindings that send reach nothing but what is made for them here, so that they work while nothing may be sent. */
  readonly sendsNothing?: true;
  /** Makes the layer a text field: it receives printable text, and letters are no commands here and below. */
  readonly text?: (text: string) => void;
  /** Receives named keys before the bindings, for editing; `true` means that the key was used. */
  readonly key?: (name: string) => boolean;
  /** Receives pastes whole. Without it a text field receives them as one line of text. */
  readonly paste?: (text: string) => void;
}

/** A binding that can be used now, or the reason why it is disabled. */
export interface ActiveBinding {
  readonly binding: Binding;
  readonly disabled: string | null;
}

export interface OpenLayer {
  update(layer: Layer): void;
  close(): void;
}

/** A layer, and whether a modal one is above it: then only its global bindings work. */
interface AskedLayer {
  readonly layer: Layer;
  readonly covered: boolean;
}

/** The open layers. */
export interface Layers {
  /** From the highest to the lowest. */
  asked(): readonly AskedLayer[];
  bindingsOf(layer: Layer): readonly Binding[];
  /** The reason why a binding of an open layer is disabled; null where it works. */
  whyNot(layer: Layer, binding: Binding): string | null;
  /** Opens a layer above those of its level. */
  open(layer: Layer): OpenLayer;
  /** The bindings that can be used now, highest layer first; the same array until it changes. */
  active(): readonly ActiveBinding[];
  /** Calls back whenever `active()` has changed. */
  subscribe(listener: () => void): () => void;
  /** Disables every binding that sends, with this reason; null enables them again. */
  setNoSending(why: string | null): void;
  /** Disables every binding that shows or copies what presenter mode hides, with this reason; null enables them again. */
  setNoExposing(why: string | null): void;
}

export function createLayers(bindings: readonly Binding[]): Layers {
  const byScope = Map.groupBy(bindings, ({ scope }) => scope);
  const listeners = new Set<() => void>();
  let open: { layer: Layer }[] = [];
  let active: readonly ActiveBinding[] | null = null;
  let noSending: string | null = null;
  let noExposing: string | null = null;

  const bindingsOf = ({ scope }: Layer): readonly Binding[] => byScope.get(scope) ?? [];

  function asked(): AskedLayer[] {
    const modal = open.findIndex(({ layer }) => layer.modal === true);
    return open.map(({ layer }, index) => ({ layer, covered: modal >= 0 && index > modal }));
  }

  function whyNot(layer: Layer, binding: Binding): string | null {
    const own = layer.disabled?.[binding.id] ?? null;
    if (own === null && layer.handlers[binding.id] === undefined) return null;
    // The reason that cannot be resolved on this screen comes first.
    const sends = binding.sends === true && layer.sendsNothing !== true;
    const why = (sends ? noSending : null) ?? (binding.exposes === true ? noExposing : null);
    return why ?? own;
  }

  function changed(): void {
    active = null;
    for (const listener of listeners) listener();
  }

  function withinReach(): readonly ActiveBinding[] {
    const found: ActiveBinding[] = [];
    const taken = new Set<string>();
    let typing = false;
    for (const { layer, covered } of asked()) {
      typing ||= !covered && layer.text !== undefined;
      const edits = !covered && layer.text !== undefined && layer.key !== undefined;
      if (edits) for (const name of EDITING_KEYS) taken.add(name);
      for (const binding of bindingsOf(layer)) {
        const disabled = whyNot(layer, binding);
        if (layer.handlers[binding.id] === undefined && disabled === null) continue;
        if (covered && binding.global !== true) continue;
        const keys = binding.keys.filter((name) => !taken.has(name) && !(typing && isPrintable(name)));
        for (const name of keys) taken.add(name);
        const label = layer.labels?.[binding.id] ?? binding.label;
        if (keys.length > 0) found.push({ binding: { ...binding, keys, label }, disabled });
      }
    }
    return found;
  }

  return {
    asked,
    bindingsOf,
    whyNot,
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
    active: () => (active ??= withinReach()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
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
  };
}

/** Named keys are words in lower case or combinations; everything else is a printable grapheme. */
function isPrintable(name: string): boolean {
  return graphemeEnd(name, 0) === name.length;
}

/** True when footer and help show the same for two layers. */
function offersSame(one: Layer, other: Layer): boolean {
  return (
    one.scope === other.scope &&
    one.level === other.level &&
    one.modal === other.modal &&
    one.sendsNothing === other.sendsNothing &&
    (one.text === undefined) === (other.text === undefined) &&
    (one.key === undefined) === (other.key === undefined) &&
    sameKeys(one.handlers, other.handlers) &&
    sameTexts(one.disabled, other.disabled) &&
    sameTexts(one.labels, other.labels)
  );
}

function sameKeys(one: object, other: object): boolean {
  const ids = Object.keys(one);
  return ids.length === Object.keys(other).length && ids.every((id) => id in other);
}

function sameTexts(one: Layer["labels"] = {}, other: Layer["labels"] = {}): boolean {
  return sameKeys(one, other) && Object.keys(one).every((id) => one[id] === other[id]);
}
