// A page in Debian's Chromium that posts payments, recorded in two ways: by the browser itself, as "Save all as HAR" of its
// developer tools does, and by Playwright. Its server keeps nothing but the log of the developer tools.

import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER, BROWSER_ARGUMENTS, noteWithoutBrowser } from "../deep/browser.ts";

noteWithoutBrowser("The test of recorded pages is");

/** An extension of the developer tools, which alone can ask them for their HAR. */
const EXTENSION: Readonly<Record<string, string>> = {
  "manifest.json": JSON.stringify({
    manifest_version: 3,
    name: "recorder",
    version: "1",
    devtools_page: "page.html",
    host_permissions: ["http://127.0.0.1/*"],
  }),
  "page.html": '<script src="page.js"></script>',
  "page.js": `
    const save = () => chrome.devtools.inspectedWindow.eval("[location.origin, document.title]", ([origin, title]) => {
      if (title === "start") chrome.devtools.inspectedWindow.eval("begin()");
      if (title !== "done") return setTimeout(save, 100);
      chrome.devtools.network.getHAR((log) => fetch(origin + "/har", { method: "POST", body: JSON.stringify({ log }) }));
    });
    save();`,
};

/** What a page sends beside checks; each secret would be seen if anything but the body of a check were taken. */
const page = (
  bodies: readonly string[],
): string => `<!doctype html><meta charset="utf-8"><title>start</title><script>
  document.cookie = "session=COOKIE-SECRET";
  const bodies = ${JSON.stringify(bodies).replaceAll("<", "\\u003c")};
  async function begin() {
    document.title = "posting";
    for (const body of bodies) {
      const headers = { "content-type": "application/json", authorization: "HEADER-SECRET" };
      await fetch("/v1/check?key=QUERY-SECRET", { method: "POST", headers, body });
    }
    await fetch("/settings?key=QUERY-SECRET");
    await fetch("/form", { method: "POST", body: new URLSearchParams({ password: "FORM-SECRET" }) });
    await fetch("/login", { method: "POST", body: JSON.stringify({ password: "LOGIN-SECRET" }) });
    document.title = "done";
  }
</script>`;

/**
 * Posts bodies to a server of its own from a page.
 * @returns paths of the two recordings, in the folder
 */
export async function recordPage(
  folder: string,
  bodies: readonly string[],
): Promise<{ readonly browser: string; readonly playwright: string }> {
  const paths = { browser: join(folder, "browser.har"), playwright: join(folder, "playwright.har") };
  const extension = join(folder, "extension");
  mkdirSync(extension);
  for (const [name, text] of Object.entries(EXTENSION)) writeFileSync(join(extension, name), text);
  let saved = (): void => undefined;
  const isSaved = new Promise<void>((resolve) => (saved = resolve));
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      if (request.url === "/har") {
        writeFileSync(paths.browser, body);
        saved();
      }
      response.setHeader("access-control-allow-origin", "*");
      if (request.url === "/") response.setHeader("content-type", "text/html").end(page(bodies));
      else response.setHeader("content-type", "application/json").end('{"status":"ANSWER-SECRET"}');
    };
    void answer();
  });
  const origin = await listening(server);
  const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: BROWSER,
    // Playwright's own kind of headless knows no developer tools.
    headless: false,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [
      ...BROWSER_ARGUMENTS,
      "--headless=new",
      // The developer tools, in which the extension runs.
      "--auto-open-devtools-for-tabs",
      `--load-extension=${extension}`,
      `--disable-extensions-except=${extension}`,
    ],
    recordHar: { path: paths.playwright },
  });
  try {
    await (await browser.newPage()).goto(origin);
    await isSaved;
  } finally {
    await browser.close();
    server.close();
  }
  return paths;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
