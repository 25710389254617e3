// The way of the selected project to its credential as rows: what is left in big digits, the wait and the 24 hours as bars, the steps.

import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import { isRegisteredHere, windowEnd, windowStart } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClock, formatCountdown, formatDateTime, formatMoment } from "#src/display/time.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { FetchProgress } from "#src/state/register/credential-fetches.ts";
import type { ProjectWindow } from "#src/state/register/project-window.ts";
import { bigText, bigTextWidth, halfText } from "#src/ui/big-text.ts";
import { widthOf, wrapWords } from "#src/ui/fit.ts";
import { timeBar } from "#src/ui/gauge.ts";
import { AXIS, besideRows, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { lastCheckRow, PHASE_WORD, type ProjectRenderOptions, type Standing } from "./project-rows.ts";

/** Fewest columns of what stands beside the digits. */
const FACTS_LEAST = 30;
const GAP = 1;
/** Longest bar. */
const BAR = 48;
/** Width from which the headline is a sentence. */
const WIDE = 44;
/** Rows with the digits above the facts. */
export const PICTURE_ROWS = 14;

/** The digits, the bars and the steps; from `PICTURE_ROWS` on the digits may be above the rest. */
export function countdownRows(
  standing: Standing,
  width: number,
  height: number,
  options: ProjectRenderOptions,
): Row[] {
  const { window, now } = standing;
  const steps = stepRows(standing, width, options);
  if (window === null || now === null || window.phase === "closed") return steps;
  const { theme } = options;
  const facts = (room: number): Row[] => factRows(standing, window, now, room, options);
  const digits = formatCountdown(window.untilRecommended > 0 ? window.untilRecommended : window.untilClosed);
  const { role } = PHASE_WORD[window.phase];
  const drawn = pictureOf(digits, width - AXIS, height, theme).map((text): Row => [{ text, role }]);
  const [first] = drawn;
  if (first === undefined) return [...facts(width), ...steps];
  const taken = AXIS + first[0]!.text.length;
  const indented = drawn.map((row): Row => [{ text: " ".repeat(AXIS) }, ...row]);
  const beside = width - taken - GAP;
  if (beside < FACTS_LEAST)
    return [[], ...indented, [], ...facts(width), [], ...steps].map((row) => fitRow(row, width, theme));
  const columns = [
    { rows: indented, width: taken },
    { rows: facts(beside), width: beside },
  ];
  return [...besideRows(columns, GAP, theme), ...steps];
}

/** The widest picture of the digits that leaves room for the facts beside it or below; none where there is none. */
function pictureOf(digits: string, width: number, height: number, theme: Theme): string[] {
  if (theme.ascii === "words") return [];
  const isHigh = height >= PICTURE_ROWS;
  if (isHigh && bigTextWidth(digits, 2) <= width) return bigText(digits, 2, theme.sign("barFull"));
  const facts = isHigh ? 0 : GAP + FACTS_LEAST;
  if (bigTextWidth(digits, 1) + facts > width) return [];
  return theme.ascii === true ? bigText(digits, 1, theme.sign("barFull")) : halfText(digits);
}

/** What the digits count to, the wait or the 24 hours as a bar, and when those are over. */
function factRows(
  { project }: Standing,
  window: ProjectWindow,
  now: number,
  width: number,
  { theme, waitMs }: ProjectRenderOptions,
): Row[] {
  const { phase, untilRecommended, untilClosed, recommendedAt } = window;
  const { role, text } = PHASE_WORD[phase];
  const isUrgent = phase === "soon" || phase === "last_minutes";
  const waits = untilRecommended > 0;
  const headline = waits
    ? `${width < WIDE ? "Credential" : "The credential can be fetched"} from ${formatClock(recommendedAt)}`
    : isUrgent
      ? `${text}: fetch it now`
      : "Until the window closes";
  const bar = Math.min(BAR, Math.max(8, width - 22));
  const gone = waits ? 1 - untilRecommended / waitMs : 1 - untilClosed / CREDENTIAL_WINDOW_MS;
  const whole = waits ? formatCountdown(waitMs) : "24 h";
  const closes = `Window closes ${formatMoment(windowEnd(project), now)}${project.provenStartAt === null ? " or later" : ""}`;
  const whenLeft = `${closes}, in ${formatCountdown(untilClosed, theme.ascii)}`;
  return [
    ...textRows(headline, width, theme, { role: isUrgent ? role : "heading", limit: 1 }),
    ...(theme.ascii === "words"
      ? []
      : [
          fitRow(
            [{ text: " ".repeat(AXIS) }, ...timeBar(gone, bar, role, theme), { text: `  of ${whole}` }],
            width,
            theme,
          ),
        ]),
    // The digits have it where there is no room.
    ...textRows(widthOf(whenLeft) < width - AXIS ? whenLeft : closes, width, theme, { limit: 1 }),
  ];
}

/** The two steps of a project, what is to be done where its window is closed, and how it is called. */
function stepRows(standing: Standing, width: number, options: ProjectRenderOptions): Row[] {
  const { theme } = options;
  const steps = [registeredStep(standing), credentialStep(standing, options)];
  const rows = steps.flatMap(({ sign, role, text }, index): Row[] => {
    const shown = theme.sign(sign);
    // The reason of a failure may take a second row.
    const [first = "", ...rest] = wrapWords(`${index + 1} ${text}`, Math.max(1, width - 5));
    return [
      fitRow([{ text: `  ${shown} `, role }, { text: first }], width, theme),
      ...(rest.length === 0 ? [] : textRows(rest.join(" "), width, theme, { indent: 4, limit: 1 })),
    ];
  });
  return [
    ...rows,
    ...(standing.window?.phase === "closed" ? closedRows(width, options) : []),
    ...(standing.project.state === "ready" ? sentRows(standing, width, options) : []),
    nameRow(standing, width, theme),
  ];
}

interface Step {
  readonly sign: "done" | "error" | "note" | "open";
  readonly role: Role | null;
  readonly text: string;
}

function registeredStep({ project, working }: Standing): Step {
  if (working && project.state === "registering")
    return { sign: "note", role: "heading", text: "registering, the request is on its way" };
  switch (project.state) {
    case "refused":
      return { sign: "error", role: "fault", text: "not registered, the service refused it" };
    case "registering":
    case "unknown":
      return { sign: "open", role: "doubt", text: "perhaps registered; the credential request shows it" };
    default: {
      const at = isRegisteredHere(project) ? formatDateTime(windowStart(project)) : "elsewhere";
      return { sign: "done", role: "heading", text: `registered ${at}` };
    }
  }
}

function credentialStep(
  standing: Standing,
  { theme: { keyName, ascii }, byItself }: ProjectRenderOptions,
): Step {
  const { project, window, progress, now } = standing;
  const waiting = (text: string): Step => ({ sign: "note", role: "heading", text: `credential ${text}` });
  if (project.state === "ready") {
    const id = project.projectId === null ? "" : `, project id ${safe(project.projectId)}`;
    return { sign: "done", role: "heading", text: `credential in the vault${id}` };
  }
  if (project.state === "refused") return { sign: "note", role: null, text: "no credential to fetch" };
  if (progress?.kind === "asking") {
    return waiting(progress.attempt === 1 ? "asked for now" : `asked for now, attempt ${progress.attempt}`);
  }
  if (window === null || now === null) return waiting("to be fetched after the registration");
  const isRemoved = project.state === "removed";
  if (window.phase === "closed") {
    const what = isRemoved ? "removed from the vault" : "not fetched in time";
    return { sign: "error", role: "error", text: `credential ${what}` };
  }
  if (progress?.kind === "stopped" && progress.retryAt === null) {
    return { sign: "error", role: "error", text: `credential: ${safe(progress.why)}` };
  }
  const next = nextRequest(progress);
  if (next !== null)
    return waiting(`asks again in ${formatCountdown(next.at - now, ascii)}: ${safe(next.why)}`);
  if (isRemoved) return waiting(`removed from the vault; ${keyName("register.fetch")} fetches it again`);
  if (window.untilRecommended > 0) {
    return waiting(
      `${byItself ? "fetched by itself" : "to be fetched"} then; ${keyName("register.fetch")} fetches it now`,
    );
  }
  if (progress?.kind === "waiting")
    return waiting(`will be requested in ${formatCountdown(progress.until - now, ascii)}`);
  if (progress?.kind === "locked") {
    return waiting(`not asked for: the vault is locked, ${keyName("lock.unlock")} unlocks it`);
  }
  return waiting("to be fetched now");
}

/** The next request after one without a credential; null if none is planned. */
function nextRequest(progress: FetchProgress | null): { at: number; why: string } | null {
  if (progress?.kind === "waiting" && progress.why !== null) return { at: progress.until, why: progress.why };
  if (progress?.kind !== "stopped" || progress.retryAt === null) return null;
  return { at: progress.retryAt, why: progress.why };
}

/** What was sent for a project of late. */
function sentRows(
  { project, now }: Standing,
  width: number,
  { theme, checks = [] }: ProjectRenderOptions,
): Row[] {
  const sent = checks.filter((entry) => entry.project === project.key);
  const [last] = sent;
  if (last === undefined) return textRows("no check yet", width, theme, { indent: AXIS + 2 });
  const blocked = sent.filter(({ result }) => verdictKind(result) === "block").length;
  const share = `${formatCount(sent.length)} of the newest ${counted(checks.length, "check")}, ${percent(blocked, sent.length)} blocked`;
  return [
    fitRow([{ text: "    last check " }, ...lastCheckRow(last, now, theme)], width, theme),
    ...textRows(share, width, theme, { indent: AXIS + 2, limit: 1 }),
  ];
}

function closedRows(width: number, { theme, environment }: ProjectRenderOptions): Row[] {
  const panel =
    environment === "SANDBOX" ? 'the panel ("verdict sandbox panel")' : "the administrative panel";
  const text = `The 24 hours are over: take the credential from ${panel} and press ${theme.keyName("register.byHand")} to enter it.`;
  return textRows(text, width, theme, { role: "error", indent: AXIS + 2 });
}

function nameRow({ project }: Standing, width: number, theme: Theme): Row {
  const currency = project.currency === null ? null : currencyLetters(project.currency);
  const parts = [
    safe(project.name),
    currency,
    project.description === null ? null : safe(project.description),
  ];
  const text = parts
    .filter((part) => typeof part === "string" && part !== "")
    .join(` ${theme.sign("separator")} `);
  return fitRow([{ text: `    ${text}`, role: "quiet" }], width, theme);
}
