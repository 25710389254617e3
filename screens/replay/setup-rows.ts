// The preflight of the source of a new replay, beside or below its form. Pure.

import type { RunInfo } from "#src/contract/records/run.ts";
import { counted, rejectedNoun } from "#src/display/count.ts";
import { leftOutText, plannedLines, warnedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Against } from "#src/state/replay/chosen-baseline.ts";
import { howToSave, noPayload, SAVED_PAYLOADS, sourceOf } from "#src/state/replay/replay-setup.ts";
import type { SetupState } from "#src/state/replay/replays-state.ts";
import { AXIS, textRows, type Row } from "#src/ui/rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { baselineText } from "./runs-rows.ts";

/** What the replay will be compared with, in a sentence. */
function againstText({ id, isSought, isElsewhere }: Against, runs: readonly RunInfo[]): string {
  const run = runs.find((each) => each.id === id);
  const how = !isSought
    ? ""
    : run === undefined
      ? "; no finished run has the same payloads"
      : ", the last one of the same payloads";
  const where = run !== undefined && isElsewhere ? `, ${decidedText(run)}` : "";
  return `Compared with ${baselineText({ baseline: id }, { runs })}${how}${where}.`;
}

const COUNTED =
  "This sandbox has the counts of an earlier replay of these payloads; Isolated begins without them.";

/** Lines of what is wrong with the source, or with a line of it, which ends with what to do. */
const WRONG_LINES = 8;

/** Where the verdicts of a run come from. */
function decidedText({ profile, project, isolated }: RunInfo): string {
  return isolated === undefined
    ? `sent to ${safe(profile)}:${safe(project)}`
    : `decided with ${safe(isolated)} for ${safe(project)}`;
}

/** The most important first: a low pane cuts the end. */
export function preflightRows(
  setup: SetupState,
  runs: readonly RunInfo[],
  width: number,
  options: ReplayRenderOptions,
): Row[] {
  const { theme } = options;
  const { preflight } = setup;
  const say = (text: string, role: "error" | "warning" | "heading" | null = null, limit = 3): Row[] =>
    textRows(text, width, theme, { role, limit });
  switch (preflight.state) {
    case "reading":
      return say("Reading the source.");
    case "long":
      return say("The source is too large to count now; the replay reads it step by step.");
    case "fault":
      return say(
        safe(preflight.message, { max: 400 }),
        preflight.message === noPayload(theme.keyName) ? "warning" : "error",
        WRONG_LINES,
      );
    case "done":
      break;
  }
  const { items, leftOut, rejected, rejectedCount, warnings, rules } = preflight.preflight;
  const left = leftOut === 0 ? [] : say(`${leftOutText(leftOut)}.`);
  if (items === 0 && rejectedCount === 0) {
    if (leftOut > 0) return [...say("Nothing would be sent.", "warning"), ...left];
    return [
      ...say("The source is empty; nothing would be sent.", "warning"),
      ...(sourceOf(setup.form) === SAVED_PAYLOADS ? say(howToSave(theme.keyName)) : []),
    ];
  }
  const lines = plannedLines(preflight.preflight, options.unit).flatMap((text, index) =>
    say(text, index === 0 ? "heading" : null),
  );
  // In sight also where there is no room for the lines themselves, which are last.
  const noun = rejectedNoun(rejected);
  const refused = `${counted(rejectedCount, `${noun} is`, `${noun}s are`)} rejected and not sent.`;
  const head = [
    ...lines.slice(0, 1),
    ...(rejectedCount === 0 ? [] : say(refused, "warning")),
    ...(options.against?.isCounted ? say(COUNTED, "warning") : []),
    ...lines.slice(1),
  ];
  if (options.against !== null) head.push(...say(againstText(options.against, runs)));
  head.push(...left);
  if (rules !== undefined) {
    head.push(
      ...say(
        `A temporary sandbox decides with ${safe(rules)}; nothing is sent to the service of the profile ${safe(options.profile)}.`,
      ),
    );
  }
  if (warnings.payloads > 0) {
    const most = safe(warnings.sentences[0]!.message);
    head.push(...say(`${warnedText(warnings.payloads)}; most often: ${most}`, "warning"));
  }
  if (rejectedCount === 0) return head;
  const rows = [...head, ...say("Rejected:", "warning")];
  for (const { origin, message } of rejected) {
    // Sentences of a source reader start with the origin.
    const text = message.startsWith(origin) ? message : `${origin}: ${message}`;
    rows.push(...textRows(safe(text, { max: 400 }), width, theme, { limit: WRONG_LINES, indent: AXIS + 2 }));
  }
  return rows;
}
