// The topic "shortcuts" of the help: the shortcuts of the console with the names that keys.yaml uses.

import type { Style } from "#src/display/style.ts";
import type { KeyRow } from "./command.ts";
import { layOut } from "./table.ts";

const HEAD = `Shortcuts of the console, with the names that keys.yaml uses

Your own shortcuts stand in keys.yaml in the configuration folder, one binding a
line, and replace the default ones:

  check.sendAnywhere: [ctrl+r, f5]

A file with a mistake is left out as a whole; this topic, the console and
"verdict doctor" name the line. Programs to run by a shortcut for the check that
is shown stand in commands.yaml. How things look stands in settings.yaml:
theme: default, high-contrast or none; ascii: true; screen_reader: true;
colors: a map of roles; quiet: auto, gray or full; notify: off, bell or osc9;
mouse: true; presenter: true.`;

/** The text of the topic. @param rows those of one group stand together */
export function shortcutsText(rows: readonly KeyRow[], style: Pick<Style, "paint" | "spoken">): string {
  const [, ...lines] = layOut(
    style,
    ["", "", ""],
    rows.map((row) => [row.id, row.shown.join(" "), what(row)]),
  );
  const listed = rows.map(({ group }, index) => {
    const heading = group === rows[index - 1]?.group ? "" : `\n${style.paint("heading", group)}\n`;
    return `${heading}  ${lines[index]!.trimEnd()}`;
  });
  return [HEAD, ...listed].join("\n");
}

function what({ label, standard }: KeyRow): string {
  return standard === null ? label : `${label} (your own; default ${standard.join(" ")})`;
}
