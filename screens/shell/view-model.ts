// What the shell shows, as plain data: help rows, palette entries, footer keys.

import { keyLabel, type Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/layers.ts";
import { isMotion } from "#src/keys/move-commands.ts";
import type { Verb } from "#src/state/look.ts";
import { NO_LINE, type LineForm, type TypedLine } from "#src/contract/records/typed-line.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import { MARKS_LEGEND } from "#src/ui/marks.ts";
import { VERDICT_KINDS, VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import { fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import type { FooterKey } from "#src/ui/footer.tsx";
import { fuzzyMatch, GAPS } from "#src/ui/fuzzy.ts";
import type { Span } from "#src/ui/line.tsx";
import { hangingRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

/** Keys at the right end of the footer, which are always shown. */
const LAST = ["shell.help", "shell.quit"];
/** In a text field, where letters are text. */
const LAST_WHILE_TYPING = ["shell.interrupt"];

export interface FooterKeys {
  readonly keys: readonly FooterKey[];
  readonly last: readonly FooterKey[];
  readonly isQuestion?: true;
}

/** The keys that can be used now, by rank and then by layer, the highest first. */
export function footerKeys(active: readonly ActiveBinding[]): FooterKeys {
  const works = active.filter(({ disabled }) => disabled === null).map(({ binding }) => binding);
  const has = (id: string): boolean => works.some((binding) => binding.id === id);
  const answers = works.filter((binding) => binding.answers === true);
  // The harmless answer is never cut.
  const none = answers.filter(({ keys }) => keys.includes("esc")).map(({ id }) => id);
  const last = LAST.some(has) ? LAST : none.length > 0 ? none : LAST_WHILE_TYPING;
  const shown = (answers.length > 0 ? answers : works)
    .filter((binding) => binding.footer !== undefined && !last.includes(binding.id))
    .filter((binding) => !LAST_WHILE_TYPING.includes(binding.id))
    .sort((one, other) => one.footer! - other.footer!);
  return {
    keys: shown.map(footerKey),
    last: last.flatMap((id) => works.filter((binding) => binding.id === id).map(footerKey)),
    ...(answers.length > 0 ? { isQuestion: true } : {}),
  };
}

function footerKey({ keys, label }: Binding): FooterKey {
  return { key: keyLabel(keys[0]!), label };
}

/**
 * The help: every group of keys, those that can be used now first, disabled ones with the reason, then those of elsewhere.
 * @param active the bindings that can be used now
 * @param notes stand between the two
 */
export function helpRows(
  bindings: readonly Binding[],
  active: readonly ActiveBinding[],
  width: number,
  notes: readonly Row[] = [],
): readonly Row[] {
  // The layer on top first: its keys are those of what is seen.
  const inReach = [...new Set(active.map(({ binding }) => binding.group))];
  const rank = (group: string): number => (inReach.includes(group) ? inReach.indexOf(group) : inReach.length);
  const reasons = new Map(active.map(({ binding, disabled }) => [binding.id, disabled]));
  const groups = [...Map.groupBy(bindings, ({ group }) => group)];
  groups.sort(([one], [other]) => rank(one) - rank(other));
  const keyWidth = Math.min(
    Math.floor(width / 3),
    24,
    bindings.reduce((most, binding) => Math.max(most, widthOf(keysText(binding))), 0),
  );
  const elsewhere = groups.findIndex(([group]) => !inReach.includes(group));
  return groups.flatMap(([group, members], index) => [
    ...(index === 0 ? [] : [[]]),
    ...(index === elsewhere ? notes : []),
    [{ text: inReach.includes(group) ? group : `Elsewhere: ${group}`, role: "heading" as const }],
    // What could be used now comes first.
    ...members
      .toSorted((one, other) => Number(reasons.has(other.id)) - Number(reasons.has(one.id)))
      .map((binding) => {
        const why = reasons.get(binding.id) ?? null;
        const label = why === null ? binding.label : `${binding.label} (${why})`;
        return [
          { text: `  ${fit(keysText(binding), keyWidth)}  `, role: "heading" as const },
          { text: fit(label, Math.max(0, width - keyWidth - 4)) },
        ];
      }),
  ]);
}

/** What verdicts, bars and marks mean, and how history is filtered; each with its heading and a blank row behind it. */
export function helpNotes(width: number, theme: Theme): readonly Row[] {
  const note = (sign: Span, text: string): Row[] =>
    hangingRows({ fixed: [{ text: "  " }, { ...sign, text: fit(sign.text, 13) }], text }, width);
  const bar = (["heavy", "horizontal", "now", "beyond"] as const).map(theme.sign).join("  ");
  return [
    [{ text: "Signs", role: "heading" }],
    ...VERDICT_KINDS.flatMap((kind) => note(verdictSpan(kind, theme.ascii), VERDICTS[kind].reaction)),
    ...note(
      { text: bar },
      "The filled part; the empty part; a limit or the present time; a value beyond the scale.",
    ),
    ...note({ text: "2x & ? =" }, `${MARKS_LEGEND.replaceAll("  ", "; ")}.`),
    [],
    [{ text: "Filter", role: "heading" }],
    ...FILTER_NOTES.replace("Filter: t", "T")
      .split("\n")
      .flatMap((line): Row[] =>
        line.startsWith(" ")
          ? hangingRows(
              { fixed: [{ text: line.slice(0, FILTER_TERM) }], text: line.slice(FILTER_TERM) },
              width,
            )
          : wrapWords(line, width).map((text) => [{ text }]),
      ),
    [],
  ];
}

/** Columns of a term in the notes about the filter. */
const FILTER_TERM = 23;

/** The bindings with the letters typed in what they do, where, or in the name of a key; the closest first, a row each. */
export function foundKeys(
  bindings: readonly Binding[],
  typed: string,
  width: number,
): readonly (readonly Span[])[] {
  const wanted = typed.trim().toLowerCase();
  const keyWidth = Math.min(24, Math.floor(width / 3));
  return bindings
    .flatMap((binding) => {
      const isKey = binding.keys.some(
        (key) => key === typed.trim() || (key.length > 1 && keyLabel(key).toLowerCase() === wanted),
      );
      const far = isKey ? -1 : distance(binding, wanted);
      return far === null ? [] : [{ binding, far }];
    })
    .sort((one, other) => one.far - other.far)
    .map(({ binding }) => [
      { text: `  ${fit(keysText(binding), keyWidth)}  `, role: "heading" },
      { text: `${fit(binding.label, LABEL)}  ` },
      { text: binding.group, role: "quiet" },
    ]);
}

/** Columns of what a key does, where it is followed by something. */
const LABEL = 28;

/** All keys of a binding: `j, Down`. */
export function keysText({ keys }: Binding): string {
  return keys.map(keyLabel).join(", ");
}

export interface KeyEntry {
  readonly kind: "key";
  readonly binding: Binding;
  /** Why it does not work now; null when it does. */
  readonly disabled: string | null;
}

/** A command line; with a blank at its end it is only begun. */
export interface LineEntry extends LineForm {
  readonly kind: "line";
}

export interface VerbEntry {
  readonly kind: "verb";
  readonly verb: Verb;
}

export type PaletteEntry = KeyEntry | VerbEntry | LineEntry;

/** What the palette finds besides keys. */
export interface Findable {
  readonly verbs: readonly Verb[];
  /** What a typed text means as a command line. */
  read(text: string): TypedLine;
  /** Lines that end with a name. */
  readonly named: readonly LineForm[];
  /** Offered in place of everything. */
  readonly prepared: readonly LineForm[];
}

const NOTHING_FOUND: Findable = {
  verbs: [],
  read: () => NO_LINE,
  named: [],
  prepared: [],
};

/**
 * The entries for the typed text: keys and verbs with it in their names, the command line that it is, lines that begin
 * with it, keys and verbs with its letters, and then lines that contain its words.
 */
export function paletteEntries(
  active: readonly ActiveBinding[],
  typed: string,
  found: Findable = NOTHING_FOUND,
): readonly PaletteEntry[] {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const { verbs, prepared, named } = found;
  const { words, usage, refusal, next } = found.read(typed);
  const meant: LineForm[] = words === null ? [] : [{ text: typed.trim(), about: usage ?? "" }];
  const begun = text === "" ? [] : [...next, ...named];
  const all = prepared.length > 0 ? prepared : found.read("").next;
  const others = all.filter((form) => hasWords(form, text) && !begun.some((each) => each.text === form.text));
  const keys = prepared.length > 0 ? [] : ranked(active, verbs, text);
  const [called, rest] = [
    keys.filter(({ distance }) => distance < GAPS / 2),
    keys.filter(({ distance }) => distance >= GAPS / 2),
  ];
  const first = refusal === null ? [...meant, ...begun] : [];
  const last = refusal === null ? others : [...meant, ...others];
  return [
    ...called.map(({ entry }) => entry),
    ...first.map(lineEntry),
    ...rest.map(({ entry }) => entry),
    ...last.map(lineEntry),
  ];
}

function lineEntry(form: LineForm): LineEntry {
  return { kind: "line", ...form };
}

function hasWords({ text, about }: LineForm, typed: string): boolean {
  const words = `${text} ${about.toLowerCase()}`;
  return typed.split(" ").every((word) => words.includes(word));
}

const ANY_LINE =
  "Letters of a name, or a command line such as history --limit 5; on the sandbox also clock +24h, faults 503 x5.";

/** The hint below the typed text: how the command is used or why it is not run, or what may be typed. */
export function paletteHint(typed: string, { refusal, usage }: TypedLine): string | null {
  if (typed.trim() === "") return ANY_LINE;
  return refusal ?? usage;
}

/** The bindings that can be used now, and the verbs, whose words contain the letters typed; the closest first. */
function ranked(
  active: readonly ActiveBinding[],
  verbs: readonly Verb[],
  wanted: string,
): readonly { readonly entry: KeyEntry | VerbEntry; readonly distance: number }[] {
  const keys = active.filter(
    ({ binding }) =>
      !binding.id.startsWith("palette.") && binding.id !== "shell.palette" && !isMotion(binding),
  );
  return [
    ...keys.map((each) => ({ entry: { kind: "key" as const, ...each }, words: each.binding })),
    ...verbs.map((verb) => ({ entry: { kind: "verb" as const, verb }, words: verb })),
  ]
    .flatMap(({ entry, words }) => {
      const far = distance(words, wanted);
      return far === null ? [] : [{ entry, distance: far }];
    })
    .sort((one, other) => one.distance - other.distance);
}

/** How far a binding or verb is from what was typed: 0 where its label starts so, null where letters are missing. */
function distance(
  { label, group, also = "" }: Pick<Binding, "label" | "group" | "also">,
  wanted: string,
): number | null {
  // A label with that name comes before a group with that name.
  const at = `${label} ${group} ${also}`.toLowerCase().indexOf(wanted);
  if (at >= label.length) return GAPS / 2 + at;
  return fuzzyMatch(label, wanted)?.distance ?? null;
}
