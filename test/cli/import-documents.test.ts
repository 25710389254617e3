// verdict payload import over documents of other programs: what it writes, and what it says of the rest.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sample } from "../replay/imports/reading-foreign.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

let home: InProcessHome;
beforeEach(() => {
  home = inProcessHome();
  onTestFinished(() => home.remove());
});

function put(name: string, content: string | Uint8Array): string {
  const path = join(home.folder, name);
  writeFileSync(path, content);
  return path;
}

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const CHECK = { operation: "payment", order_id: "a-1", amount: 12000, currency: 978 };

describe("payload import", () => {
  it("finds the checks of a recording behind many other requests, and lists those", async () => {
    const post = (path: string, body: unknown): object => ({
      startedDateTime: "2026-03-01T12:00:00.250Z",
      request: {
        method: "POST",
        url: `https://shop.example.com${path}?token=SECRET`,
        headers: [{ name: "authorization", value: "SECRET" }],
        postData: { mimeType: "application/json", text: JSON.stringify(body) },
      },
      response: { content: { text: "SECRET" } },
    });
    const beacons = Array.from({ length: 30 }, () => post("/beacon", { event: "SECRET" }));
    const card = post("/v1/check", { ...CHECK, description: "4111 1111 1111 1111" });
    const entries = [...beacons, card, post("/v1/check", CHECK)];
    const har = put("session.har", JSON.stringify({ log: { version: "1.2", entries } }));
    const [out, rejects] = [join(home.folder, "out.ndjson"), join(home.folder, "rejects.ndjson")];
    const ran = await home.run(["payload", "import", har, "--output", out, "--rejects", rejects, "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(linesOf(out)).toEqual([{ at: "2026-03-01T12:00:00.250Z", request: CHECK }]);
    const listed = linesOf(rejects);
    expect(listed).toHaveLength(31);
    expect(listed[0]).toMatchObject({
      origin: "session.har: entry 1, POST shop.example.com/beacon",
      message: expect.stringContaining("no field of a check request") as string,
    });
    expect(listed[30]).toMatchObject({
      origin: "session.har: entry 31, POST shop.example.com/v1/check",
      message: expect.stringContaining("full card number") as string,
    });
    const said = `${ran.stdout}${ran.stderr}${readFileSync(out, "utf8")}${readFileSync(rejects, "utf8")}`;
    expect(said).not.toMatch(/SECRET|4111/);
    // Without a check among them nothing is written.
    const none = put("none.har", JSON.stringify({ log: { version: "1.2", entries: beacons } }));
    const refused = await home.run(["payload", "import", none, "--output", join(home.folder, "no"), "--yes"]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("30 rows could not be read as payments");
  });

  it("fills a Postman collection as newman does", async () => {
    const wanted = JSON.parse(sample("newman-bodies.json").toString()) as string[];
    put("checks.csv", sample("checks.csv"));
    const [collection, other] = [
      "checks.v2.1.0.postman_collection.json",
      "checks.v2.0.0.postman_collection.json",
    ];
    const files = [put(collection, sample(collection)), put(other, sample(other))];
    const out = join(home.folder, "out.ndjson");
    const values = ["--data", join(home.folder, "checks.csv")];
    const ran = await home.run(["payload", "import", ...files, ...values, "--output", out, "--yes"]);
    // An empty e-mail, which newman sends, too, is a warning.
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const bodies = wanted.map((body) => JSON.parse(body) as unknown);
    expect(linesOf(out).map(({ request }) => request)).toEqual([...bodies, ...bodies]);
    expect(linesOf(out)[0]!["name"]).toBe("Check / Card testing / small amount");
  });

  it("leaves nothing when it is stopped, though nobody reads standard input", async () => {
    const file = put("orders.csv", `order_id,amount,currency\n${"a,1,UAH\n".repeat(30)}`);
    for (const files of [[file], [file, "-"]]) {
      const words = ["payload", "import", ...files, "--output", join(home.folder, "stopped"), "--yes"];
      expect(await home.run(words, "", "The first payments")).toMatchObject({
        code: 130,
        stderr: expect.stringMatching(/Stopped; nothing was written\.\n$/) as string,
      });
    }
    expect(readdirSync(home.folder).filter((name) => name.includes("stopped"))).toEqual([]);
  });
});
