// `colors:` of settings.yaml: colours of the user's own for roles of the default theme, where they can be read.

import {
  becomes,
  formed,
  map,
  optional,
  Wrong,
  type Optional,
  type Shape,
} from "#src/contract/text/shape.ts";
import { contrast, LEAST_CONTRAST, xtermColor } from "#src/display/contrast.ts";
import {
  NAMED_COLORS,
  ROLE_STYLE,
  type NamedColor,
  type OwnColors,
  type Role,
  type RoleStyle,
} from "#src/display/style.ts";

const HUES = NAMED_COLORS.slice(0, 8);
const HUE = `(?:bright-)?(?:${HUES.join("|")})`;
const COLOR = formed(
  new RegExp(`^${HUE}(?: on ${HUE})?$`),
  `one of ${HUES.join(", ")}, also as bright-red, or a pair: black on cyan`,
);

/** Roles that are never in one hue: bold text is bright on many terminals. Outcomes without a verdict may share theirs. */
const VERDICTS = [["pass"], ["block"], ["challenge"], ["doubt", "fault"]] as const;

/** The red of LIVE is no matter of taste. */
const ROLES = (Object.keys(ROLE_STYLE) as Role[]).filter((role) => role !== "live");

/** Refuses what cannot be read, and verdicts that cannot be told apart. */
export const OWN_COLORS = becomes(
  map(
    Object.fromEntries(ROLES.map((role) => [role, optional(styleOf(role))])) as Record<
      Exclude<Role, "live">,
      Shape<RoleStyle> & Optional
    >,
    "Colours of your own for roles of the default theme, in the console.",
  ),
  (own: OwnColors, place) => {
    const hues = new Map<string, { readonly role: Role; readonly group: readonly Role[] }>();
    for (const group of VERDICTS) {
      for (const role of group) {
        const { color = "", background = color } = own[role] ?? ROLE_STYLE[role];
        const hue = background.replace("Bright", "");
        const same = hues.get(hue);
        if (same !== undefined && same.group !== group)
          throw place.fault(`${same.role} and ${role} cannot be told apart: both are ${hue}`);
        hues.set(hue, { role, group });
      }
    }
    return own;
  },
);

function styleOf(role: Role): Shape<RoleStyle> {
  return becomes(COLOR, (written) => {
    const standard = ROLE_STYLE[role];
    const [color, background] = written.split(" on ").map(namedColor);
    // Without a ground the terminal's own counts, which is black on most.
    const ratio = contrast(xtermColor(color!), xtermColor(background ?? standard.background ?? "black"));
    if (ratio < LEAST_CONTRAST) {
      const why = `its contrast is ${ratio.toFixed(1)}, and the minimum is ${LEAST_CONTRAST}`;
      return new Wrong(`cannot be read: ${why}; add a background colour, for example black on cyan`);
    }
    return background === undefined
      ? { ...standard, color: color! }
      : { ...standard, color: color!, background, inverse: false };
  });
}

/** Of `red`, `bright-red`. */
function namedColor(word: string): NamedColor {
  return word === "bright-black" ? "gray" : (word.replace(/^bright-(.*)/, "$1Bright") as NamedColor);
}
