// Projects and their 24-hour windows as rows: the list, and the two steps of the selected project.

import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import type { Environment } from "#src/contract/records/profile.ts";
import { isRegisteredHere, windowStart, type Project } from "#src/contract/records/project.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatCountdown, formatDateTime } from "#src/display/time.ts";
import type { FetchProgress } from "#src/state/register/credential-fetches.ts";
import { projectWindow, type ProjectWindow, type WindowPhase } from "#src/state/register/project-window.ts";
import type { RegistrationsState } from "#src/state/register/registrations-state.ts";
import { fit, fitTail, wrapWords } from "#src/ui/fit.ts";
import { fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

/** Rendering options besides the project. */
export interface ProjectRenderOptions {
  readonly theme: Theme;
  /** Recommended wait after a registration, in ms. */
  readonly waitMs: number;
  readonly environment: Environment;
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
  ready: { text: "to fetch", role: "accent" },
  soon: { text: "soon", role: "warning" },
  last_minutes: { text: "last minutes", role: "error" },
  closed: { text: "closed", role: "error" },
};

/** The state of a project in a word or two. */
export function standingWord({ project, window, working }: Standing): Word {
  if (working) return { text: "registering", role: "accent" };
  if (project.state === "ready") return { text: "in the vault", role: "pass" };
  if (project.state === "refused") return { text: "refused", role: "fault" };
  return window === null ? { text: "registered", role: null } : PHASE_WORD[window.phase];
}

const WORD_WIDTH = 12;
const FETCH_WIDTH = 8;
const CLOSE_WIDTH = 9;
/** Width from which the list has a column for the recommended time. */
const WITH_FETCH = 52;

function keyWidth(width: number): number {
  const fetch = width >= WITH_FETCH ? FETCH_WIDTH + 1 : 0;
  return Math.max(4, width - 3 - WORD_WIDTH - 1 - CLOSE_WIDTH - fetch);
}

/** The column headings. */
export function headRow(width: number, theme: Theme): Row {
  const fetch = width >= WITH_FETCH ? ` ${fit("fetch", FETCH_WIDTH, { align: "right" })}` : "";
  const close = fit("closes", CLOSE_WIDTH, { align: "right" });
  const text = ` ${fit("project", keyWidth(width))} ${fit("state", WORD_WIDTH)}${fetch} ${close}`;
  return fitRow([{ text, role: "quiet" }], width, theme);
}

/** One project of the list: key, word, both countdowns. */
export function projectRow(standing: Standing, selected: boolean, width: number, theme: Theme): Row {
  const { project, window } = standing;
  const word = standingWord(standing);
  const ellipsis = theme.sign("ellipsis");
  const counts = window !== null && window.phase !== "closed";
  const fetch = counts && window.untilRecommended > 0 ? formatCountdown(window.untilRecommended) : "";
  const close = counts ? formatCountdown(window.untilClosed) : "";
  const columns = [
    { text: selected ? theme.sign("pointer") : " ", role: "accent" as const },
    {
      text: `${fitTail(safe(project.key), keyWidth(width), ellipsis)} `,
      role: selected ? ("accent" as const) : null,
    },
    { text: fit(word.text, WORD_WIDTH), role: word.role },
    { text: width >= WITH_FETCH ? ` ${fit(fetch, FETCH_WIDTH, { align: "right" })}` : "" },
    { text: ` ${fit(close, CLOSE_WIDTH, { align: "right" })}`, role: counts ? word.role : null },
  ];
  return fitRow(columns, width, theme);
}

/** The two steps of a project, and what is left of its window. */
export function stepRows(standing: Standing, width: number, options: ProjectRenderOptions): Row[] {
  const { theme } = options;
  const steps = [registeredStep(standing), credentialStep(standing, theme)];
  const rows = steps.flatMap(({ sign, role, text }, index): Row[] => {
    const shown = sign === "?" ? "?" : theme.sign(sign);
    // The reason of a failure may take a second row.
    const [first = "", ...rest] = wrapWords(`${index + 1} ${text}`, Math.max(1, width - 4));
    return [
      fitRow([{ text: ` ${shown} `, role }, { text: first }], width, theme),
      ...(rest.length === 0 ? [] : textRows(rest.join(" "), width, theme, { indent: 3, limit: 1 })),
    ];
  });
  return [...rows, ...windowRows(standing, width, options), nameRow(standing, width, theme)];
}

interface Step {
  readonly sign: "done" | "error" | "note" | "?";
  readonly role: Role | null;
  readonly text: string;
}

function registeredStep({ project, working }: Standing): Step {
  if (working && project.state === "registering")
    return { sign: "note", role: "accent", text: "registering, the request is on its way" };
  switch (project.state) {
    case "refused":
      return { sign: "error", role: "fault", text: "not registered, the service refused it" };
    case "registering":
    case "unknown":
      return { sign: "?", role: "doubt", text: "registered perhaps; the credential request tells" };
    default: {
      const at = isRegisteredHere(project) ? formatDateTime(windowStart(project)) : "elsewhere";
      return { sign: "done", role: "pass", text: `registered ${at}` };
    }
  }
}

function credentialStep(standing: Standing, { keyName }: Theme): Step {
  const { project, window, progress, now } = standing;
  const waiting = (text: string): Step => ({ sign: "note", role: "accent", text: `credential ${text}` });
  if (project.state === "ready") {
    const id = project.projectId === null ? "" : `, project id ${safe(project.projectId)}`;
    return { sign: "done", role: "pass", text: `credential in the vault${id}` };
  }
  if (project.state === "refused") return { sign: "note", role: null, text: "credential, none to fetch" };
  if (progress?.kind === "asking") {
    return waiting(progress.attempt === 1 ? "asked for now" : `asked for now, attempt ${progress.attempt}`);
  }
  if (window === null || now === null) return waiting("to be fetched afterwards");
  if (window.phase === "closed")
    return { sign: "error", role: "error", text: "credential not fetched in time" };
  if (progress?.kind === "stopped" && progress.retryAt === null) {
    return { sign: "error", role: "error", text: `credential: ${safe(progress.why)}` };
  }
  const next = nextRequest(progress);
  if (next !== null) return waiting(`asks again in ${formatCountdown(next.at - now)}: ${safe(next.why)}`);
  if (window.untilRecommended > 0) {
    return waiting(`recommended to fetch in ${formatCountdown(window.untilRecommended)}`);
  }
  if (progress?.kind === "waiting") return waiting(`asked for in ${formatCountdown(progress.until - now)}`);
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
    return textRows(text, width, theme, { role: "error", limit: 2 });
  }
  const { role, text } = PHASE_WORD[window.phase];
  const urgent = window.phase === "soon" || window.phase === "last_minutes";
  const proven = project.provenStartAt === null ? ", at the earliest" : "";
  const words = urgent ? ` ${theme.sign("separator")} ${text}` : "";
  const line = `window closes in ${formatCountdown(window.untilClosed)}${proven}${words}`;
  return [fitRow([{ text: "   " }, { text: line, role: urgent ? role : null }], width, theme)];
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
  return fitRow([{ text: `   ${text}`, role: "quiet" }], width, theme);
}
