// Pictures of the sandbox from its first start to a few checks.

import { ENTER, ESC, TAB, WITH_FOOTER, type Lot } from "../studio.ts";

/** The sandbox from its first start to a few checks. */
export async function captureTypical(lot: Lot): Promise<void> {
  const home = lot.homeOf("typical");
  const studio = lot.open(home, "typical");
  await studio.until("Preparing the project");
  await studio.capture("first-start");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  await studio.capture("first-check");
  await studio.press(ENTER);
  await studio.until("PASS");
  // The amount makes the second one unusual.
  const set = async (field: number, text: string): Promise<void> => {
    await studio.press(...Array.from({ length: field }, () => TAB), "\u0015", text, ESC);
  };
  await set(3, "4900000");
  await studio.send(/3-D Secure be forced/);
  await studio.capture("question");
  await studio.press("y");
  await set(3, "18750");
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await studio.send(new RegExp(`of ${3 + attempt}\\b`));
    await studio.press(ESC);
  }
  await studio.capture("check");
  await studio.press(TAB, TAB, TAB, "x");
  await studio.capture("field");
  await studio.press("\u007F", ESC, "2");
  await studio.until(WITH_FOOTER);
  await studio.capture("register");
  await studio.press(TAB);
  await studio.capture("register-field");
  await studio.press("shop-two", TAB, "Second shop", TAB, TAB, "980", TAB, TAB, ENTER);
  await studio.until("can be fetched from");
  await studio.capture("countdown");
  await studio.press("3");
  await studio.until("demo-shop");
  await studio.capture("vault");
  await studio.press("v");
  await studio.capture("vault-secret");
  await studio.press(ESC, "d");
  await studio.capture("confirmation");
  await studio.press(ESC, "4");
  await studio.capture("history");
  await studio.press(ENTER);
  await studio.capture("detail");
  await studio.press(TAB);
  await studio.capture("detail-request");
  await studio.press(ESC, ":", "hist");
  await studio.capture("palette");
  await studio.press(ESC, ESC, "?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict(["sandbox", "stop"]);
}
