// verdict serve --openapi: the document of a sandbox that is not started.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsOf, type ReadDocument } from "../contract/openapi-schemas.ts";
import { testHomeOfTests } from "./verdict-process.ts";

describe("verdict serve --openapi", () => {
  const home = testHomeOfTests();

  const print = async (...options: string[]): Promise<ReadDocument> => {
    const state = join(home.folder, "served");
    const ran = await home.run(["serve", "--openapi", "--state", state, ...options]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(state)).toBe(false);
    return JSON.parse(ran.stdout) as ReadDocument;
  };

  it("prints OpenAPI 3.1 for the default address, and starts nothing", async () => {
    const document = await print();
    expect(await problemsOf(document)).toEqual([]);
    expect(document.openapi).toBe("3.1.1");
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document.servers).toEqual([{ url: "http://127.0.0.1:8787" }]);
    expect(Object.keys(document.paths)).toEqual([
      "/v1/check",
      "/projects",
      "/projects/credential",
      "/health",
      "/ready",
    ]);
  });

  it("follows the switches of the sandbox", async () => {
    const switches = "--require payer.email --host ::1 --port 9000 --recipe rfc9421 --credential-unsigned";
    const document = await print(...switches.split(" "), "--credential-delay", "60", "--embedded");
    expect(document.servers).toEqual([{ url: "http://[::1]:9000" }]);
    expect(document.components.schemas["CheckRequest"]).toMatchObject({ required: ["payer"] });
    const { parameters = [] } = document.paths["/v1/check"]!.post;
    expect(parameters.map(({ name }) => name)).toContain("signature-input");
    const { description } = document.paths["/projects/credential"]!.post;
    expect(description).toMatch(/from 60 s .*unsigned/);
    expect((await print("--port", "0")).servers).toEqual([{ url: "/" }]);
  });

  it("refuses switches that the sandbox refuses", async () => {
    const ran = await home.run("serve --openapi --require payer.mail");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("payer.mail");
  });
});
