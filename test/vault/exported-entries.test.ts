// The text inside an export of the vault: what goes out comes back, and a project has one of two names.

import { expect, it } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { readEntries, renderEntries } from "#src/vault/exported-entries.ts";
import { BASE, SECRET } from "./place.ts";

const details = {
  id: "entry-1",
  kind: "project_credential",
  profile: "shop",
  keyId: "key-1",
  algorithm: "hmac-sha256",
  projectId: "prj-1",
  baseUrl: BASE,
  addedAt: 0,
  secret: new Secret(SECRET),
} as const;

it.each(["shop/low", "prj-1"])("brings back a credential of the project %s", (projectKey) => {
  const text = renderEntries([{ ...details, projectKey }], 0);
  expect(readEntries(text)).toMatchObject([{ projectKey, projectId: "prj-1", keyId: "key-1" }]);
});

it("refuses another name", () => {
  const text = renderEntries([{ ...details, projectKey: "prj-2" }], 0);
  expect(() => readEntries(text)).toThrow("merchant/risk-level");
});
