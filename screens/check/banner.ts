// The banner of Check: verdict, required reaction and reason, or the progress of a check, or the first step. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { NO_ANSWER } from "#src/contract/wire/outcome.ts";
import { withOthers } from "#src/display/count.ts";
import { decisionOf, type Decided, type Decision } from "#src/display/decision.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { checkedMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay, formatLatency } from "#src/display/time.ts";
import { badgedText } from "#src/display/verdict.ts";
import {
  forceQuestion,
  isOpen,
  noProject,
  type FailedSend,
  type InFlight,
} from "#src/state/check/checks-state.ts";
import { wrapWords, fit, clipLines, spansWidth } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Theme } from "#src/ui/theme.ts";
import { AXIS, fitRow } from "#src/ui/rows.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";

export interface BannerInput {
  /** The entry shown; null before the first. */
  readonly entry: HistoryEntry | null;
  /** The entry was selected in the history; false for the latest outcome. */
  readonly selected: boolean;
  /** What is composed now, or its project, is another than that of the entry. */
  readonly isPast?: boolean;
  readonly inFlight: InFlight | null;
  /** No check was sent through this profile yet. */
  readonly isFirst: boolean;
  readonly isOnSandbox?: boolean;
  /** The latest check, if it could not be sent. */
  readonly failed: FailedSend | null;
  /** Its outcome is unknown, and it may be sent again. */
  readonly lost: boolean;
  /** What is known of the checks before this or another entry. */
  readonly seen?: SeenBefore | null;
  /** The question about 3-D Secure is open. */
  readonly asked: boolean;
  /** The focus is on Send, so that keys are commands; false while a field is edited. */
  readonly answerable: boolean;
  /** Why the verdict could not be written; null when it is saved. */
  readonly notSaved: string | null;
  readonly project: string | null;
  /** A project is being registered; its progress is shown below. */
  readonly preparing: boolean;
  /** The vault is locked. */
  readonly locked: boolean;
  /** Why nothing may be sent; null or missing if sending is allowed. */
  readonly noSending?: string | null;
  /** Warnings that the form shows, which are not said twice. */
  readonly warned?: readonly string[];
  /** An error in the fields keeps the payment from being sent. */
  readonly blocked?: boolean;
  readonly now: number;
  readonly unit: Profile["amountUnit"];
  readonly width: number;
  /** Most rows. */
  readonly limit: number;
}

export interface Banner {
  readonly title: string;
  /** At the right end of the title row. */
  readonly note: string;
  readonly rows: readonly Span[][];
}

/** Why nothing can be sent while a project is looked for, or the first one is being registered. */
const preparingText = (keyName: KeyName): string =>
  `The project is not ready yet; once it is, ${keyName("check.send")} sends this payment.`;

export function checkBanner(input: BannerInput, theme: Theme): Banner {
  if (input.inFlight !== null) return sendingBanner(input.inFlight, input, theme);
  const decision = decisionShown(input, theme);
  if (decision !== null) return decisionBanner(decision, input, theme);
  const texts = [
    idleText(input, theme),
    ...(input.isFirst && input.isOnSandbox === true ? firstTexts(theme) : []),
  ];
  const rows = texts.flatMap((text) => paragraph(text, input.width, input.limit, theme));
  return { title: "Verdict", note: "", rows: rows.slice(0, input.limit) };
}

/** Before the first check, on the sandbox alone: of a real service nobody may say that nothing is affected. */
const firstTexts = ({ keyName }: Theme): readonly Span[] =>
  [
    "You work on a sandbox; no real payment is affected.",
    `${keyName("shell.history")} lists checks; ${keyName("shell.register")} registers a project; ${keyName("shell.help")} lists keys.`,
  ].map((text) => ({ text, role: "quiet" }));

function sendingBanner(inFlight: InFlight, { now, unit, width, limit }: BannerInput, theme: Theme): Banner {
  const seconds = (Math.max(0, now - inFlight.startedAt) / 1000).toFixed(1);
  const text = inFlight.cancelled
    ? "Cancelled: its outcome becomes unknown."
    : "The service has been asked; no answer yet.";
  const word: Span = { text: `${theme.sign("ellipsis")} SENDING`, role: "heading" };
  const rows = besideWord([word], [{ text }, { text: `${seconds} s`, role: "quiet" }], width, limit, theme);
  // What is sent has been heard in the form.
  const note = theme.ascii === "words" ? "" : about(inFlight.request, null, unit);
  return { title: "Verdict", note, rows };
}

/** The decision of the check that is shown; null for none. */
export function decisionShown({ entry, failed, inFlight }: BannerInput, theme: Theme): Decision | null {
  if (inFlight !== null) return null;
  const over = failed === null ? entry : notSentFor(failed);
  return over && decisionOf(over, theme.say, (text) => badgedText(text, theme.ascii));
}

function notSentFor({ message }: FailedSend): Decided {
  const result = { ...NO_ANSWER, outcome: "not_sent", explanation: message } as const;
  return { result, explanation: null, finalAction: null };
}

/** What to do first, or why nothing can be sent. */
function idleText(
  { project, preparing, locked, noSending = null, blocked, answerable, isFirst }: BannerInput,
  { keyName }: Theme,
): Span {
  if (noSending !== null) return { text: noSending, role: "warning" };
  if (project === null) return { text: preparing ? preparingText(keyName) : noProject(keyName) };
  const name = safe(project, { max: 60 });
  if (locked) {
    const unlock = keyName("lock.unlock");
    const key = answerable ? `press ${unlock}` : `press ${keyName("check.field.leave")}, then ${unlock},`;
    const text = `Vault locked: ${key} to unlock it. Sending a payment for ${name} asks for the passphrase, too.`;
    return { text, role: "warning" };
  }
  const key = keyName(answerable ? "check.send" : "check.field.send");
  const sends =
    blocked === true
      ? `Correct the payment, then ${key} sends it for ${name}`
      : `${key} sends this payment for ${name}`;
  const next = `${keyName("check.next")} goes to ${answerable ? "its fields" : "the next field"}`;
  return { text: `${isFirst ? "Nothing sent yet. " : ""}${sends}; ${next}.` };
}

function decisionBanner(decision: Decision, input: BannerInput, theme: Theme): Banner {
  const { width, limit } = input;
  const score: Span[] =
    decision.score === null || width < WITH_SCORE || theme.ascii === "words"
      ? []
      : [
          { text: "  score ", role: "quiet" },
          { text: String(decision.score.score), role: "heading" },
        ];
  const scored = spansWidth(score);
  // Lines below the reason are more important and take their rows first.
  const below = urgentRows(input, theme);
  const [strongest, ...others] = decision.reasons;
  const repeat = decision.repeat ? "Repeat: the stored answer. " : "";
  const why = decision.silence ?? `${strongest!.effect}  ${strongest!.text}`;
  // The number of the other reasons, with the key that shows them.
  const tail = others.length === 0 ? "" : ` (and ${others.length} more: ${whyKey(input, theme)})`;
  const said = [
    { text: decision.todo, role: "heading" as const, less: scored },
    { text: repeat + why, tail },
  ];
  const words = verdictSpans(decision.kinds, theme);
  const [first = [], ...rest] = besideWord(words, said, width, limit, theme, below.length);
  const scoredRow = [...fitRow(first, width - scored, theme), ...score];
  const rows = [scoredRow, ...rest, ...below, ...warningRows(input, theme)].slice(0, limit);
  return { ...overHead(input, theme), rows };
}

/** Width from which the score stands at the right end, where it can be compared from one answer to the next. */
const WITH_SCORE = 70;

/**
 * Words of verdicts with what is said of them beside them, the first of which has a row whatever is kept.
 * @param said `less` columns than there are; `tail` is not cut
 * @param kept rows that the others leave
 */
function besideWord(
  words: readonly Span[],
  said: readonly (Span & { readonly less?: number; readonly tail?: string })[],
  width: number,
  limit: number,
  theme: Theme,
  kept: number = 0,
): Span[][] {
  const taken = AXIS + spansWidth(words);
  const rows: Span[][] = [];
  for (const { less = 0, tail, ...span } of said) {
    const left = limit - kept - rows.length;
    rows.push(
      ...paragraph(span, width - taken - less, rows.length === 0 ? Math.max(1, left) : left, theme, tail),
    );
  }
  return rows.map((row, index) =>
    index === 0 ? [{ text: fit("", AXIS) }, ...words, ...row] : [{ text: fit("", taken) }, ...row],
  );
}

/** The title of a check that is over, and what it was about. */
export function overHead(input: BannerInput, theme: Theme): Pick<Banner, "title" | "note"> {
  const { entry, failed, selected, isPast = false, project, now, unit } = input;
  if (failed !== null) return { title: "Verdict", note: about(failed.request, null, unit) };
  if (entry === null) return { title: "Verdict", note: "" };
  const latencyMs = entry.result === null ? null : entry.result.latencyMs;
  const time = selected ? formatClockOrDay(entry.at, now) : null;
  const of = entry.project === project ? "" : ` for ${safe(entry.project, { max: 24 })}`;
  const title = selected ? "Selected" : isPast ? `Last check${of}` : "Verdict";
  // A screen reader has heard the row of the list.
  return { title, note: theme.ascii === "words" ? "" : about(entry.request, latencyMs, unit, time) };
}

/** What has to be known or done before the reasons matter: not saved, an open question, a way to send again. */
export function urgentRows(input: BannerInput, theme: Theme): Span[][] {
  const { entry } = input;
  const lines = [
    ...(input.notSaved === null
      ? []
      : [{ text: `Not saved: ${safe(input.notSaved)}`, role: "error" as const }]),
    ...(entry === null ? [] : questionLines(entry, input, theme)),
  ];
  return lines.flatMap(({ pointed, ...line }: QuestionLine) => {
    const [first = [], ...rest] = paragraph(line, input.width, 2, theme);
    if (pointed !== true) return [first, ...rest];
    const text = first.map((span) => span.text).join("");
    const pointer: Span = { text: fit(theme.sign("pointer"), AXIS), role: "accent" };
    return [[pointer, { text: text.slice(AXIS), role: line.role }], ...rest];
  });
}

/** A refusal has named what is wrong. */
export function warningRows({ entry, warned, width }: BannerInput, theme: Theme): Span[][] {
  if (entry === null || entry.result?.outcome === "refused") return [];
  const warnings = entry.warnings.filter((warning) => warned?.includes(warning) !== true);
  return warnings.slice(0, 1).flatMap((warning) => {
    const text = `${theme.sign("warning")} ${withOthers(safe(warning), warnings.length - 1)}`;
    return paragraph({ text, role: "warning" }, width, 1, theme);
  });
}

interface QuestionLine {
  readonly text: string;
  readonly role: Role;
  /** Its answers are the keys that work now. */
  readonly pointed?: boolean;
}

function questionLines(
  entry: HistoryEntry,
  { asked, answerable, lost, project }: BannerInput,
  { keyName }: Theme,
): QuestionLine[] {
  if (lost) {
    const again = keyName("check.again");
    const key = answerable ? `${again} sends` : `${keyName("check.field.leave")}, then ${again}, sends`;
    return [{ text: `${key} the payment again as another attempt.`, role: "doubt" }];
  }
  if (!isOpen(entry)) return [];
  const question = forceQuestion(entry, project);
  if (!asked) return [{ text: `Open: ${question} ${keyName("check.decide")} decides.`, role: "challenge" }];
  // The keys stand in the footer.
  if (answerable) return [{ text: question, role: "heading", pointed: true }];
  const keys = `${keyName("check.question.yes")} or ${keyName("check.question.no")}`;
  return [{ text: `${question}  ${keyName("check.field.leave")}, then ${keys}`, role: "challenge" }];
}

/** What shows all reasons: `i`, or `Esc, then i` in a field. */
export function whyKey({ answerable }: BannerInput, { keyName }: Theme): string {
  const why = keyName("check.why");
  return answerable ? why : `${keyName("check.field.leave")}, then ${why}`;
}

/** `o-1041  120.00 UAH  84 ms`, with the time after the order id if one is given. */
function about(
  request: HistoryEntry["request"],
  latencyMs: number | null,
  unit: Profile["amountUnit"],
  time: string | null = null,
): string {
  const { order_id } = request;
  return [
    order_id === undefined ? "no order id" : safe(order_id, { max: 24 }),
    ...(time === null ? [] : [time]),
    safe(checkedMoney({ request }, unit), { max: 24 }),
    ...(latencyMs === null ? [] : [formatLatency(latencyMs)]),
  ].join("  ");
}

/** A text wrapped to at most `limit` rows, from the axis. @param tail stands at the end, and is not cut */
function paragraph(
  { text, role = null }: Span,
  width: number,
  limit: number,
  theme: Theme,
  tail: string = "",
): Span[][] {
  if (limit <= 0) return [];
  const room = Math.max(1, width - AXIS);
  const whole = wrapWords(text + tail, room);
  const isCut = whole.length > limit;
  const shown = isCut ? clipLines(wrapWords(text, room), limit, room, theme.sign("ellipsis"), tail) : whole;
  return shown.map((line) => [{ text: fit("", AXIS) + line, role }]);
}
