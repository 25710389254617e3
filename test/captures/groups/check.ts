// Pictures of Check: hints and complaints of the fields, templates, what is signed, and what would be if.

import { savePayloads } from "../payloads.ts";
import { CLEAR, ENTER, ESC, TAB, WITH_FOOTER, type Home, type Lot, type Studio } from "../studio.ts";

const NOTHING = `\u001B[200~{"operation":"payment","order_id":"o-1"}\u001B[201~`;

/** A payment composed by hand and from templates, and its fields swept. */
export async function captureCheck(lot: Lot): Promise<void> {
  const home = lot.homeOf("check");
  const studio = lot.open(home, "check");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  await studio.press("t");
  await studio.capture("templates");
  await studio.press(ESC);
  savePayloads(home, false);
  await studio.press("l");
  await studio.until("order-100");
  await studio.capture("library");
  await studio.press(ESC);
  await captureFields(studio);
  await studio.press("x");
  await studio.until("What is signed");
  await studio.capture("signing");
  await studio.press(ESC, "w");
  await studio.until("What would flip it");
  await studio.capture("what-if");
  await studio.press(ESC);
  await captureSweep(home, studio);
  await studio.press(NOTHING);
  await studio.press(ESC);
  await studio.capture("missing");
  await studio.leave();
}

/** Each field with what is said of it while it is typed in, right and wrong. */
async function captureFields(studio: Studio): Promise<void> {
  // Three screens' worth: the amount, the address of the payer and the expiry of the card.
  await studio.press(TAB, TAB, TAB, CLEAR, "125000");
  await studio.capture("hint-amount");
  await studio.press(TAB, CLEAR, "UAH");
  await studio.capture("hint-currency");
  await studio.press(CLEAR, "978", ...Array.from({ length: 3 }, () => TAB), CLEAR, "10.0.0.1");
  await studio.capture("hint-address");
  await studio.press(CLEAR, "91.198.36.14", TAB, CLEAR, "olena@mailinator.com");
  await studio.capture("hint-email");
  await studio.press(CLEAR, "olena@shop-customer.example", TAB, CLEAR, "+380501234567");
  await studio.capture("hint-phone");
  await studio.press(ESC);
}

/** A sweep asked for, under way in a sandbox that is held, and with its chart. */
async function captureSweep(home: Home, studio: Studio): Promise<void> {
  const { pid } = JSON.parse(await home.verdict(["sandbox", "status", "--json"])) as { pid: number };
  await studio.press("W", CLEAR, "amount 1000..5000000");
  await studio.capture("sweep-question");
  process.kill(pid, "SIGSTOP");
  try {
    await studio.press(ENTER);
    await studio.until("under way");
    await studio.capture("sweep-running");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await studio.until(/questions?\s+to/);
  await studio.capture("sweep");
  await studio.press(ESC, "W", CLEAR, "amount 12..3", ENTER);
  await studio.capture("sweep-wrong");
  await studio.press(ESC);
}
