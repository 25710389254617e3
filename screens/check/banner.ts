// The banner: verdict, required reaction, reason; or the check that is under way; or what to do first. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { withOthers } from "#src/display/count.ts";
import { keyName } from "#src/display/key-name.ts";
import { formatMoney } from "#src/display/money.ts";
import { presentedRuling } from "#src/display/presented.ts";
import { hasHidden, safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay, formatLatency } from "#src/display/time.ts";
import { FINAL_ACTION, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import { noProject, type FailedSend, type InFlight } from "#src/state/check/checks.ts";
import { clip, widthOf, wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Theme } from "#src/ui/theme.ts";

export interface BannerInput {
  /** The row that is looked at; null before the first. */
  readonly entry: HistoryEntry | null;
  /** It was selected, and is not the outcome of what was sent last. */
  readonly selected: boolean;
  readonly inFlight: InFlight | null;
  /** What could not be sent last. */
  readonly failed: FailedSend | null;
  /** Its outcome is unknown, and it may be sent again. */
  readonly lost: boolean;
  /** Its final action is being asked for. */
  readonly asked: boolean;
  /** The focus is on Send, so that keys are commands and answer the question; false while a field is being edited. */
  readonly answerable: boolean;
  /** Why the verdict could not be written; null when it is saved. */
  readonly notSaved: string | null;
  readonly project: string | null;
  /** A project is being made ready; how far that is stands below. */
  readonly preparing: boolean;
  /** The vault is locked. */
  readonly locked: boolean;
  /** Why nothing may be sent at all; null or missing where it may be. */
  readonly noSending?: string | null;
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

/** Why nothing can be sent while the first project is on its way. */
export const preparingText = (): string =>
  `The project is being prepared; ${keyName("check.send", "Enter")} sends this payment when it is ready.`;
const QUESTION = "Can 3-D Secure be forced for this payment?";
const REASON_MOST = 400;

export function checkBanner(input: BannerInput, theme: Theme): Banner {
  if (input.inFlight !== null) return sendingBanner(input.inFlight, input, theme);
  if (input.failed !== null) return failedBanner(input.failed, input, theme);
  if (input.entry === null) return idleBanner(input, theme);
  return entryBanner(input.entry, input, theme);
}

function sendingBanner(inFlight: InFlight, { now, unit, width }: BannerInput, theme: Theme): Banner {
  const seconds = (Math.max(0, now - inFlight.startedAt) / 1000).toFixed(1);
  const next = inFlight.cancelled
    ? "cancelled, its outcome becomes unknown"
    : `${keyName("check.cancel", "Esc")} to cancel`;
  const text = `sending ${seconds} s ${theme.sign("separator")} ${next}`;
  return {
    title: "Verdict",
    note: about(inFlight.request, null, unit, theme),
    rows: [[{ text: ` ${clip(text, width - 1, theme.sign("ellipsis"))}`, role: "heading" }]],
  };
}

function failedBanner(
  { request, message }: FailedSend,
  { unit, width, limit }: BannerInput,
  theme: Theme,
): Banner {
  const { role, reaction } = VERDICTS.not_sent;
  const label = { text: verdictLabel("not_sent", theme.ascii), role };
  const head = paragraph([label, { text: `  ${reaction}` }], width, limit, theme);
  const text = safe(message, { max: REASON_MOST });
  const reason = paragraph([{ text }], width, Math.max(0, limit - head.length), theme);
  return { title: "Verdict", note: about(request, null, unit, theme), rows: [...head, ...reason] };
}

function idleBanner(input: BannerInput, theme: Theme): Banner {
  const { project, preparing, locked, noSending = null, answerable, width, limit } = input;
  if (noSending !== null) {
    const text = { text: noSending, role: "warning" as const };
    return { title: "Verdict", note: "", rows: paragraph([text], width, limit, theme) };
  }
  if (locked && project !== null) {
    const unlock = keyName("lock.unlock", "u");
    const key = answerable
      ? `press ${unlock}`
      : `press ${keyName("check.field.leave", "Esc")}, then ${unlock},`;
    const text = `Vault locked: ${key} to unlock it. Sending a payment for ${safe(project, { max: 60 })} asks for the passphrase, too.`;
    return { title: "Verdict", note: "", rows: paragraph([{ text, role: "warning" }], width, limit, theme) };
  }
  const text =
    project === null
      ? preparing
        ? preparingText()
        : noProject()
      : `Nothing sent yet. ${answerable ? keyName("check.send", "Enter") : keyName("check.field.send", "Ctrl-R")} sends this payment for ${safe(project, { max: 60 })}; ${keyName("check.next", "Tab")} goes to ${answerable ? "its fields" : "the next field"}.`;
  return { title: "Verdict", note: "", rows: paragraph([{ text }], width, limit, theme) };
}

function entryBanner(entry: HistoryEntry, input: BannerInput, theme: Theme): Banner {
  const { width, limit, unit } = input;
  const kind = verdictKind(entry.result);
  const look = VERDICTS[kind];
  const head = paragraph(
    [{ text: verdictLabel(kind, theme.ascii), role: look.role }, { text: `  ${look.reaction}` }],
    width,
    limit,
    theme,
  );
  // What must not be missed stands below the reason, and takes its rows first.
  const below = [
    ...(input.notSaved === null
      ? []
      : [{ text: `Not saved: ${safe(input.notSaved)}`, role: "error" as const }]),
    ...decisionLines(entry, input, theme),
  ].flatMap((line) => paragraph([line], width, 2, theme));
  const room = Math.max(0, limit - head.length - below.length);
  const reason = paragraph([{ text: reasonText(entry, theme) }], width, room, theme);
  const warnings = entry.warnings.slice(0, 1).flatMap((warning) =>
    paragraph(
      [
        {
          text: `${theme.sign("warning")} ${withOthers(safe(warning), entry.warnings.length - 1)}`,
          role: "warning",
        },
      ],
      width,
      1,
      theme,
    ),
  );
  const latencyMs = entry.result === null ? null : entry.result.latencyMs;
  const time = input.selected ? formatClockOrDay(entry.at, input.now) : null;
  return {
    title: input.selected ? "Selected" : "Verdict",
    note: about(entry.request, latencyMs, unit, theme, time),
    rows: [...head, ...reason, ...below, ...warnings].slice(0, limit),
  };
}

function decisionLines(
  entry: HistoryEntry,
  { asked, answerable, lost }: BannerInput,
  theme: Theme,
): { readonly text: string; readonly role: Role }[] {
  if (lost) {
    const again = keyName("check.again", "a");
    const key = answerable
      ? `${again} sends`
      : `${keyName("check.field.leave", "Esc")}, then ${again}, sends`;
    return [{ text: `${key} it again, as another attempt of the same payment.`, role: "doubt" }];
  }
  if (entry.result?.recommendation !== "3ds_or_block") return [];
  if (entry.finalAction !== null) {
    return [{ text: `Final action: ${FINAL_ACTION[entry.finalAction]}`, role: "heading" }];
  }
  const dot = ` ${theme.sign("separator")} `;
  if (!asked)
    return [{ text: `Open: ${QUESTION} ${keyName("check.decide", "d")} decides.`, role: "challenge" }];
  const [yes, no] = [keyName("check.question.yes", "y"), keyName("check.question.no", "n")];
  const later = keyName("check.question.later", "Esc");
  const keys = answerable
    ? `${yes} yes${dot}${no} no${dot}${later} later`
    : `${keyName("check.field.leave", "Esc")}, then ${yes} or ${no}`;
  return [{ text: `${QUESTION}  ${keys}`, role: "challenge" }];
}

/** Why: the strongest rule where the service explains itself, else its readable text, else what happened to the call. */
function reasonText(
  { result, explanation }: Pick<HistoryEntry, "result" | "explanation">,
  theme: Theme,
): string {
  if (result === null) return "No outcome was recorded; the request may have arrived.";
  if (result.outcome === "answered" && explanation !== null) return ruleText(explanation);
  if (result.outcome !== "answered" || result.message === null)
    return safe(result.explanation, { max: REASON_MOST });
  const badge = hasHidden(result.message) ? `${theme.sign("hidden")} ` : "";
  return `${badge}${safe(result.message, { max: REASON_MOST })}`;
}

function ruleText(explanation: Explanation): string {
  const text = decidingText(explanation);
  return explanation.repeat ? `Same answer, repeat. ${text}` : text;
}

function decidingText(explanation: Explanation): string {
  const { rules, decidedBy } = explanation;
  // What the rules found stands in such an explanation, too, and had no say.
  if (decidedBy === "magic") return presentedRuling(explanation)!;
  const hits = rules.filter((rule) => rule.outcome === "hit" && rule.mode === "live");
  const strongest = hits[0];
  if (strongest === undefined) return "No rule had an objection.";
  return withOthers(safe(strongest.text, { max: REASON_MOST }), hits.length - 1);
}

/** `o-1041 · 120.00 UAH · 84 ms`, with the time behind the order id where one is given. */
function about(
  { order_id, amount, currency }: HistoryEntry["request"],
  latencyMs: number | null,
  unit: Profile["amountUnit"],
  theme: Theme,
  time: string | null = null,
): string {
  return [
    order_id === undefined ? "no order id" : safe(order_id, { max: 24 }),
    ...(time === null ? [] : [time]),
    safe(formatMoney(amount, currency, unit), { max: 24 }),
    ...(latencyMs === null ? [] : [formatLatency(latencyMs)]),
  ].join(` ${theme.sign("separator")} `);
}

/** Spans on as many rows as their words need, at most `limit`; a label in front of them keeps its colour. */
function paragraph(spans: readonly Span[], width: number, limit: number, theme: Theme): Span[][] {
  if (limit <= 0) return [];
  const room = Math.max(1, width - 2);
  const [first, ...rest] = spans as [Span, ...Span[]];
  const lines = wrapWords(spans.map((span) => span.text).join(""), room);
  const shown = lines.slice(0, limit);
  if (lines.length > limit) {
    const cut = shown.at(-1)!;
    const ellipsis = theme.sign("ellipsis");
    shown[limit - 1] = widthOf(cut) < room ? cut + ellipsis : clip(`${cut} `, room, ellipsis);
  }
  return shown.map((line, index) =>
    index === 0 && rest.length > 0
      ? [{ text: " " }, first, { text: line.slice(first.text.length) }]
      : [{ text: ` ${line}`, role: rest.length > 0 ? null : (first.role ?? null) }],
  );
}
