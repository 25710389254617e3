// The page of a whole decision, over Check.

import { safe } from "#src/display/safe.ts";
import type { ChecksState } from "#src/state/check/checks-state.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { Page } from "#src/state/page.ts";
import { decisionLines } from "#src/ui/decision-lines.ts";
import { Page as Rows } from "#src/ui/page.ts";
import type { Theme } from "#src/ui/theme.ts";

/** @param id of a row of the history */
export function whyPage(model: ConsoleModel, id: string, theme: Theme): Page<ChecksState> {
  const { checks, context, session, whatIf } = model;
  const { name: profile, amountUnit: unit } = context.profile;
  /** About the payment itself, of which the page may show a masked copy. */
  const ask = (): void => {
    const entry = checks.store.getState().entries.find((each) => each.id === id);
    if (whatIf.disabled !== null) session.say(whatIf.disabled, "note");
    else if (entry !== undefined) void whatIf.show(entry.request);
  };
  return {
    screen: "check",
    store: checks.store,
    view({ entries, inFlight, seen }, { width }) {
      const entry = entries.find((each) => each.id === id);
      const page = new Rows(width, theme);
      if (entry !== undefined) {
        decisionLines(page, entry, { theme, unit, profile, sendingId: inFlight?.id ?? null, seen });
      }
      return {
        title: `Why  ${safe(entry?.request.order_id ?? "no order id", { max: 40 })}`,
        lines: page.rows.map((fixed) => ({ fixed, text: "" })),
        keys: { whatIf: ask },
      };
    },
  };
}
