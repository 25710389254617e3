// The texts of "verdict help TOPIC", at most 80 columns wide.

import { MAGIC_VALUES } from "#src/contract/wire/magic-order.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import type { Style } from "#src/display/style.ts";
import type { KeyRow } from "./command.ts";
import { EXIT_MEANINGS } from "./exit-code.ts";
import { GLOBAL_OPTIONS } from "./option-specs.ts";
import { flagsOf } from "./option.ts";
import { shortcutsText } from "./shortcuts.ts";
import { wrapped } from "./table.ts";

/** Exit codes and their meanings, as lines. */
export const EXIT_NOTES = `Exit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`).join("\n")}`;

const CONSOLE = `The console, for users of lazygit or k9s

  you look for                   here it is
  move, page, first, last        j k or arrows, Ctrl-D Ctrl-U or PgDn PgUp, g G
  panels by number               1 to 9: the screens
  next and previous field, tab   Tab and Shift-Tab; Left and Right in details
  the list beside the form       j k g G PgDn PgUp on Check go to its history:
                                 Enter opens a check there, Esc goes back
  one pane alone                 + until the pane is alone, and + again until
                                 all are back
  open, and back                 Enter and Esc; Esc destroys nothing typed
  what works here                ? or F1; the footer shows what works now
  commands by name               : and a few letters; : and a command line, such
                                 as :history --limit 5
  filter, and the last filters   /, on History then Up; there, and in a run, it
                                 is the language of "verdict help filter", and
                                 words elsewhere
  what to do with the thing      the footer names its keys; x on Vault lists
  that is selected               command lines for all of it
  my own editor                  e on a payload, the library, and the rules
  copy                           y on Check and History: ids, reason, JSON; Y on
                                 Check: as curl, without the secret; y on Vault:
                                 a secret
  mark and compare (diff)        m marks; then c on History, Enter on Replay
  many at once                   R on History sends what is filtered again
  undo                           u after a load, and after a change of labels;
                                 Ctrl-_ and Alt-R in a field
  refresh                        nothing: what another session changes is seen
                                 within a second
  stop something long            Esc, or Ctrl-C once
  my own keys, and colours       "verdict help shortcuts"
  my own commands (plugins)      commands.yaml: programs for the check shown
  present it to others           p masks everything personal; 6 plays a deck
  suspend, and quit              Ctrl-Z; q outside text fields, Ctrl-C anywhere
  the mouse                      stays with your terminal; with "mouse: true" in
                                 settings.yaml a click selects

Letters are commands outside text fields only. On Check, Enter sends while the
pointer is on Send, and Ctrl-R sends from everywhere.`;

const FILES = `Where the files live

  $XDG_CONFIG_HOME/verdict   profiles, recipes, keys.yaml, commands.yaml,
                             settings.yaml
  $XDG_DATA_HOME/verdict     vault, projects, payloads, import maps,
                             history, runs
  $XDG_STATE_HOME/verdict    the key of the vault, the sandbox's state, its log
  VERDICT_HOME or --home     one folder for all three
  VERDICT_PROFILE            the profile, where --profile names none
  VERDICT_PAGER              what shows long texts by the page, before PAGER
  VERDICT_SERVE_...          options of "verdict serve": VERDICT_SERVE_PORT=8787
  VERDICT_ADMIN, ..._TENANT  what "verdict sandbox" administers; see its help

Where no XDG variable is set and no such folder is there yet, one folder holds
all three on macOS (~/Library/Application Support/verdict) and on Windows
(%LOCALAPPDATA%\\verdict).
If HOME is empty or relative and these variables are not set, commands that
store nothing still work, and all others are refused.

Folders are 0700 and files 0600, regardless of the umask. Secrets are sealed in
the vault and nowhere else; "verdict doctor" checks modes, and says what could
leak.
Payloads and recipes are plain files that suit version control. To move the
vault to another machine use "verdict vault export"; never copy its folder.`;

const OPTIONS = `Options of every command, before or after its name

${Object.entries(GLOBAL_OPTIONS)
  .map(([name, spec]) => `  ${flagsOf(name, spec)}\n      ${spec.help}`)
  .join("\n")}
  -h, --help
      explain the command`;

const MAGIC_ORDERS = `Order ids that force an answer of the sandbox

${MAGIC_VALUES.flatMap(({ prefix, what }) => wrapped(`  ${prefix}...`.padEnd(22), what.split(" "), 80, " ")).join("\n")}

An amount never forces anything: every amount is a possible payment. A sandbox
that was started with --no-magic treats these order ids like any other; "verdict
sandbox status" says so.

  verdict check p.json --set order_id=force-block-1
      a block, regardless of the rules
  verdict check p.json --set order_id=force-truncated-1
      an unknown outcome: exit 6`;

/** A text, or what makes it of the shortcuts of a user. */
export type Topic = string | ((rows: readonly KeyRow[], style: Pick<Style, "paint" | "spoken">) => string);

/** By name; each text ends without a line feed. */
export const TOPICS = {
  console: CONSOLE,
  "exit-codes": EXIT_NOTES,
  files: FILES,
  filter: FILTER_NOTES,
  "magic-orders": MAGIC_ORDERS,
  options: OPTIONS,
  shortcuts: shortcutsText,
} satisfies Readonly<Record<string, Topic>>;
