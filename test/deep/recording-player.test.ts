// A recording in the player of asciinema, in a real browser: it reads it without a complaint and shows each step.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHomeOfTests } from "../cli/verdict-process.ts";
import { playCast, readCast } from "../terminal/cast-reader.ts";
import { BROWSER, hasBrowser, noteWithoutBrowser } from "./browser.ts";

noteWithoutBrowser("The test of the player is");

/** What the player draws by itself and does not write as text: blocks and lines. */
const DRAWN = /[\u2500-\u259f]/g;

describe.runIf(hasBrowser)("the player of asciinema", () => {
  const home = testHomeOfTests();
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("shows each step at its marker", async () => {
    const path = join(home.folder, "talk.cast");
    const args = ["demo", "one-card", "--auto", "4s", "--record", path, "--size", "80x24"];
    expect(await home.run(args)).toMatchObject({ code: 0 });
    const text = readFileSync(path, "utf8");
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    const bundle = fileURLToPath(import.meta.resolve("asciinema-player/dist/bundle/asciinema-player.min.js"));
    await page.setContent('<!doctype html><meta charset="utf-8"><div id="player"></div>');
    await page.addScriptTag({ content: readFileSync(bundle, "utf8") });
    const length = await page.evaluate(async (data) => {
      const { AsciinemaPlayer } = globalThis as unknown as { AsciinemaPlayer: Player };
      const { document } = globalThis as unknown as { document: { getElementById(id: string): unknown } };
      const player = AsciinemaPlayer.create({ data }, document.getElementById("player"), { preload: true });
      (globalThis as unknown as { player: unknown }).player = player;
      await player.seek(0);
      return player.getDuration();
    }, text);
    const cast = readCast(Buffer.from(text));
    const screens = await playCast(cast);
    expect(length).toBe(cast.events.at(-1)!.at / 1_000);
    const plain = (screen: string): string => screen.replaceAll(DRAWN, " ").replaceAll(/ +$/gm, "").trimEnd();
    const markers = cast.events.flatMap(({ code, at }) => (code === "m" ? [at] : []));
    expect(markers).toHaveLength(7);
    for (const marker of markers) {
      // In the middle of what is shown after it.
      const moment = marker + 2_000;
      const shown = screens[cast.events.findLastIndex(({ at }) => at <= moment)]!;
      await page.evaluate(
        (at) => (globalThis as unknown as { player: ReturnType<Player["create"]> }).player.seek(at),
        moment / 1_000,
      );
      await expect
        .poll(async () => plain((await page.locator(".ap-line").allTextContents()).join("\n")))
        .toBe(plain(shown));
    }
    expect(problems).toEqual([]);
  });
});

interface Player {
  create(
    source: { readonly data: string },
    element: unknown,
    options: { readonly preload: boolean },
  ): { seek(seconds: number): Promise<void>; getDuration(): number | Promise<number> };
}
