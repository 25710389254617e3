// The shape of settings.yaml, by which it is read and its JSON Schema is written.

import { becomes, choice, flag, map, optional, or, type Of } from "#src/contract/text/shape.ts";
import { THEMES } from "#src/display/style.ts";
import { OWN_COLORS } from "./own-colors.ts";

/** What is missing without a default, the terminal and the environment decide. */
export const SETTINGS = becomes(
  map(
    {
      theme: or(choice(THEMES, "Colours; none uses signs and words alone."), "default"),
      ascii: optional(flag("Draws with ASCII alone.")),
      screen_reader: optional(flag("Writes lines that a screen reader can follow.")),
      colors: or(OWN_COLORS, {}),
      notify: or(
        choice(["off", "bell", "osc9"], "How the console notifies you when a long task ends."),
        "off",
      ),
      /** Bright black, the terminal's own ink, or by the contrast of its bright black. */
      quiet: or(choice(["auto", "gray", "full"], "The colour of labels and frames."), "auto"),
      mouse: or(flag("The console handles clicks and the wheel; hold Shift to select text."), false),
      presenter: or(flag("The console opens in presenter mode."), false),
    },
    "How verdict looks.",
  ),
  ({ screen_reader: screenReader, ...settings }) => ({ ...settings, screenReader }),
);

export type Settings = Of<typeof SETTINGS>;
