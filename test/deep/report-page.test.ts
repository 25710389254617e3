// The report page in a real browser, from a file: it works under its own policy, and 10,000 payments stay quick to search.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWhole } from "#src/actions/whole-file.ts";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { interfacePage } from "#src/cli/interface-page.ts";
import { decisionReport } from "#src/replay/reports/decision-parts.ts";
import { reportPage } from "#src/replay/reports/page-markup.ts";
import { htmlReport } from "#src/replay/reports/report-html.ts";
import { describeService } from "#src/sandbox/service/openapi-route.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { decisionDay } from "../replay/decision-sample.ts";
import { HOSTILE, hostileRow } from "../replay/hostile.ts";
import { reportOf, sampleReport } from "../replay/report-sample.ts";
import { BROWSER, BROWSER_ARGUMENTS, hasBrowser, noteWithoutBrowser } from "./browser.ts";

noteWithoutBrowser("The tests of the report page are");

describe.runIf(hasBrowser)("the report page", () => {
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  let data: ReportData;
  let problems: string[];

  const open = async (name: string, report: ReportData): Promise<void> => {
    const path = join(folder, name);
    await createWhole(path, htmlReport(report, await countRows(report)));
    await page.goto(pathToFileURL(path).href);
  };
  const found = async (): Promise<string> => page.locator("#found").innerText();
  const shots = async (name: string): Promise<void> => {
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const path = join(folder, `${name}-${width}.png`);
      await page.screenshot({ path });
      expect(statSync(path).size).toBeGreaterThan(10_000);
      // Only tables scroll sideways, each in its own frame.
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "verdict-page-"));
    browser = await chromium.launchPersistentContext(join(folder, "profile"), {
      executablePath: BROWSER,
      headless: true,
      colorScheme: "light",
      viewport: { width: 1_280, height: 900 },
      args: [...BROWSER_ARGUMENTS],
    });
    page = await browser.newPage();
    problems = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) problems.push(request.url());
    });
    data = await sampleReport(10_000);
    await open("page.html", data);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("of the HTTP interface opens without a complaint, and fits a phone", async () => {
    const options = { credentialDelayS: 5, require: [], credentialUnsigned: false, version: "1" };
    const document = describeService({ recipe: recipeById("http-signatures"), ...options }, "/");
    const path = join(folder, "interface.html");
    writeFileSync(path, interfacePage(document));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(pathToFileURL(path).href);
      await shots(`interface-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    expect(problems).toEqual([]);
    await page.goto(pathToFileURL(join(folder, "page.html")).href);
  });

  it("opens from a file without a complaint and without a request", async () => {
    expect(await page.locator("h1").innerText()).toMatch(/^\d+ of 9\s983 verdicts changed$/);
    expect(await found()).toBe("10 000 items");
    expect(await page.locator("#items tbody tr").count()).toBe(100);
    await shots("light");
    expect(problems).toEqual([]);
  });

  it("is searched, filtered, sorted and paged", async () => {
    await page.fill("#search", "ndjson:331 block");
    await expect.poll(found).toMatch(/^\d+ of 10 000 items$/);
    const keys = page.locator("#items tbody tr th");
    expect(await keys.allInnerTexts()).toContain("order-40331");
    expect(await keys.count()).toBeLessThan(100);
    await page.fill("#search", "no such thing");
    await expect.poll(found).toBe("0 of 10 000 items");
    await page.fill("#search", "");
    await expect.poll(found).toBe("10 000 items");

    await page.selectOption("#filter", { label: "changed" });
    await expect.poll(found).toBe(`${data.comparison!.changes.flipped} of 10 000 items`);
    await page.selectOption("#filter", { label: "everything" });

    const amount = page.locator("#items thead th", { hasText: "Amount" });
    await amount.getByRole("button").click();
    expect(await amount.getAttribute("aria-sort")).toBe("ascending");
    expect(await page.locator("#items thead th").first().getAttribute("aria-sort")).toBe("none");
    const first = await keys.first().innerText();
    await amount.getByRole("button").click();
    expect(await amount.getAttribute("aria-sort")).toBe("descending");
    expect(await keys.first().innerText()).not.toBe(first);

    const before = await keys.first().innerText();
    await page.getByRole("button", { name: "Next" }).click();
    expect(await page.locator("#place").innerText()).toBe("Page 2 of 100");
    expect(await keys.first().innerText()).not.toBe(before);
    expect(problems).toEqual([]);
  });

  it("shows the rest of the changed verdicts when it is asked to", async () => {
    const rows = page.locator("#flips tbody tr:visible");
    expect(await rows.count()).toBe(25);
    await page.locator("#unfold").click();
    expect(await rows.count()).toBe(data.comparison!.flips.length);
  });

  it("is dark where that is preferred, and where the reader chooses it", async () => {
    const ground = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await ground();
    expect(dark).not.toBe(light);
    await shots("dark");
    await page.getByRole("button", { name: "Light colours" }).click();
    expect(await ground()).toBe(light);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Dark colours" }).click();
    expect(await ground()).toBe(dark);
    // Paper is white, whatever the screen.
    await page.emulateMedia({ media: "print" });
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: "screen" });
    expect(problems).toEqual([]);
  });

  it("draws hostile text as text", async () => {
    const rows = HOSTILE.map((text, index) => hostileRow(index + 1, text));
    const earlier = HOSTILE.map((text, index) => hostileRow(index + 1, text, "block"));
    await open("hostile.html", await reportOf(rows, earlier, { showPersonal: true }));
    expect(await found()).toBe(`${HOSTILE.length} items`);
    expect(await page.locator("img, svg[onload], [onmouseover], b b, #items tbody script").count()).toBe(0);
    expect(await page.locator("#items tbody").innerText()).toContain("</script><script>alert(1)</script>");
    expect(problems).toEqual([]);
  });

  it("runs no script but its own", async () => {
    await page.evaluate(
      'const made = document.createElement("script"); made.textContent = "window.intruded = true"; document.body.append(made)',
    );
    expect(await page.evaluate("window.intruded")).toBeUndefined();
    expect(problems.join("\n")).toContain("Content Security Policy");
  });

  it("of a decision keeps within a phone, and changes its colours", async () => {
    problems.length = 0;
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    const path = join(folder, "decision.html");
    writeFileSync(path, reportPage(decisionReport(await decisionDay(2_500))));
    await page.goto(pathToFileURL(path).href);
    await shots("decision");
    // The main table needs no scrolling, not even on a phone.
    await page.setViewportSize({ width: 390, height: 900 });
    const overhang =
      "(() => { const { scrollWidth, clientWidth } = document.querySelector('.scroll'); return scrollWidth - clientWidth; })()";
    expect(await page.evaluate(overhang)).toBe(0);
    await page.getByRole("button", { name: "Dark colours" }).click();
    await page.getByRole("button", { name: "Light colours" }).click();
    expect(problems).toEqual([]);
  });
});
