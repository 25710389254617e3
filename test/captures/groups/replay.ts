// Pictures of replays.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { savePayloads } from "../payloads.ts";
import { ENTER, ESC, type Lot } from "../studio.ts";

/** Payments of a replay: enough that a running one has something to draw. */
const COUNT = 300;

/** Replays from the first one to both sides of a flip. */
export async function captureReplay(lot: Lot): Promise<void> {
  const home = lot.homeOf("replay");
  const studio = lot.open(home, "replay");
  await studio.until("in the vault");
  await studio.press("5");
  await studio.until("No replay has been run yet");
  await studio.capture("empty");
  savePayloads(home, false, COUNT);
  await studio.press("n");
  await studio.until(`${COUNT} checks would be sent`);
  await studio.capture("setup");
  await studio.press(ENTER);
  await studio.until("The replay is done");
  await studio.press(ESC, "b");
  savePayloads(home, true, COUNT);
  await studio.press("n");
  await studio.until(`${COUNT} checks would be sent`);
  // Slow enough to be looked at.
  await studio.press("\u001B[Z", "25", ESC, ENTER);
  await studio.until(/1[4-9]\d done/);
  await studio.capture("running");
  await studio.press(" ");
  await studio.until("Paused");
  await studio.capture("paused");
  await studio.press(ESC);
  await studio.capture("confirmation");
  await studio.press("y");
  await studio.until("is cancelled");
  await studio.press("r");
  await studio.until("The replay is done");
  // The findings are read behind the message.
  await studio.until(/› ✔ PASS/);
  await studio.press("\u001B[C");
  await studio.until("[Causes");
  await studio.capture("result");
  await studio.press(ENTER, ENTER);
  await studio.capture("flip");
  const day = join(lot.folder, "day.ndjson");
  const payment = { operation: "payment", amount: 12_500, currency: 980 };
  const payments = Array.from({ length: 40 }, (_, at) => ({ ...payment, order_id: `r-${at}` }));
  writeFileSync(day, payments.map((each) => JSON.stringify(each)).join("\n"));
  await home.verdict(["replay", day, "--isolated"]);
  await studio.press(ESC, ESC, ESC, "1", "5");
  await studio.until("day.ndjson");
  await studio.press("j", "m", "k");
  await studio.capture("runs");
  await studio.press("?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict(["sandbox", "stop"]);
}
