// The verdict card of Check: the word in big letters, what to do and why at the left, score and counters at the right. Pure.

import type { Decision } from "#src/display/decision.ts";
import { withOthers } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { formatLatency } from "#src/display/time.ts";
import type { Kinds } from "#src/display/verdict.ts";
import { seenLines } from "#src/ui/decision-lines.ts";
import { flipSection, rulingFields } from "#src/ui/explanation-lines.ts";
import { fit } from "#src/ui/fit.ts";
import { gaugeRows } from "#src/ui/gauge.ts";
import { Page } from "#src/ui/page.ts";
import { AXIS, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { countedRows, heroRows, heroWidth, whyRows } from "#src/ui/verdict-rows.ts";
import {
  checkBanner,
  decisionShown,
  overHead,
  urgentRows,
  warningRows,
  whyKey,
  type BannerInput,
} from "./banner.ts";

export interface VerdictCard {
  readonly title: string;
  /** At the right end of the title row. */
  readonly note: string;
  readonly left: readonly Row[];
  readonly right: readonly Row[];
}

/** Rows from which the word takes twice the columns, and four times. */
const WIDE_FROM = 13;
const HUGE_FROM = 30;
/** Rows from which there is one between the title and the word. */
const AIRY_FROM = 18;
const BLANK: Row = [{ text: " " }];

/** @param input `width` and `limit` are those of the left half; @param right columns of the right one */
export function verdictCard(input: BannerInput, right: number, theme: Theme): VerdictCard {
  const decision = decisionShown(input, theme);
  if (decision === null) {
    const banner = checkBanner(input, theme);
    return { ...banner, left: banner.rows, right: [] };
  }
  const { limit } = input;
  const { kinds, todo } = decision;
  const width = input.width - AXIS;
  const hero = indented(heroRows(kinds, [todo], width, scaleFor(kinds, width, limit, theme), theme));
  const urgent = [...urgentRows(input, theme), ...warningRows(input, theme)];
  // A blank row between the groups where there is room.
  const gap = limit >= WIDE_FROM ? [BLANK] : [];
  const top = limit >= AIRY_FROM ? [BLANK] : [];
  const above = [...top, ...hero, ...gap, ...urgent, ...(urgent.length > 0 ? gap : [])];
  const room = Math.max(0, limit - above.length - 1);
  const key = `: ${whyKey(input, theme)}`;
  const whys = whyRows(decision, width, room, theme, key);
  const flips = flipRows(decision, width, limit - above.length - whys.length, whyKey(input, theme), theme);
  const beside = above.length - top.length - gap.length;
  const facts = [...top, ...indented(factRows(input, decision, right - AXIS, beside, theme))];
  const blank = Math.max(gap.length, above.length - facts.length);
  const counted = countedRows(decision.counters, right - AXIS, limit - facts.length - blank, theme, key);
  return {
    ...overHead(input, theme),
    left: [...above, ...indented([...whys, ...flips])],
    // Counters start beside the reasons.
    right: [...facts, ...Array.from({ length: blank }, () => BLANK), ...indented(counted)],
  };
}

function indented(rows: readonly Row[]): Row[] {
  return rows.map((row) => [{ text: fit("", AXIS) }, ...row]);
}

function scaleFor(kinds: Kinds, width: number, height: number, theme: Theme): 4 | 2 | "half" {
  if (height >= HUGE_FROM && heroWidth(kinds, 4, theme) <= width) return 4;
  return height >= WIDE_FROM && heroWidth(kinds, 2, theme) <= width ? 2 : "half";
}

/** A blank row, two of titles, one value that would flip it, and what shows the others. */
const FLIPS_LEAST = 5;

/** What would flip it, as much as has room. @param why the key that shows the others */
function flipRows({ flips }: Decision, width: number, room: number, why: string, theme: Theme): Row[] {
  const page = new Page(width, theme);
  if (flips !== null) flipSection(page, flips);
  if (page.rows.length <= room) return page.rows;
  const more: Row = [{ text: `and more: ${why}`, role: "quiet" }];
  return room < FLIPS_LEAST ? [] : [...page.rows.slice(0, room - 1), more];
}

/** Rules without their data that are named: a payment with few fields has many. */
const LACKING_MOST = 4;

/**
 * The score with both marks and what decided; of a service that explains nothing, how it answered, and what
 * was before.
 * @param room rows up to which there is more than the reader has to know
 */
function factRows(
  { entry, seen }: BannerInput,
  { score, lacking }: Decision,
  width: number,
  room: number,
  theme: Theme,
): Row[] {
  if (entry === null || entry.result === null) return [];
  const { result, explanation } = entry;
  const page = new Page(width, theme);
  const status = result.httpStatus === null ? "nothing" : `HTTP ${result.httpStatus}`;
  const took = result.latencyMs === null ? "" : ` in ${formatLatency(result.latencyMs)}`;
  const answered = `${status}${took}, attempt ${result.attempts}`;
  if (explanation === null || score === null) {
    page.field("Answered", answered);
    if (seen?.id === entry.id) seenLines(page, seen);
    return page.rows;
  }
  for (const row of gaugeRows(score, width, theme)) page.spans(row);
  if (room > page.rows.length + 2) page.blank();
  rulingFields(page, explanation);
  const others = Math.max(0, lacking.length - LACKING_MOST);
  if (lacking.length > 0)
    page.field("Lacks data", withOthers(lacking.slice(0, LACKING_MOST).join(", "), others));
  const more = [
    ["Project", safe(entry.project)],
    ...(result.tenant === undefined ? [] : [["Tenant", safe(result.tenant)] as const]),
    ["Decision", safe(result.decisionId ?? "none")],
    ["Answered", answered],
  ] as const;
  for (const [label, text] of more) if (page.rows.length < room) page.field(label, text);
  return page.rows;
}
