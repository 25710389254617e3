// The options of every command.

import { flag, oneOf, option, text } from "./option.ts";
import { THEMES } from "#src/display/style.ts";

/** Accepted before and after the command's name; hidden ones are listed in the main help alone. */
export const GLOBAL_OPTIONS = {
  profile: text(
    "<name>",
    "the profile to work with, which names a service (default: VERDICT_PROFILE, else the one in use)",
    { short: "p" },
  ),
  quiet: flag("print nothing but errors on standard error", { short: "q" }),
  input: flag("never ask: fail instead, naming the option that answers", { off: true }),
  home: text("<dir>", "keep all files under this folder (default: VERDICT_HOME, else the XDG folders)"),
  utc: flag("show times in UTC instead of this machine's time zone", { hidden: true }),
  color: option(
    oneOf("<when>", ["auto", "always", "never"]),
    "auto, always or never (default: auto, for a terminal without NO_COLOR)",
    { hidden: true, negation: "the same as --color never" },
  ),
  pager: flag("do not page long lists on a terminal (VERDICT_PAGER, PAGER, else less)", {
    off: true,
    hidden: true,
  }),
  theme: option(oneOf("<name>", THEMES), "colours of the roles (default: settings.yaml)", { hidden: true }),
  ascii: flag("draw with ASCII signs alone", { hidden: true }),
  screenReader: flag("linear text without frames, and tables one fact a line", { hidden: true }),
  presenter: flag("open the console in presenter mode, all that is personal masked", { hidden: true }),
};
