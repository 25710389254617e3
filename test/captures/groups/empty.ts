// Pictures of a console that nothing was done in yet.

import { ESC, TAB, WITH_FOOTER, type Lot } from "../studio.ts";

/** A profile of a test environment and nothing else. */
export async function captureEmpty(lot: Lot): Promise<void> {
  const home = lot.homeOf("empty");
  await home.verdict(["profile", "add", "shop-test", "--base-url", "https://risk.test.example"]);
  await home.verdict(["profile", "use", "shop-test"]);
  const studio = lot.open(home, "empty");
  await studio.until("No project has a credential yet");
  await studio.until(WITH_FOOTER);
  await studio.capture("check");
  await studio.press(TAB, TAB, TAB, TAB);
  await studio.capture("field");
  await studio.press(ESC, ESC, "2");
  await studio.capture("register");
  await studio.press("3");
  await studio.capture("vault");
  await studio.press("a", TAB);
  await studio.capture("vault-add");
  await studio.press(ESC, ESC, ESC, "4");
  await studio.capture("history");
  await studio.press(":");
  await studio.capture("palette");
  await studio.press(ESC, "?");
  await studio.capture("help");
  await studio.leave();
}
