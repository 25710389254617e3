// The Rules screen as rows: errors of the file, the list of rules, and the details of one. Pure.

import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { RuleRecords } from "#src/contract/records/rule-record.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { formatClock, formatMoment } from "#src/display/time.ts";
import type { ListedRule, RulesState } from "#src/state/sandbox/rules.ts";
import { filledBand } from "#src/ui/arranged.ts";
import { fitTail, fit } from "#src/ui/fit.ts";
import { listingView, type Listing, type ListingView } from "#src/ui/listing-view.ts";
import { AXIS, fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { ruleColumns, type RulesRenderOptions } from "./list-rows.ts";
import { ruleLines } from "./rule-lines.ts";

export interface RulesView extends ListingView {
  /** Errors above the panes, over the whole width. */
  readonly top: readonly Row[];
}

const NO_LABELS = { bad: 0, good: 0 };

/** The risk level in the key of a project; medium while there is none. */
export function levelOf(project: string | null): RiskLevel {
  const last = project?.slice(project.lastIndexOf("/") + 1);
  return RISK_LEVELS.find((level) => level === last) ?? "medium";
}

/** @param state `listed` are the rules that the filter lets through: what an audience sees of its words finds nothing */
export function rulesView(
  state: RulesState & { readonly listed: readonly ListedRule[] },
  size: Size,
  options: RulesRenderOptions,
): RulesView {
  const { theme, level } = options;
  const { columns } = size;
  const top = options.isThere ? wrongRows(state, columns, options) : [];
  const area = { ...size, rows: Math.max(2, size.rows - top.length) };
  const { seen, filter, sort, listed: items } = state;
  if (seen === null) {
    const height = area.rows - 1;
    const rows = textRows(absence(state, options), columns, theme);
    return { top, bands: [filledBand({ title: "Rules", width: columns }, rows, height)], page: 1, end: 0 };
  }
  const rule = items.find(({ code }) => code === state.selectedId) ?? items[0] ?? null;
  const listing: Listing<ListedRule> = {
    items,
    selected: rule,
    columns: ruleColumns(state.records, options),
    sort,
    title: seen.reading.fromFile ? "Rules of your file" : "Starter rules",
    filter,
    empty: `No rule matches the filter; press ${theme.keyName("rules.back")} to see all, or ${theme.keyName("rules.filter")} to change it.`,
    facts(width, height) {
      const facts = factRows(state, width, options);
      return height - facts.length >= ALL_FACTS_FROM ? facts : facts.slice(0, 1);
    },
    detail: { title: rule === null ? "Rule" : safe(rule.code, { max: 60 }) },
    detailRows: (width) =>
      rule === null ? [] : ruleLines(rule, level, state.records?.labelled ?? NO_LABELS, width, theme),
  };
  return { top, ...listingView(listing, state, { least: 54, share: 0.52, most: 100 }, area, theme) };
}

function absence({ fault }: RulesState, { isThere }: RulesRenderOptions): string {
  if (!isThere) {
    return "The rules of this service are its own; only the sandbox shows its rules and lets you change them.";
  }
  return fault === null ? "Asking the sandbox for its rules." : safe(fault, { max: 600 });
}

/** The error of a rule file or of what was written, its position, and what to do. */
function wrongRows({ seen, fault, draft }: RulesState, columns: number, options: RulesRenderOptions): Row[] {
  const { keyName } = options.theme;
  const error = seen?.reading.error ?? null;
  const since = error === null ? "" : ` since ${formatClock(error.at)}`;
  const gone =
    draft !== null || seen === null || fault === null
      ? []
      : sentence(
          "warning",
          `Not current, the last reading is shown: ${safe(fault, { max: 300 })}`,
          columns,
          options,
        );
  const [wrong, what, next] =
    draft === null
      ? [seen?.wrong ?? null, `The rule file is wrong${since}`, `${keyName("rules.edit")} opens it`]
      : [
          draft.wrong,
          "What you wrote cannot be used",
          `${keyName("rules.editAgain")} opens it again, ${keyName("rules.discard")} discards it`,
        ];
  if (wrong === null) return gone;
  return [
    ...gone,
    ...sentence("error", `${what}: ${wrong.message}`, columns, options),
    ...excerptRows(wrong.excerpt, columns, options.theme),
    ...sentence(null, `${next}; the previous rules stay in effect.`, columns, options),
  ];
}

const MESSAGE_ROWS = 3;

/** @param sign before it, and the role of all of it */
function sentence(
  sign: "error" | "warning" | null,
  text: string,
  columns: number,
  { theme }: RulesRenderOptions,
): Row[] {
  const rows = textRows(safe(text, { max: 700 }), columns, theme, {
    role: sign,
    indent: AXIS + 2,
    limit: MESSAGE_ROWS,
  });
  if (sign === null) return rows;
  return rows.map((row, index) =>
    index === 0
      ? fitRow([{ text: `  ${theme.sign(sign)} `, role: sign }, ...row.slice(1)], columns, theme)
      : row,
  );
}

/** The line of the file and the mark below it, scrolled so that the position is visible. */
function excerptRows(excerpt: string | null, columns: number, theme: Theme): Row[] {
  if (excerpt === null) return [];
  const [line = "", mark = ""] = excerpt.replaceAll("\t", " ").split("\n");
  const room = Math.max(10, columns - 6);
  const from = mark.length <= room - 4 ? 0 : mark.length - Math.floor(room * 0.6);
  const shown = safe(line.slice(from, from + room), { max: room });
  const ellipsis = from === 0 ? "   " : ` ${theme.sign("ellipsis")} `;
  return [
    fitRow([{ text: `  ${ellipsis}` }, { text: shown, role: "heading" }], columns, theme),
    fitRow([{ text: "     " }, { text: mark.slice(from), role: "error" }], columns, theme),
  ];
}

/** Height below the facts from which all of them are shown. */
const ALL_FACTS_FROM = 8;

/** The thresholds of the score, and when and from where the rules were read. */
function factRows(
  { seen, records }: RulesState,
  columns: number,
  { theme, level, now }: RulesRenderOptions,
): Row[] {
  const { facts, reading } = seen!;
  const { threeDs, block } = facts.thresholds[level];
  const dot = ` ${theme.sign("separator")} `;
  const limits = `${fit("", AXIS)}${level}: 3DS from ${threeDs}, block from ${block}`;
  const read = `${dot}read ${formatMoment(reading.loadedAt, now)}`;
  const path = fitTail(safe(reading.file, { max: 1_000 }), columns - 2, theme.sign("ellipsis"));
  return [
    fitRow([{ text: limits }, { text: read }], columns, theme),
    ...(reading.fromFile || reading.error !== null
      ? [fitRow([{ text: fit("", AXIS) + path }], columns, theme)]
      : []),
    ...(records === null ? [] : textRows(sinceText(records, now), columns, theme, { limit: 2 })),
  ];
}

function sinceText({ since, checks, labelled }: RuleRecords, now: number): string {
  const { bad, good } = labelled;
  const known =
    bad + good === 0 ? "without a label" : `${formatCount(bad)} fraudulent, ${formatCount(good)} good`;
  return `Since ${formatMoment(since, now)}: ${counted(checks, "check")}, ${known}.`;
}
