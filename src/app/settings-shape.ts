// The shape of settings.yaml, by which it is read and its JSON Schema is written.

import { choice, flag, formed, mapRequiring, type Shape, type Shapes } from "#src/contract/text/shape.ts";
import { NAMED_COLORS, ROLE_STYLE, THEMES, type Role } from "#src/display/style.ts";

const HUES = NAMED_COLORS.slice(0, 8);
const HUE = `(?:bright-)?(?:${HUES.join("|")})`;

export const COLOR = formed(
  new RegExp(`^${HUE}(?: on ${HUE})?$`),
  `one of ${HUES.join(", ")}, also as bright-red, or a pair: black on cyan`,
);

/** The red of LIVE is no matter of taste. */
const ROLES = (Object.keys(ROLE_STYLE) as Role[]).filter((role) => role !== "live");

export const OWN_COLORS = mapRequiring(
  Object.fromEntries(ROLES.map((role) => [role, COLOR])) as Shapes as Record<Exclude<Role, "live">, Shape>,
  [],
  "Colours of your own for roles of the default theme, in the console.",
);

export const SETTINGS = mapRequiring(
  {
    theme: choice(THEMES, "Colours; none uses signs and words alone."),
    ascii: flag("Draws with ASCII alone."),
    screen_reader: flag("Writes lines that a screen reader can follow."),
    colors: OWN_COLORS,
    notify: choice(["off", "bell", "osc9"], "How the console calls you back; off unless told."),
    quiet: choice(["auto", "gray", "full"], "The ink of labels and frames; auto unless told."),
    mouse: flag("Clicks and the wheel are for the console; the terminal then selects with Shift."),
    presenter: flag("The console opens in presenter mode."),
  },
  [],
  "How verdict looks.",
);
