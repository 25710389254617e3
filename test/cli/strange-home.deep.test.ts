// Homes where a folder cannot be made although its parent is there: /proc, and under an automounter a name without a mount.

import { expect, it, onTestFinished } from "vitest";
import { testHome } from "./verdict-process.ts";

const NOWHERE = "/proc/verdict-test";

it.runIf(process.platform === "linux").each([
  ["check - --set operation=payment", { VERDICT_HOME: NOWHERE }, 74],
  ["register --merchant-id m --name M --currency EUR --risk-level low", { VERDICT_HOME: NOWHERE }, 74],
  ["serve --embedded", { VERDICT_HOME: NOWHERE }, 74],
  ["profile add x --base-url https://risk.example.com", { VERDICT_HOME: NOWHERE }, 74],
  ["profile list", { XDG_CACHE_HOME: NOWHERE }, 0],
])("%s with %o ends, and says where", async (words, env, code) => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const ran = await home.run(words, { env, input: "{}" });
  expect(ran.code).toBe(code);
  if (code !== 0) expect(ran.stderr).toContain(NOWHERE);
});
