// Pictures of the console for an audience, in high contrast, without colour, in ASCII, and with keys of one's own.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeHistory } from "../full-history.ts";
import { ENTER, ESC, WITH_FOOTER, type Lot, type Studio } from "../studio.ts";

const EARLIER = 60;

/** The same home, looked at in every way. */
export async function captureLooks(lot: Lot): Promise<void> {
  const home = lot.homeOf("looks");
  const of = join(home.env["VERDICT_HOME"]!, "data");
  await writeHistory(of, EARLIER, { profile: "sandbox", project: "demo-shop/medium" }, Date.now() - 60_000);
  const studio = lot.open(home, "looks");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  await studio.press(ENTER);
  await studio.until(`of ${EARLIER + 1}`);
  await studio.press(ESC, "p");
  await studio.until("PRESENTER");
  await studio.capture("presenter-check");
  await studio.press("4", "j", "j");
  await studio.capture("presenter-history");
  await studio.press(ENTER);
  await studio.capture("presenter-detail");
  await studio.press(ESC, "3");
  await studio.capture("presenter-vault");
  await studio.press("v");
  await studio.capture("presenter-refused");
  await studio.leave();

  const look = async (name: string, args: readonly string[]): Promise<void> => {
    const console = lot.open(home, "looks", args);
    await captureLook(console, name);
  };
  await look("contrast", ["--theme", "high-contrast"]);
  await look("plain", ["--theme", "none"]);
  await look("ascii", ["--ascii"]);

  const config = join(home.env["VERDICT_HOME"]!, "config");
  mkdirSync(config, { recursive: true });
  const keys = async (name: string, text: string): Promise<void> => {
    writeFileSync(join(config, "keys.yaml"), text);
    const console = lot.open(home, "looks");
    await console.until(/keys are in use|F2 help/);
    await console.capture(name);
    await console.leave();
  };
  await keys("own-keys", 'check.fresh: [f7]\nshell.help: [f2, "?"]\nhistory.resend: f6\n');
  await keys("own-keys-wrong", "check.fresh: f7\ncheck.sned: f8\n");
}

/** Check with a verdict, and the history. */
async function captureLook(studio: Studio, name: string): Promise<void> {
  await studio.until(/sends this payment for/);
  await studio.press("j", "j", "j", "j", "j");
  await studio.capture(`${name}-check`);
  await studio.press("4", "j", "j");
  await studio.capture(`${name}-history`);
  await studio.leave();
}
