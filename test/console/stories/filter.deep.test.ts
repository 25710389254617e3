// A filter typed key by key over 100,000 checks, in the built console.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeBulkHistory } from "../../bench/bulk-history.ts";
import { testHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { KEY, openConsole } from "./stage.ts";

const ENTRIES = 100_000;
const FILTER = "verdict:block amount>10000";

/** Verdict, amount and order of the rows that are on the screen. */
function rowsOn(terminal: PseudoTerminal): string[][] {
  return terminal
    .screen()
    .split("\n")
    .flatMap((line) => {
      const found =
        /^[› ] (?:\S+ )?\S+ +\S (PASS|BLOCK|3DS|UNKNOWN|REFUSED|NOT PASS|NOT SENT) +(.*? [A-Z]{3}) +(\S+)/.exec(
          line,
        );
      return found === null ? [] : [found.slice(1, 4)];
    });
}

it("lists the right checks after every key, and the last key wins", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const data = join(home.folder, "verdict/data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  await writeBulkHistory(data, ENTRIES, { profile: "sandbox", project: "shop/medium" }, Date.now());
  const counts = new Map<string, number>();
  for (const filter of [
    "verdict:block",
    "verdict:block amount>1",
    "verdict:block amount>10000",
    "verdict:refused",
  ]) {
    const { length } = await home.json(["history", "--where", filter, "--limit", `${ENTRIES}`, "--json"]);
    counts.set(filter, length);
  }
  expect(new Set(counts.values()).size).toBeGreaterThan(1);

  const terminal = openConsole(home, { columns: 96, rows: 30 });
  await terminal.until("Compose");
  await terminal.type("4").until(/1 of 100.000, following/);
  const listed = (filter: string): Promise<string> => {
    const count = String(counts.get(filter)).replace(/\B(?=(\d{3})+$)/g, ".");
    return terminal.until(new RegExp(`History · ${filter} ━+ 1 of ${count}(?:, following)?(?: |$)`, "m"));
  };
  await terminal.type("/").until("Filter ");
  let typed = "";
  for (const key of FILTER) {
    typed += key;
    await terminal.type(key).until((screen) => screen.includes(`Filter ${typed.trimEnd()}`));
    if (typed === "verdict:bloc") expect(terminal.screen()).not.toContain("History ·");
    if (!counts.has(typed)) continue;
    await listed(typed);
    const rows = rowsOn(terminal);
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map(([verdict]) => verdict))).toEqual(new Set(["BLOCK"]));
  }
  // A word of one field marks no cell; the selected row has its bar.
  expect(terminal.look("BLOCK")).toMatchObject({ underline: false, background: 6 });

  // Faster than any search.
  for (const key of `${KEY.clear}verdict:pass${KEY.clear}kovalenko${KEY.clear}verdict:refused`)
    terminal.type(key);
  await listed("verdict:refused");
  expect(new Set(rowsOn(terminal).map(([verdict]) => verdict))).toEqual(new Set(["REFUSED"]));
  await terminal.type(KEY.esc).until(/History ━+ 1 of 100.000, following/);
});
