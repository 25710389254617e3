// What the source of a new replay would send, beside or below its form. Pure.

import { safe } from "#src/display/safe.ts";
import type { SetupState } from "#src/state/replay/replay-form.ts";
import { NO_PAYLOAD } from "#src/state/replay/replay-setup.ts";
import { textRows, type Row } from "#src/ui/rows.ts";
import { moneyText, type ReplayLook } from "./look.ts";

/** @param height rows that there are: rejected lines are shown as far as they fit */
export function surveyRows(setup: SetupState, width: number, height: number, look: ReplayLook): Row[] {
  const { theme } = look;
  const { survey } = setup;
  const say = (text: string, role: "error" | "warning" | "heading" | null = null, limit = 3): Row[] =>
    textRows(text, width, theme, { role, limit });
  switch (survey.state) {
    case "reading":
      return say("Reading the source.");
    case "long":
      return say("There is more than can be counted in a moment; the replay reads it as it goes.");
    case "fault":
      return say(safe(survey.message, { max: 400 }), survey.message === NO_PAYLOAD ? "warning" : "error", 4);
    case "done":
      break;
  }
  const { items, money, expectations, rejected, rejectedCount, warnings } = survey.survey;
  if (items === 0 && rejectedCount === 0) {
    return [
      ...say("The source is empty; nothing would be sent.", "warning"),
      ...say("On History, s saves a check as a payload, and on Check, s saves what is composed."),
    ];
  }
  const head = [
    ...say(`${items} ${items === 1 ? "check" : "checks"} would be sent.`, "heading"),
    ...(money.length === 0 ? [] : say(`Worth ${moneyText(money, look.unit)}.`)),
    ...(expectations === 0
      ? []
      : say(`${expectations} ${expectations === 1 ? "says" : "say"} which verdict is expected.`)),
  ];
  if (warnings.payloads > 0) {
    const payments = warnings.payloads === 1 ? "payment has" : "payments have";
    head.push(
      ...say(
        `${warnings.payloads} ${payments} warnings; most often: ${safe(warnings.sentences[0]!.message)}`,
        "warning",
      ),
    );
  }
  if (rejectedCount === 0) return head;
  const lines = rejectedCount === 1 ? "line is" : "lines are";
  const rows = [...head, ...say(`${rejectedCount} ${lines} rejected and not sent:`, "warning")];
  for (const { origin, message } of rejected) {
    if (rows.length >= height) break;
    // A sentence of a reader names its place itself.
    const text = message.startsWith(origin) ? message : `${origin}: ${message}`;
    rows.push(...textRows(safe(text, { max: 300 }), width, theme, { limit: 2, indent: 2 }));
  }
  return rows;
}
