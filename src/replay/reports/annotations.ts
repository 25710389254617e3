// Items that fail a run as annotations of a GitHub workflow, which shows each beside the line of its payload.

import { sharedFlips } from "#src/contract/records/flip.ts";
import { disarmed } from "#src/display/guard.ts";
import { safe } from "#src/display/safe.ts";
import { outcomeReason, verdictLabel } from "#src/display/verdict.ts";
import { judgedRows, type JudgedRow, type ReportData } from "./report-data.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

/** GitHub shows ten errors of a step. */
const SHOWN = 10;
const LONGEST_TEXT = 500;

/** One workflow command a line: failed gates, the worst changes, then verdicts that were not expected or are missing. */
export async function githubAnnotations(data: ReportData): Promise<string[]> {
  const privacy = createPrivacy(data.showPersonal);
  const flips = sharedFlips(data.comparison?.flips ?? [], SHOWN);
  const places = new Map(flips.map(({ key }, place) => [key, place]));
  const failing: JudgedRow[] = [];
  for await (const judged of judgedRows(data)) {
    if (judged.standing !== "passed") failing.push(judged);
    // The worst change has the first place.
    if (failing.length > 2 * SHOWN) keepWorst(failing, places);
  }
  keepWorst(failing, places);
  const gates = data.failedGates.map(
    ({ gate, limit, message: said }) => `::error title=${property(`--${gate} ${limit}`)}::${message(said)}`,
  );
  const missing =
    data.info.state === "partial"
      ? ["::error title=missing items::The run is partial: not every payment was sent"]
      : [];
  return [...missing, ...gates, ...failing.map((judged) => command(judged, privacy))].slice(0, SHOWN);
}

function keepWorst(failing: JudgedRow[], places: ReadonlyMap<string, number>): void {
  const place = ({ row }: JudgedRow): number => places.get(row.key) ?? Number.MAX_SAFE_INTEGER;
  failing.sort((a, b) => place(a) - place(b)).splice(SHOWN);
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function command({ row, kind, was, expectationFailed }: JudgedRow, privacy: Privacy): string {
  const own = (raw: string): string => safe(privacy.text(raw, row.request), { max: LONGEST_TEXT });
  const [, file = row.origin, line] = /^(.*):(\d{1,9})$/s.exec(row.origin) ?? [];
  const title = [
    verdictLabel(kind, false),
    ...(expectationFailed && row.expect !== null ? [`expected ${verdictLabel(row.expect, false)}`] : []),
    ...(was === null ? [] : [`was ${verdictLabel(was, false)}`]),
  ].join(", ");
  const properties = [
    `file=${property(own(file))}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${property(`${safe(row.key, { max: LONGEST_TEXT })}: ${title}`)}`,
  ];
  return `::error ${properties.join(",")}::${message(own(row.result?.message ?? outcomeReason(row.result)))}`;
}

function message(text: string): string {
  return disarmed(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
