// The page of the HTTP interface: it has everything of the document, and nothing in a document becomes markup.

import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { interfacePage } from "#src/cli/interface-page.ts";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { outlineOf } from "#src/contract/openapi/openapi-outline.ts";
import { describeService, PAGE_PATH, type DocumentedOptions } from "#src/sandbox/service/openapi-route.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { send, startSandbox } from "../sandbox/sandbox-under-test.ts";

const OPTIONS: DocumentedOptions = {
  recipe: recipeById("http-signatures"),
  credentialDelayS: 5,
  require: [],
  credentialUnsigned: false,
  version: "1.2.3",
};

test("names every call, field and status, and links to each call", () => {
  const document = describeService(OPTIONS, "/");
  const page = interfacePage(document);
  const { calls } = outlineOf(document);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v1/check",
    "POST /projects",
    "POST /projects/credential",
    "GET /health",
    "HEAD /health",
    "GET /ready",
    "HEAD /ready",
  ]);
  for (const { body, answers } of calls) {
    for (const { path } of body?.fields ?? []) expect(page).toContain(`<code>${path}</code>`);
    for (const { status } of answers) expect(page).toContain(`<code>${status}</code>`);
  }
  const links = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
  expect(links).toHaveLength(calls.length);
  for (const id of links) expect(page.split(`id="${id}"`)).toHaveLength(2);
});

test("may run its own script alone, and asks for nothing", () => {
  const page = interfacePage(describeService(OPTIONS, "/"));
  const [script] = Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text]) => text!);
  expect(page).toContain(
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash("sha256", script!, "base64")}'`,
  );
  expect(page).not.toMatch(/(?:src|href)="(?!#)/);
});

test("shows a hostile document as text", () => {
  const hostile = `</code><script>alert(1)</script>" onload='x' \u202e`;
  const spoiled = (value: unknown): unknown => {
    if (typeof value === "string") return `${value}${value.startsWith("#/") ? "" : hostile}`;
    if (Array.isArray(value)) return value.map(spoiled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, key === "type" ? each : spoiled(each)]),
    );
  };
  const page = interfacePage(spoiled(describeService(OPTIONS, "/")) as JsonObject);
  expect(page).not.toContain("<script>alert");
  expect(page).not.toContain("onload='");
  expect(page).not.toContain("\u202e");
});

test("is served to a browser where a sandbox is given the way to make it, and made once", async () => {
  let made = 0;
  const documentPage = async (document: JsonObject): Promise<string> => {
    made += 1;
    return interfacePage(document);
  };
  const sandbox = await startSandbox({ documentPage });
  for (let times = 0; times < 2; times += 1) {
    const answer = await send(sandbox.port, { path: PAGE_PATH });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(answer.text).toContain("POST /v1/check");
  }
  expect(made).toBe(1);
  const without = await startSandbox();
  expect((await send(without.port, { path: PAGE_PATH })).status).toBe(404);
});
