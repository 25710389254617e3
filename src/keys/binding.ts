// A key binding as data: footer, help, palette and the documented table are generated from the bindings.

/** What a key does in a scope. */
export interface Binding {
  /** Stable name, such as `check.send`; the layer maps it to a handler. */
  readonly id: string;
  /** Key names (`ctrl+r`, `pagedown`), or single printable graphemes such as `j`, `G`, `?`. */
  readonly keys: readonly string[];
  /** Name of the layers that it belongs to. */
  readonly scope: string;
  /** What it does, in a word or two. */
  readonly label: string;
  /** Other words by which the palette and the help find it. */
  readonly also?: string;
  /** Heading in the help. */
  readonly group: string;
  /** Place in the footer, smaller is earlier; without it the footer does not show it. */
  readonly footer?: number;
  /** Works below modal layers as well: leaving and suspending. */
  readonly global?: true;
  /** Ignored when its key arrives in one chunk with others: for what cannot be undone. */
  readonly alone?: true;
  /** Answers a question: while it works, the footer holds answers alone. */
  readonly answers?: true;
  /** Sends something to the service: refused while nothing may be sent. */
  readonly sends?: true;
  /** Shows or copies what presenter mode hides: refused while that is on. */
  readonly exposes?: true;
  /** Opens a text field: text that follows the key in one chunk is typed ahead and is not a paste. */
  readonly opensText?: true;
}

/** Two or more bindings of one scope with the same key. */
export interface Collision {
  readonly scope: string;
  readonly key: string;
  readonly ids: readonly string[];
}

/** Every key that more than one binding of the same scope has, in the order of the table. */
export function findCollisions(bindings: readonly Binding[]): Collision[] {
  const asked = new Map<string, { scope: string; key: string; ids: string[] }>();
  for (const { id, keys, scope } of bindings) {
    for (const key of keys) {
      const place = `${scope}\n${key}`;
      const known = asked.get(place);
      if (known === undefined) asked.set(place, { scope, key, ids: [id] });
      else known.ids.push(id);
    }
  }
  return [...asked.values()].filter(({ ids }) => ids.length > 1);
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ["enter", "Enter"],
  ["esc", "Esc"],
  ["tab", "Tab"],
  ["up", "Up"],
  ["down", "Down"],
  ["left", "Left"],
  ["right", "Right"],
  ["home", "Home"],
  ["end", "End"],
  ["pageup", "PgUp"],
  ["pagedown", "PgDn"],
  ["backspace", "Backspace"],
  ["delete", "Del"],
  ["insert", "Ins"],
  ["space", "Space"],
  [" ", "Space"],
  ["shift", "Shift"],
  ["ctrl", "Ctrl"],
  ["alt", "Alt"],
]);

/** Names keys in sentences: takes the id of a binding and returns the label of its first key. */
export function keyNames(bindings: readonly Binding[]): (id: string) => string {
  const names = new Map(bindings.map(({ id, keys }) => [id, keyLabel(keys[0]!)]));
  return (id) => names.get(id) ?? id;
}

/** The label of a key: `ctrl+r` is `Ctrl-R`, `pagedown` is `PgDn`, `G` stays `G`. */
export function keyLabel(name: string): string {
  const label = LABELS.get(name);
  if (label !== undefined) return label;
  if (/^f\d+$/.test(name)) return name.toUpperCase();
  const plus = name.indexOf("+");
  // `+` alone is a key of its own, and `ctrl+` never comes without one.
  if (plus <= 0) return name;
  const rest = name.slice(plus + 1);
  return `${keyLabel(name.slice(0, plus))}-${rest.length === 1 ? rest.toUpperCase() : keyLabel(rest)}`;
}
