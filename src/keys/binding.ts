// One key of the console as data. Footer, help, palette and the documented table are all made from these.

/** What a key does, where. */
export interface Binding {
  /** Stable name, such as `check.send`; a layer says under this name what happens. */
  readonly id: string;
  /** Key names (`ctrl+r`, `pagedown`), or single printable graphemes such as `j`, `G`, `?`. */
  readonly keys: readonly string[];
  /** The layers it belongs to are those that are open under this name. */
  readonly scope: string;
  /** What it does, in a word or two. */
  readonly label: string;
  /** Heading in the help. */
  readonly group: string;
  /** Place in the footer, smaller is earlier; without it the footer does not show it. */
  readonly footer?: number;
  /** Works below modal layers as well: leaving and suspending. */
  readonly global?: true;
  /** Counts only if its key comes by itself, and not in one chunk with others: for what cannot be undone. */
  readonly alone?: true;
  /** Sends something to the service: refused while nothing may be sent. */
  readonly sends?: true;
  /** Shows or copies what presenter mode hides: refused while that is on. */
  readonly exposes?: true;
  /** Opens a text field: what follows the key in one chunk is typed ahead, and no paste. */
  readonly opensText?: true;
}

/** Two or more bindings of one scope that ask for the same key. */
export interface Collision {
  readonly scope: string;
  readonly key: string;
  readonly ids: readonly string[];
}

/** Every key that more than one binding of the same scope asks for, in the order of the table. */
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

/** A key as a person knows it: `ctrl+r` is `Ctrl-R`, `pagedown` is `PgDn`, `G` stays `G`. */
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
