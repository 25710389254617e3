// What the shell shows, as plain data: help rows, palette entries, footer keys.

import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import { fit, widthOf } from "#src/ui/fit.ts";
import type { FooterKey } from "#src/ui/footer.tsx";
import type { Span } from "#src/ui/line.tsx";

/** Keys whose place is the right end of the footer, where they never go. */
const LAST = ["shell.help", "shell.quit"];
/** Where letters are text, the way out is another. */
const LAST_WHILE_TYPING = ["shell.interrupt"];

export interface FooterKeys {
  readonly keys: readonly FooterKey[];
  readonly last: readonly FooterKey[];
}

/** The keys that work now, the smallest rank first; of two for the same thing the higher layer's. */
export function footerKeys(active: readonly ActiveBinding[]): FooterKeys {
  const works = active.filter(({ disabled }) => disabled === null).map(({ binding }) => binding);
  const has = (id: string): boolean => works.some((binding) => binding.id === id);
  const last = LAST.some(has) ? LAST : LAST_WHILE_TYPING;
  const shown = works
    .filter((binding) => binding.footer !== undefined && !LAST.includes(binding.id))
    .filter((binding) => !LAST_WHILE_TYPING.includes(binding.id))
    .sort((one, other) => one.footer! - other.footer!);
  return {
    keys: shown.map(footerKey),
    last: last.flatMap((id) => works.filter((binding) => binding.id === id).map(footerKey)),
  };
}

function footerKey({ keys, label }: Binding): FooterKey {
  return { key: keyLabel(keys[0]!), label };
}

/**
 * The help: every group of keys with what works now marked by its reason where it does not.
 * @param first group of the screen that is shown: it comes first
 * @param active what works now
 */
export function helpRows(
  bindings: readonly Binding[],
  active: readonly ActiveBinding[],
  width: number,
): readonly (readonly Span[])[] {
  const inReach = new Set(active.map(({ binding }) => binding.group));
  const reasons = new Map(active.map(({ binding, disabled }) => [binding.id, disabled]));
  const groups = [...Map.groupBy(bindings, ({ group }) => group)];
  // What can be pressed now is what help is asked for.
  groups.sort(([one], [other]) => Number(inReach.has(other)) - Number(inReach.has(one)));
  const keyWidth = Math.min(
    24,
    bindings.reduce((most, binding) => Math.max(most, widthOf(keysText(binding))), 0),
  );
  return groups.flatMap(([group, members], index) => [
    ...(index === 0 ? [] : [[]]),
    [{ text: group, role: "heading" as const }],
    ...members.map((binding) => {
      const why = reasons.get(binding.id) ?? null;
      const label = why === null ? binding.label : `${binding.label} (${why})`;
      return [
        { text: `  ${fit(keysText(binding), keyWidth)}  `, role: "accent" as const },
        { text: fit(label, Math.max(0, width - keyWidth - 4)) },
      ];
    }),
  ]);
}

/** All keys of a binding: `j, Down`. */
export function keysText({ keys }: Binding): string {
  return keys.map(keyLabel).join(", ");
}

export interface PaletteEntry {
  readonly binding: Binding;
  /** Why it does not work now; null when it does. */
  readonly disabled: string | null;
}

/** Everything that can be done now and whose words hold the letters typed, in their order; the closest first. */
export function paletteEntries(active: readonly ActiveBinding[], typed: string): readonly PaletteEntry[] {
  const wanted = typed.trim().toLowerCase();
  const ranked = active
    .filter(({ binding }) => !binding.id.startsWith("palette.") && binding.id !== "shell.palette")
    .map((entry) => ({ entry, distance: distance(entry.binding, wanted) }))
    .filter(({ distance }) => distance !== null)
    .sort((one, other) => one.distance! - other.distance!);
  return ranked.map(({ entry }) => entry);
}

/** How far a binding is from what was typed: 0 where its label starts so, null where letters are missing. */
function distance({ label, group }: Binding, wanted: string): number | null {
  const name = label.toLowerCase();
  const at = `${name} ${group.toLowerCase()}`.indexOf(wanted);
  // What is called so comes before what merely belongs to a group of that name.
  if (at >= 0) return at < name.length ? at : FAR + at;
  let from = 0;
  for (const letter of wanted) {
    const found = name.indexOf(letter, from);
    if (found < 0) return null;
    from = found + 1;
  }
  // Letters with gaps come after everything that stands in one piece.
  return 2 * FAR + from;
}

const FAR = 1_000;
