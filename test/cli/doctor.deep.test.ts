// verdict doctor where a clock is wrong, and where a newer version wrote the documents.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { renderGeneration } from "#src/storage/documents/generation.ts";
import { answer, startHostileService, type SeenRequest } from "../client/hostile-service.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

interface Finding {
  readonly area: string;
  readonly state: string;
  readonly what: string;
  readonly next: string | null;
}

let home: TestHome;
const path = (name: string): string => join(home.folder, "verdict", name);

beforeEach(async () => {
  home = testHome();
  const key = ["--key-id", "k", "--company-id", "c", "--secret-stdin"];
  await home.run(["vault", "add", ...key], { input: "a-secret-of-the-doctor" });
  await home.run(["profile", "add", "other", "--base-url", "https://check.example"]);
});
afterEach(() => home.remove());

async function examine(
  env: NodeJS.ProcessEnv = {},
  more: readonly string[] = [],
): Promise<{ code: number | null; findings: readonly Finding[] }> {
  const { code, stdout, stderr } = await home.run(["doctor", "--json", ...more], { env });
  expect(stderr).toBe("");
  const { schema, sound, findings } = JSON.parse(stdout) as {
    schema: number;
    sound: boolean;
    findings: Finding[];
  };
  expect([schema, sound]).toEqual([1, code === 0]);
  return { code, findings };
}

const problems = (findings: readonly Finding[]): string[] =>
  findings.filter(({ state }) => state === "problem").map(({ what, next }) => `${what} ${next ?? ""}`);

it("asks the service for its time with --online alone", async () => {
  {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    await using service = await startHostileService([answer(404, "", { date })]);
    await home.run(["profile", "add", "late", "--base-url", service.url]);
    const offline = await examine({}, ["--profile", "late"]);
    expect([offline.code, service.requests]).toEqual([0, []]);
    const online = await examine({}, ["--profile", "late", "--online"]);
    expect([online.code, service.requests.length]).toEqual([8, 1]);
    const [{ line, headers }] = service.requests as [SeenRequest];
    expect([line.split(" ")[0], headers.get("authorization"), headers.get("x-key-id")]).toEqual([
      "GET",
      undefined,
      undefined,
    ]);
    expect(problems(online.findings).join()).toMatch(/59 min .*|1 h .*ahead of the clock of late/);
  }
  const away = await examine({}, ["--profile", "late", "--online"]);
  expect(away.code).toBe(0);
  expect(away.findings.some(({ what }) => what.startsWith("The time of late is unknown."))).toBe(true);
});

it("takes no newer document for a damaged one", async () => {
  writeFileSync(path("config/profiles.json"), renderGeneration("verdict/profiles", 9, 1, { all: "new" }));
  const said = problems((await examine()).findings).join();
  expect(said).toMatch(/newer version of verdict/);
  expect(said).not.toMatch(/damaged/);
});
