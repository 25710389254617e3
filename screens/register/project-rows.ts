// Projects and their 24-hour windows as rows: the list, and the two steps of the selected project.

import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import type { Environment } from "#src/contract/records/profile.ts";
import { isRegisteredHere, windowStart, type Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatAge, formatCountdown, formatDateTime, formatDuration } from "#src/display/time.ts";
import type { FetchProgress } from "#src/state/register/credential-fetches.ts";
import { projectWindow, type ProjectWindow, type WindowPhase } from "#src/state/register/project-window.ts";
import type { RegistrationsState } from "#src/state/register/registrations-state.ts";
import { fit, wrapWords } from "#src/ui/fit.ts";
import { timeBar } from "#src/ui/gauge.ts";
import type { ListColumn } from "#src/ui/list.ts";
import { AXIS, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

/** Rendering options besides the project. */
export interface ProjectRenderOptions {
  readonly theme: Theme;
  /** Recommended wait after a registration, in ms. */
  readonly waitMs: number;
  readonly environment: Environment;
  /** Enter uses the selected project. */
  readonly usable?: boolean;
}

/** A project with its current progress. */
export interface Standing {
  readonly project: Project;
  readonly window: ProjectWindow | null;
  readonly progress: FetchProgress | null;
  /** It is being registered, or its credential is being saved. */
  readonly working: boolean;
  /** The service's time; null while it is not known. */
  readonly now: number | null;
}

export function standingOf(project: Project, state: RegistrationsState, waitMs: number): Standing {
  const { now, progress } = state;
  const working = state.working === project.key;
  return {
    project,
    // During the registration it is not known yet when its 24 hours start.
    window: now === null || working ? null : projectWindow(project, waitMs, now),
    progress: progress[project.key] ?? null,
    working,
    now,
  };
}

interface Word {
  readonly text: string;
  readonly role: Role | null;
}

const PHASE_WORD: Readonly<Record<WindowPhase, Word>> = {
  waiting: { text: "waiting", role: null },
  ready: { text: "to fetch", role: "heading" },
  soon: { text: "! last hour", role: "warning" },
  last_minutes: { text: "! last minutes", role: "error" },
  closed: { text: "closed", role: "quiet" },
};

/** The state of a project's credential in a few words. */
function standingWord({ project, window, working, progress }: Standing, theme: Theme): Word {
  const sign = (name: "done" | "error"): string => (theme.ascii === "words" ? "" : `${theme.sign(name)} `);
  if (working) return { text: "registering", role: "heading" };
  if (project.state === "ready") return { text: `${sign("done")}in the vault`, role: "pass" };
  if (project.state === "refused") return { text: `${sign("error")}refused`, role: "fault" };
  if (window === null) return { text: "registered", role: null };
  if (window.phase === "closed") {
    // The service may say so before its time has come by this clock.
    const ago = window.untilClosed < -MINUTE ? ` ${formatAge(-window.untilClosed)} ago` : "";
    return { text: `${sign("error")}closed${ago}`, role: "error" };
  }
  if (progress?.kind === "asking") return { text: "being fetched", role: "heading" };
  if (window.phase !== "waiting") return PHASE_WORD[window.phase];
  return { text: `fetch in ${formatCountdown(window.untilRecommended, theme.ascii)}`, role: null };
}

const MINUTE = 60_000;
const HOURS = 24;

/** Key, the 24 hours, the state of the credential and when they are over; the bars have one cell an hour, or two, or four. */
export function projectColumns(
  width: number,
  { theme, waitMs }: ProjectRenderOptions,
): ListColumn<Standing>[] {
  const bar = (width >= 180 ? 4 : width >= 110 ? 2 : 1) * HOURS;
  const wait = Math.min(bar - 4, Math.floor((waitMs / CREDENTIAL_WINDOW_MS) * bar));
  const scale = [6, 12, 18].reduce(
    (text, hour) => fit(text, (hour / HOURS) * bar) + hour,
    `${fit("", wait)}${theme.sign("from")}`,
  );
  return [
    {
      title: "Project",
      said: "",
      share: 1,
      least: 4,
      most: 40,
      cut: "start",
      cell: ({ project }) => safe(project.key),
    },
    {
      title: `${fit(scale, bar - 3)}24h`,
      said: "",
      width: bar,
      from: 76,
      cell: ({ window }) => (window === null ? "" : windowBar(window, bar, theme)),
    },
    {
      title: "Credential",
      width: width >= 110 ? 22 : 17,
      cell: (standing) => [standingWord(standing, theme)],
    },
    {
      title: "Closes in",
      width: 14,
      align: "right",
      cell({ window }) {
        if (window === null) return "";
        const { role } = PHASE_WORD[window.phase];
        if (window.phase === "closed") return [{ text: "from the panel", role }];
        return [{ text: formatCountdown(window.untilClosed, theme.ascii), role }];
      },
    },
  ];
}

function windowBar(window: ProjectWindow, width: number, theme: Theme): Row {
  const gone = window.phase === "closed" ? 1 : 1 - window.untilClosed / CREDENTIAL_WINDOW_MS;
  return timeBar(gone, width, PHASE_WORD[window.phase].role, theme);
}

/** What the bars mean. */
export function legendRow(width: number, theme: Theme, waitMs: number): Row {
  if (theme.ascii === "words") return [];
  const text = `  ${theme.sign("horizontal")} gone   ${theme.sign("now")} now   ${theme.sign("heavy")} left; closes 24 h after it began   ${theme.sign("from")} fetch, after ${formatDuration(waitMs)}`;
  return fitRow([{ text, role: "quiet" }], width, theme);
}

/** The recommended wait as a bar, until it is over. */
function waitRows({ window }: Standing, width: number, { theme, waitMs }: ProjectRenderOptions): Row[] {
  if (window?.phase !== "waiting" || theme.ascii === "words") return [];
  const words = `  ${formatCountdown(window.untilRecommended)} of ${formatCountdown(waitMs)}`;
  const bar = timeBar(
    1 - window.untilRecommended / waitMs,
    Math.min(HOURS, Math.max(8, width - 30)),
    null,
    theme,
  );
  return [fitRow([{ text: "    wait  ", role: "quiet" }, ...bar, { text: words }], width, theme)];
}

/** The two steps of a project, and what is left of its window. */
export function stepRows(standing: Standing, width: number, options: ProjectRenderOptions): Row[] {
  const { theme } = options;
  const steps = [registeredStep(standing), credentialStep(standing, theme)];
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
    ...waitRows(standing, width, options),
    ...windowRows(standing, width, options),
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
      return { sign: "done", role: "pass", text: `registered ${at}` };
    }
  }
}

function credentialStep(standing: Standing, { keyName, ascii }: Theme): Step {
  const { project, window, progress, now } = standing;
  const waiting = (text: string): Step => ({ sign: "note", role: "heading", text: `credential ${text}` });
  if (project.state === "ready") {
    const id = project.projectId === null ? "" : `, project id ${safe(project.projectId)}`;
    return { sign: "done", role: "pass", text: `credential in the vault${id}` };
  }
  if (project.state === "refused") return { sign: "note", role: null, text: "no credential to fetch" };
  if (progress?.kind === "asking") {
    return waiting(progress.attempt === 1 ? "asked for now" : `asked for now, attempt ${progress.attempt}`);
  }
  if (window === null || now === null) return waiting("to be fetched after the registration");
  if (window.phase === "closed")
    return { sign: "error", role: "error", text: "credential not fetched in time" };
  if (progress?.kind === "stopped" && progress.retryAt === null) {
    return { sign: "error", role: "error", text: `credential: ${safe(progress.why)}` };
  }
  const next = nextRequest(progress);
  if (next !== null)
    return waiting(`asks again in ${formatCountdown(next.at - now, ascii)}: ${safe(next.why)}`);
  if (window.untilRecommended > 0) {
    return waiting(`recommended to fetch in ${formatCountdown(window.untilRecommended, ascii)}`);
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

function windowRows({ project, window }: Standing, width: number, options: ProjectRenderOptions): Row[] {
  const { theme, environment } = options;
  if (window === null) return [];
  if (window.phase === "closed") {
    const panel =
      environment === "SANDBOX" ? 'the panel ("verdict sandbox panel")' : "the administrative panel";
    const text = `The 24 hours are over: take the credential from ${panel} and press ${theme.keyName("register.byHand")} to enter it.`;
    return textRows(text, width, theme, { role: "error", indent: AXIS + 2 });
  }
  const { role, text } = PHASE_WORD[window.phase];
  const urgent = window.phase === "soon" || window.phase === "last_minutes";
  const proven = project.provenStartAt === null ? ", at the earliest" : "";
  const words = urgent ? ` ${theme.sign("separator")} ${text.slice(2)}` : "";
  const line = `window closes in ${formatCountdown(window.untilClosed, theme.ascii)}${proven}${words}`;
  return [fitRow([{ text: "    " }, { text: line, role: urgent ? role : null }], width, theme)];
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
