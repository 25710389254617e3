// A page that posts payments, recorded by a real browser, imported and replayed.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { busyDay } from "./busy-day.ts";
import { backtested, replayed } from "./isolated-law.ts";
import { hasBrowser } from "../deep/browser.ts";
import { recordPage } from "./recorded-page.ts";
import { testHome } from "./verdict-process.ts";

const PAYMENTS = 120;

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.runIf(hasBrowser)("a page in a browser", () => {
  it("that posted payments gives all of them, once recorded, and nothing but them", async () => {
    const home = testHome();
    onTestFinished(() => home.remove());
    const day = join(home.folder, "day.ndjson");
    writeFileSync(day, busyDay(7, PAYMENTS));
    const requests = linesOf(day).map((line) => line["request"] ?? line);
    const started = Date.now();
    const recordings = await recordPage(
      home.folder,
      requests.map((request) => JSON.stringify(request)),
    );
    const ended = Date.now();
    for (const recording of Object.values(recordings)) {
      const recorded = readFileSync(recording, "utf8");
      for (const secret of ["COOKIE-SECRET", "HEADER-SECRET", "QUERY-SECRET", "FORM-SECRET", "LOGIN-SECRET"])
        expect(recorded).toContain(secret);
      const name = basename(recording);
      const out = join(home.folder, `${name}.ndjson`);
      const rejects = join(home.folder, `${name}.rejects.ndjson`);
      const ran = await home.run(`payload import ${recording} --output ${out} --rejects ${rejects} --yes`);
      expect(ran.code, ran.stderr).toBe(0);
      const imported = linesOf(out);
      expect(imported.map(({ request }) => request)).toEqual(requests);
      const times = imported.map(({ at }) => Date.parse(at as string));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times[0]).toBeGreaterThanOrEqual(started);
      expect(times.at(-1)).toBeLessThanOrEqual(ended);
      expect(linesOf(rejects).map(({ origin }) => origin)).toEqual([
        expect.stringMatching(`^${name}: entry \\d+, POST 127\\.0\\.0\\.1:\\d+/form$`),
        expect.stringMatching(`^${name}: entry \\d+, POST 127\\.0\\.0\\.1:\\d+/login$`),
      ]);
      expect(
        `${ran.stdout}${ran.stderr}${readFileSync(out, "utf8")}${readFileSync(rejects, "utf8")}`,
      ).not.toContain("SECRET");
      // A back-test decides without a service.
      const verdicts = await replayed(home, out, 8);
      expect(verdicts.size).toBe(requests.length);
      const wanted = await backtested(home, out);
      expect([...wanted].filter(([key, verdict]) => verdicts.get(key) !== verdict)).toEqual([]);
      expect(new Set(wanted.values()).size).toBeGreaterThan(1);
    }
  });
});
