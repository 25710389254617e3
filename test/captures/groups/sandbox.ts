// Pictures of the sandbox's rules and conditions.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTER, ESC, WITH_FOOTER, type Lot } from "../studio.ts";

/** The sandbox's rules and conditions: looked at, edited, found wrong, and what a decision says of itself. */
export async function captureSandbox(lot: Lot): Promise<void> {
  const home = lot.homeOf("sandbox");
  const editor = join(lot.folder, "editor.sh");
  writeFileSync(editor, "#!/bin/sh\nsed -i '0,/> limit/s//> limitt/' \"$1\"\n", { mode: 0o700 });
  home.env["EDITOR"] = editor;
  const studio = lot.open(home, "sandbox");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await studio.send(new RegExp(`of ${attempt}\\b`));
    await studio.press(ESC);
  }
  await studio.press("4", ENTER);
  await studio.until("Rules that hit");
  await studio.capture("explained");
  await studio.press(..."jjjjjjjjjjjjjjjjjj".split(""));
  await studio.capture("explained-further");
  await studio.press(ESC, "7");
  await studio.until("of 41");
  await studio.press(..."jjjjjjjj".split(""));
  await studio.capture("rules");
  await studio.press(ENTER);
  await studio.capture("rule");
  await studio.press(ESC, "e");
  await studio.until("y edit a copy");
  await studio.capture("rules-question");
  await studio.press("y");
  await studio.until("What you wrote cannot be used");
  await studio.capture("rules-wrong");
  await studio.press("d", ":", "clock");
  await studio.capture("palette");
  await studio.press(" +24h", ENTER);
  await studio.until("CLOCK +1 d");
  await studio.press(":", "faults 503 x5", ENTER);
  await studio.until("1 FAULT");
  await studio.press("1");
  await studio.capture("conditions");
  await studio.press(":", "reset", ENTER);
  await studio.capture("reset");
  await studio.leave();
  await home.verdict(["sandbox", "stop"]);
}
