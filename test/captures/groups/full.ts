// Pictures of a console after months: hundreds of checks, many projects, long and wide texts.

import { join } from "node:path";
import { writeHistory } from "../full-history.ts";
import { ENTER, ESC, TAB, WITH_FOOTER, type Lot } from "../studio.ts";

const PROJECTS = 18;

/** Hundreds of checks, many projects, some of which were not fetched in time. */
export async function captureFull(lot: Lot): Promise<void> {
  const home = lot.homeOf("full");
  const register = (id: string, name: string, level: string): Promise<string> =>
    home.verdict([
      "register",
      "--merchant-id",
      id,
      "--name",
      name,
      "--currency",
      "UAH",
      "--risk-level",
      level,
      "--description",
      "Online shop, opened this year",
    ]);
  await register("forgotten-shop", "Forgotten shop", "high");
  await register("магазин-1", "Інтернет-магазин", "low");
  await home.verdict(["sandbox", "clock", "advance", "25h"]);
  for (let shop = 0; shop < PROJECTS; shop += 1) {
    const id = shop % 5 === 4 ? `shop-of-the-northern-region-with-a-long-name-${shop}` : `shop-${shop}`;
    await register(id, `Shop ${shop}`, ["low", "medium", "high"][shop % 3]!);
  }
  await home.verdict(["sandbox", "clock", "advance", "1h"]);
  await writeHistory(
    join(home.env["VERDICT_HOME"]!, "data"),
    400,
    { profile: "sandbox", project: "shop-1/medium" },
    Date.now(),
  );

  const studio = lot.open(home, "full");
  await studio.until("of 400");
  await studio.press("2");
  await studio.until(/in the vault/);
  await studio.until(WITH_FOOTER);
  await register("new-shop", "New shop", "medium");
  await studio.press("1", "2");
  await studio.until("new-shop");
  await studio.capture("register");
  await studio.until(WITH_FOOTER);
  await studio.press("1");
  await studio.capture("check");
  // The fifth and the twelfth before the newest: lost on the way, and never decided.
  await studio.press(..."jjjjjj".split(""));
  await studio.capture("unknown");
  await studio.press(..."jjjjjjj".split(""));
  await studio.capture("open-question");
  await studio.press("d");
  await studio.capture("question");
  await studio.press(ESC);
  await studio.press("G");
  await studio.capture("oldest");
  await studio.press("g", "3");
  await studio.until(`of ${PROJECTS + 2}`);
  await studio.press("j", "j", "j");
  await studio.capture("vault");
  await studio.press("d");
  await studio.capture("confirmation");
  await studio.press(ESC, "4");
  await studio.until(/1 of 400/);
  await studio.capture("history");
  await studio.press("j", "j", "j", ENTER);
  await studio.capture("detail");
  await studio.press(ESC, ...Array.from({ length: 8 }, () => "j"), ENTER, TAB, TAB);
  await studio.capture("detail-response");
  await studio.press(ESC, "/");
  await studio.press("block");
  await studio.capture("filter");
  await studio.press(ENTER);
  await studio.capture("filtered");
  await studio.press(":");
  await studio.capture("palette");
  await studio.press(ESC, "?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict(["sandbox", "stop"]);
}
