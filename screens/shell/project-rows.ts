// The list of projects to switch to, as rows. Pure.

import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import type { ProjectState } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Audience } from "#src/display/audience.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay } from "#src/display/time.ts";
import type { ProjectChoice } from "#src/state/register/project-switch.ts";
import { fit, fitTail } from "#src/ui/fit.ts";
import { fuzzyMatch } from "#src/ui/fuzzy.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, fitRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

/** A project whose name has the letters that were typed, and where they stand in it. */
export interface FoundProject {
  readonly choice: ProjectChoice;
  /** Its key as it may be seen. */
  readonly name: string;
  readonly letters: readonly number[];
}

/** The projects with the letters typed, the closest first; all in their order where nothing is typed. */
export function foundProjects(
  choices: readonly ProjectChoice[],
  typed: string,
  shown: Audience["shown"],
): readonly FoundProject[] {
  return choices
    .flatMap((choice) => {
      const { key: name } = shown(choice);
      const match = fuzzyMatch(name, typed);
      return match === null ? [] : [{ choice, name, ...match }];
    })
    .sort((one, other) => one.distance - other.distance);
}

const RISK = 6;
const CURRENCY = 8;
const USED = 9;
const CREDENTIAL = 16;
const GAP = "  ";
/** Width from which there is a column for the credential. */
const WITH_CREDENTIAL = 70;

const CREDENTIAL_WORD: Readonly<Record<ProjectState, string>> = {
  registering: "not fetched yet",
  registered: "not fetched yet",
  unknown: "not fetched yet",
  ready: "in the vault",
  removed: "removed",
  closed: "window closed",
  refused: "refused",
};

export interface ProjectRowOptions {
  readonly width: number;
  readonly theme: Theme;
  /** Local time, in ms since the epoch. */
  readonly now: Milliseconds;
}

/** The column headings. */
export function projectHeadRow(options: ProjectRowOptions): Row {
  const texts = [fit("Project", keyWidth(options.width)), "Risk", "Currency", "Last used", "Credential"];
  return row([{ text: fit("", AXIS) }], texts, "quiet", options);
}

/** One project: key, risk level, currency, last use, credential. */
export function projectChoiceRow(found: FoundProject, options: ProjectRowOptions): Row {
  const { choice, name, letters } = found;
  const { width, theme, now } = options;
  const { currency, usedAt, project, ready, riskLevel } = choice;
  const role = ready ? null : "quiet";
  const texts = [
    riskLevel,
    (currency === null ? null : currencyLetters(currency)) ?? "-",
    usedAt === null ? "never" : formatClockOrDay(usedAt, now),
    CREDENTIAL_WORD[ready || project === null ? "ready" : project.state],
  ];
  const key = keySpans(name, letters, keyWidth(width), role, theme);
  return row([{ text: fit("", AXIS) }, ...key], ["", ...texts], role, options);
}

function keyWidth(width: number): number {
  const others = [RISK, CURRENCY, USED, ...(width >= WITH_CREDENTIAL ? [CREDENTIAL] : [])];
  return Math.min(46, width - AXIS - others.reduce((sum, each) => sum + each + GAP.length, 0) - 1);
}

function row(head: Row, texts: readonly string[], role: Role | null, options: ProjectRowOptions): Row {
  const { width, theme } = options;
  const [first = "", risk = "", currency = "", used = "", credential = ""] = texts;
  const columns = [
    fit(risk, RISK),
    fit(currency, CURRENCY),
    fit(used, USED),
    ...(width >= WITH_CREDENTIAL ? [fit(credential, CREDENTIAL)] : []),
  ];
  return fitRow([...head, { text: [first, ...columns].join(GAP), role }], width, theme);
}

/** The key with the found letters in bold; one that has to be cut loses its beginning, and the letters are not marked. */
function keySpans(
  key: string,
  letters: readonly number[],
  width: number,
  role: Role | null,
  theme: Theme,
): Span[] {
  const shown = safe(key);
  const text = fitTail(shown, width, theme.sign("ellipsis"));
  if (shown !== key || !text.startsWith(shown) || letters.length === 0) return [{ text, role }];
  return Array.from(text, (letter, index) => ({
    text: letter,
    role: letters.includes(index) ? "heading" : role,
  }));
}
