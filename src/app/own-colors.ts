// Reads `colors:` of settings.yaml: colours of the user's own for roles of the default theme, where they can be read.

import type { Node } from "yaml";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { contrast, LEAST_CONTRAST, xtermColor } from "#src/display/contrast.ts";
import {
  ROLE_STYLE,
  type NamedColor,
  type OwnColors,
  type Role,
  type RoleStyle,
} from "#src/display/style.ts";
import { COLOR, OWN_COLORS } from "./settings-shape.ts";

/** Roles that are never in one hue: bold text is bright on many terminals. Outcomes without a verdict may share theirs. */
const VERDICTS = [["pass"], ["block"], ["challenge"], ["doubt", "fault"]] as const;

/** @throws YamlFault for an unknown role or colour, what cannot be read, and verdicts that cannot be told apart */
export function readOwnColors(source: YamlSource, node: Node | null): OwnColors {
  const given = source.map(node, "colors", OWN_COLORS);
  const own = Object.fromEntries(
    Array.from(given, ([role, value]) => [role, styleOf(source, role as Role, value)]),
  ) as OwnColors;
  const hues = new Map<string, { readonly role: Role; readonly group: readonly Role[] }>();
  for (const group of VERDICTS) {
    for (const role of group) {
      const { color = "", background = color } = own[role] ?? ROLE_STYLE[role];
      const hue = background.replace("Bright", "");
      const same = hues.get(hue);
      if (same !== undefined && same.group !== group)
        throw source.fault(node, `${same.role} and ${role} cannot be told apart: both are ${hue}`);
      hues.set(hue, { role, group });
    }
  }
  return own;
}

function styleOf(source: YamlSource, role: Role, node: Node | null): RoleStyle {
  const standard = ROLE_STYLE[role];
  const [color, background] = source.formed(node, role, COLOR).split(" on ").map(namedColor);
  // Without a ground the terminal's own counts, which is black on most.
  const ratio = contrast(xtermColor(color!), xtermColor(background ?? standard.background ?? "black"));
  if (ratio < LEAST_CONTRAST) {
    const why = `its contrast is ${ratio.toFixed(1)}, and ${LEAST_CONTRAST} is the least`;
    throw source.fault(node, `${role} cannot be read: ${why}; a ground can be named, as in black on cyan`);
  }
  return background === undefined
    ? { ...standard, color: color! }
    : { ...standard, color: color!, background, inverse: false };
}

/** Of `red`, `bright-red`. */
function namedColor(word: string): NamedColor {
  return word === "bright-black" ? "gray" : (word.replace(/^bright-(.*)/, "$1Bright") as NamedColor);
}
