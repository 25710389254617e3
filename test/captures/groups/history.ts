// Pictures of the history: what its strip and marks say, filters, the tabs of a check, two of them compared, batch and export.

import { join } from "node:path";
import { writeHistory } from "../full-history.ts";
import { CLEAR, ENTER, ESC, TAB, WITH_FOOTER, type Lot } from "../studio.ts";

const UP = "\u001B[A";
const EARLIER = 60;
const SENT = 5;

/** Earlier checks of every kind, and a few real ones with one card, more than the rules let pass. */
export async function captureHistory(lot: Lot): Promise<void> {
  const home = lot.homeOf("history");
  const owner = { profile: "sandbox", project: "demo-shop/medium" };
  await writeHistory(join(home.env["VERDICT_HOME"]!, "data"), EARLIER, owner, Date.now() - 60_000);
  const studio = lot.open(home, "history");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  for (let sent = 1; sent <= SENT; sent += 1) {
    await studio.send(new RegExp(`of ${EARLIER + sent}\\b`));
    await studio.press(ESC);
  }
  await studio.press("4");
  await studio.until("& note");
  await studio.press("m", "j", "j", "j", "j");
  await studio.capture("marks");
  await studio.press("c");
  await studio.until("changed");
  await studio.capture("compare");
  await studio.press(ESC, "g");

  await studio.press(ENTER);
  for (const tab of ["decision", "request", "response", "signature", "timing"]) {
    await studio.capture(`detail-${tab}`);
    await studio.press(TAB);
  }
  await studio.press(ESC);

  await studio.press("/", "verdict:pass", ENTER, "/", CLEAR, "amount>100 currency:UAH", ENTER);
  await studio.press("/", CLEAR, UP, UP);
  await studio.capture("filter-remembered");
  await studio.press(CLEAR, "amount>x", ENTER);
  await studio.capture("filter-wrong");
  await studio.press(CLEAR, "verdict:block", ENTER);
  await studio.press("R");
  await studio.capture("batch");
  await studio.press(ESC, "E");
  await studio.press(CLEAR, join(lot.folder, "blocked.json"));
  await studio.capture("export");
  await studio.press(ENTER);
  await studio.until(/entr(y is|ies are) in/);
  await studio.capture("exported");
  await studio.leave();
}
