// Reads the names of keys as a user writes them; refuses keys that a terminal cannot tell apart.

/** Keys that text fields with a `key` hook use for themselves; bindings below do not get them. */
export const EDITING_KEYS: ReadonlySet<string> = new Set(
  (
    "left right home end backspace delete ctrl+a ctrl+b ctrl+d ctrl+e ctrl+f ctrl+k ctrl+u ctrl+w ctrl+y ctrl+_ " +
    "alt+b alt+d alt+f alt+r alt+u alt+left alt+right alt+backspace ctrl+left ctrl+right ctrl+delete"
  ).split(" "),
);

const CURSOR = ["up", "down", "left", "right", "home", "end"];
const NUMBERED = ["insert", "delete", "pageup", "pagedown"];
const FUNCTIONS = Array.from({ length: 12 }, (_, index) => `f${index + 1}`);
const SINGLE = ["enter", "esc", "tab", "backspace", ...CURSOR, ...NUMBERED, ...FUNCTIONS];

/** Keys that arrive as another key on every terminal. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["ctrl+i", "tab"],
  ["ctrl+j", "enter"],
  ["ctrl+m", "enter"],
  ["ctrl+h", "backspace"],
  ["ctrl+[", "esc"],
]);

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["escape", "esc"],
  ["return", "enter"],
  ["del", "delete"],
  ["ins", "insert"],
  ["pgup", "pageup"],
  ["pgdn", "pagedown"],
  ["pgdown", "pagedown"],
  ["space", " "],
]);

/** Modifiers in the order of the names that the parser gives. */
const MODIFIERS = ["ctrl", "alt", "shift"] as const;

/** The name that the parser gives to a key, or the reason why there is none, as the end of a sentence. */
export type KeyNameReading = { readonly name: string } | { readonly problem: string };

/** Reads `Ctrl-R`, `ctrl+r`, `PgDn`, `f5`, `space`, or a single printable character such as `G` or `?`. */
export function readKeyName(written: string): KeyNameReading {
  if (written.length === 1 && /[\p{L}\p{N}\p{P}\p{S} ]/u.test(written)) return { name: written };
  // A minus or plus at the end is the key itself.
  const parts = written
    .toLowerCase()
    .split(/[+-](?!$)/)
    .map((part) => OTHER_WORDS.get(part) ?? part);
  const key = parts.at(-1)!;
  const held = parts.slice(0, -1);
  if (held.some((part) => !(MODIFIERS as readonly string[]).includes(part))) return unknownKey(written);
  const name = [
    ...MODIFIERS.filter((each) => held.includes(each)),
    key === " " && held.length > 0 ? "space" : key,
  ].join("+");
  const same = SAME.get(name);
  if (same !== undefined) return { problem: `terminals send ${same} for "${written}"; write ${same}` };
  return name === " " || isKnown(name) ? { name } : unknownKey(written);
}

function unknownKey(written: string): KeyNameReading {
  return {
    problem: `no terminal sends a key "${written}"; write a single character, or a name such as ctrl+r, f5, enter, pagedown or alt+b`,
  };
}

function isKnown(name: string): boolean {
  if (SINGLE.includes(name) || EDITING_KEYS.has(name) || name === "shift+tab") return true;
  if (name === "ctrl+space" || /^ctrl\+[a-z\\\]^_]$/.test(name)) return true;
  const key = name.slice(name.lastIndexOf("+") + 1);
  return name.includes("+") && [...CURSOR, ...NUMBERED, ...FUNCTIONS].includes(key);
}
