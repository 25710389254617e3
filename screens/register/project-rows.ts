// Projects and their 24-hour windows as rows: the list, and the two steps of the selected project.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Environment } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatAge, formatCountdown, formatDuration, formatMoment } from "#src/display/time.ts";
import { verdictKind, verdictLabel, VERDICTS } from "#src/display/verdict.ts";
import type { FetchProgress } from "#src/state/register/credential-fetches.ts";
import { projectWindow, type ProjectWindow, type WindowPhase } from "#src/state/register/project-window.ts";
import type { RegistrationsState } from "#src/state/register/registrations-state.ts";
import { fit } from "#src/ui/fit.ts";
import { timeBar } from "#src/ui/gauge.ts";
import type { ListColumn } from "#src/ui/list.ts";
import { fitRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

/** Rendering options besides the project. */
export interface ProjectRenderOptions {
  readonly theme: Theme;
  /** Recommended wait after a registration, in ms. */
  readonly waitMs: number;
  readonly environment: Environment;
  /** The newest checks, the newest first. */
  readonly checks?: readonly HistoryEntry[];
  /** The console fetches a credential by itself when its time has come. */
  readonly byItself?: boolean;
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

/** The state of a window in a word. */
export const PHASE_WORD: Readonly<Record<WindowPhase, Word>> = {
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
  if (project.state === "ready") return { text: `${sign("done")}in the vault`, role: null };
  if (project.state === "refused") return { text: `${sign("error")}refused`, role: "fault" };
  if (window === null) return { text: "registered", role: null };
  if (window.phase === "closed") {
    // The service may say so before its time has come by this clock.
    const ago = window.untilClosed < -MINUTE ? ` ${formatAge(-window.untilClosed)} ago` : "";
    return { text: `${sign("error")}closed${ago}`, role: "error" };
  }
  if (progress?.kind === "asking") return { text: "being fetched", role: "heading" };
  if (project.state === "removed") return { text: "removed", role: null };
  if (window.phase !== "waiting") return PHASE_WORD[window.phase];
  return { text: `fetch in ${formatCountdown(window.untilRecommended, theme.ascii)}`, role: null };
}

const MINUTE = 60_000;
const HOURS = 24;

/**
 * Key, the 24 hours or the last check, the state of the credential and when they are over; the bars have one cell an hour, or
 * two, or four.
 * @param runs whether any of the 24 hours run
 */
export function projectColumns(
  width: number,
  runs: boolean,
  { theme, waitMs, checks = [] }: ProjectRenderOptions,
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
      by: "project",
      share: 1,
      least: 4,
      most: 40,
      cut: "start",
      cell: ({ project }) => safe(project.key),
    },
    {
      title: runs ? `${fit(scale, bar - 3)}24h` : "Last check",
      said: "",
      width: bar,
      from: 76,
      cell: ({ window, project, now }) =>
        window === null || !runs
          ? fitRow(lastCheckRow(newestOf(project, checks), now, theme), bar, theme)
          : windowBar(window, bar, theme),
    },
    {
      title: "Credential",
      width: width >= 110 ? 22 : 17,
      cell: (standing) => [standingWord(standing, theme)],
    },
    {
      title: "Closes in",
      by: "closes",
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

function newestOf({ key }: Project, checks: readonly HistoryEntry[]): HistoryEntry | undefined {
  return checks.find(({ project }) => project === key);
}

/** When it was sent, and its verdict. */
export function lastCheckRow(entry: HistoryEntry | undefined, now: number | null, theme: Theme): Row {
  if (entry === undefined) return [{ text: "no check yet", role: "quiet" }];
  const kind = verdictKind(entry.result);
  return [
    { text: `${formatMoment(entry.at, now ?? entry.at)}  `, role: "quiet" },
    { text: verdictLabel(kind, theme.ascii), role: VERDICTS[kind].role },
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
