// Leaving at any moment of the start, over a long history: gone with its exit code, and the terminal and the home as they were.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeBulkHistory } from "../../bench/bulk-history.ts";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import { GIVEN_BACK, KEY, openConsole } from "./stage.ts";

const ENTRIES = 30_000;
const ROWS = " of 500";

describe("leaving the console while it starts", () => {
  const home = testHomeOfTests();
  beforeAll(async () => {
    await writeBulkHistory(
      join(home.env["VERDICT_HOME"]!, "data"),
      ENTRIES,
      { profile: "sandbox", project: "shop/medium" },
      Date.now(),
    );
  });

  const moments = [
    ["the first frame", "Compose"],
    ["the first rows", ROWS],
  ] as const;
  const keys = [
    ["Ctrl-C", KEY.interrupt, 130],
    ["q", "q", 0],
  ] as const;
  it.each(moments.flatMap(([when, shown]) => keys.map((key) => [when, shown, ...key] as const)))(
    "at %s (%s) with %s",
    async (_when, shown, _name, key, code) => {
      const terminal = openConsole(home);
      await terminal.until(shown);
      expect(await terminal.type(key).exit).toMatchObject({ code });
      expectRestored(terminal.modes(), terminal.screen());
    },
  );

  it("before the first frame, as soon as it has the keyboard", async () => {
    const terminal = openConsole(home);
    await terminal.until(() => terminal.modes().markedPastes);
    expect(await terminal.type(KEY.interrupt).exit).toMatchObject({ code: 130 });
    expectRestored(terminal.modes(), terminal.screen());
  });

  function expectRestored(modes: object, screen: string): void {
    expect(modes).toEqual(GIVEN_BACK);
    expect(screen.replaceAll("\n", "").trim()).toMatch(/^No check was sent in this session; .+\.$/);
    const files = readdirSync(home.folder, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => file.endsWith(".tmp"))).toEqual([]);
  }
});
