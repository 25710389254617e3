// The page of a deck in a real browser, from a file: slides by key, button, swipe and address, on paper, and without a script.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storyPage } from "#src/story-page.ts";
import { PAYMENT, storyOf } from "../replay/story-sample.ts";
import { BROWSER, BROWSER_ARGUMENTS, hasBrowser, noteWithoutBrowser } from "./browser.ts";

noteWithoutBrowser("The tests of the page of a deck are");

const IDS = ["start", "step-1", "step-1-2", "step-2", "step-3", "step-4", "step-5", "end"];

describe.runIf(hasBrowser)("the page of a deck", () => {
  let folder: string;
  let address: string;
  let browser: Browser;
  let page: Page;
  let problems: string[];

  const open = async (hash = "", options: Parameters<Browser["newPage"]>[0] = {}): Promise<void> => {
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, ...options });
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) problems.push(request.url());
    });
    await page.goto(address + hash);
  };
  const shown = (): Promise<unknown> =>
    page.evaluate(
      "[...document.querySelectorAll('.slide')].filter((each) => each.checkVisibility()).map(({ id }) => id)",
    );
  const after = async (key: string): Promise<unknown> => {
    await page.keyboard.press(key);
    return shown();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "verdict-story-"));
    const said = "A customer pays in the shop, and the card is new here.";
    const { deck, frames } = storyOf({ said, note: "Look at the counters.", request: PAYMENT });
    const path = join(folder, "story.html");
    writeFileSync(path, storyPage(deck, frames, { notes: true }));
    address = pathToFileURL(path).href;
    problems = [];
    browser = await chromium.launch({
      executablePath: BROWSER,
      headless: true,
      args: [...BROWSER_ARGUMENTS],
    });
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("goes slide by slide, by key and by button", async () => {
    await open();
    expect(await shown()).toEqual(["start"]);
    expect(await after("ArrowLeft")).toEqual(["start"]);
    expect(await after("ArrowRight")).toEqual(["step-1"]);
    expect(await after("Space")).toEqual(["step-1-2"]);
    expect(new URL(page.url()).hash).toBe("#step-1-2");
    expect(await after("Shift+Space")).toEqual(["step-1"]);
    expect(await after("End")).toEqual(["end"]);
    expect(await after("ArrowRight")).toEqual(["end"]);
    expect(await after("Home")).toEqual(["start"]);
    await page.getByRole("button", { name: "Next" }).click();
    expect(await shown()).toEqual(["step-1"]);
    expect(await page.locator("#place").innerText()).toBe(`2 / ${IDS.length}`);
    // Space presses the button that has the keyboard, once.
    expect(await after("Space")).toEqual(["step-1-2"]);
    await page.getByRole("button", { name: "Back" }).click();
    expect(await shown()).toEqual(["step-1"]);
  });

  it("opens at an address, and follows a new one", async () => {
    await open("#step-3");
    expect(await shown()).toEqual(["step-3"]);
    await page.evaluate("location.hash = 'step-4'");
    await expect.poll(shown).toEqual(["step-4"]);
    await page.evaluate("location.hash = 'no-such-step'");
    expect(await shown()).toEqual(["step-4"]);
  });

  it("shows notes and answers when asked, and hides them again", async () => {
    await open("#step-1");
    const [note, answer] = [page.locator(".slide.now .note"), page.locator(".slide.now details pre.wide")];
    expect([await note.isVisible(), await answer.first().isVisible()]).toEqual([false, false]);
    await page.keyboard.press("n");
    await page.keyboard.press("w");
    expect([await note.isVisible(), await answer.first().isVisible()]).toEqual([true, true]);
    await page.getByRole("button", { name: "For the presenter" }).click();
    await page.keyboard.press("w");
    expect([await note.isVisible(), await answer.first().isVisible()]).toEqual([false, false]);
  });

  it("keeps within a telephone in letters that can be read, and is swiped", async () => {
    await open("", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    for (const id of IDS) {
      expect(await shown()).toEqual([id]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      const overhang =
        "[...document.querySelectorAll('.slide.now pre')].every((pre) => pre.scrollWidth <= pre.clientWidth)";
      expect(await page.evaluate(overhang)).toBe(true);
      const smallest =
        "Math.min(...[...document.querySelectorAll('.slide.now *')].filter((each) => each.checkVisibility()).map((each) => parseFloat(getComputedStyle(each).fontSize)))";
      expect(await page.evaluate(smallest)).toBeGreaterThanOrEqual(12);
      await page.evaluate(`(() => {
        const touch = (x) => [new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 300 })];
        const send = (kind, x) => dispatchEvent(new TouchEvent(kind, { touches: touch(x), changedTouches: touch(x) }));
        send("touchstart", 300);
        send("touchend", 120);
      })()`);
    }
  });

  it("is a page a slide on paper, without controls and notes", async () => {
    await open("#step-2");
    await page.keyboard.press("n");
    await page.emulateMedia({ media: "print" });
    expect(await shown()).toEqual(IDS);
    for (const look of [".walk", ".note", "#theme", "details"])
      expect(await page.locator(`${look}:visible`).count(), look).toBe(0);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(IDS.length);
  });

  it("is read from top to bottom without a script", async () => {
    await open("", { javaScriptEnabled: false });
    expect(await page.locator(".slide:visible").count()).toBe(IDS.length);
    expect(await page.locator(".walk:visible, .note:visible").count()).toBe(0);
  });
});
