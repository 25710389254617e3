// verdict label: what became of payments, set, imported, listed and removed; never sent.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { LABELS } from "#src/contract/records/label.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

let home: InProcessHome;
beforeEach(() => {
  home = inProcessHome();
  return () => home.remove();
});

function write(name: string, content: string | Uint8Array): string {
  const path = join(home.folder, name);
  writeFileSync(path, content);
  return path;
}

const known = async (): Promise<unknown[]> =>
  (await home.json("label list --json")).map(({ order_id: id, outcome }) => [id, outcome]);

describe("set", () => {
  test("says what it was before, and what counts where a later one does", async () => {
    expect((await home.run("label set o-1 fraud --at 2026-03-02")).stdout).toMatch(
      /^Order o-1 is fraud as of 2026-03-0\d \d\d:\d\d:\d\d [^;]+\.\n$/,
    );
    expect((await home.json("label set o-1 good --at 2026-03-01 --json"))[0]).toEqual({
      schema: 1,
      order_id: "o-1",
      outcome: "good",
      at: "2026-03-01T00:00:00.000Z",
      counts: "fraud",
      before: "fraud",
    });
    const { code, stdout } = await home.run("label set o-1 refund");
    expect([code, stdout]).toEqual([0, expect.stringContaining("; before it was fraud.")]);
    expect(await home.json("label list --json")).toEqual([
      {
        schema: 1,
        order_id: "o-1",
        outcome: "refund",
        at: expect.stringMatching(/Z$/),
        known: [
          { outcome: "fraud", at: "2026-03-02T00:00:00.000Z" },
          { outcome: "good", at: "2026-03-01T00:00:00.000Z" },
          { outcome: "refund", at: expect.stringMatching(/Z$/) },
        ],
      },
    ]);
    expect((await home.run("label list")).stdout).toMatch(/o-1 +refund .* 3$/m);
  });

  test.each([
    [["o-1", "stolen"], '"stolen" is no label; write fraud, chargeback, refund or good.'],
    [["o-1", "fraud", "--at", "yesterday"], "--at takes a time in ISO 8601"],
    [[["4111", "1111", "1111", "1111"].join(""), "fraud"], "holds a full card number"],
    [["", "fraud"], "It names no order_id."],
  ])("refuses %j", async (words, sentence) => {
    const { code, stderr } = await home.run(["label", "set", ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(await known()).toEqual([]);
  });
});

describe("import", () => {
  test("reads a file with columns and words of its own by a map", async () => {
    const path = write("disputes.csv", "Payment,Reason,Card\nm-1,stolen,x\nm-2,duplicate,x\n");
    const map = ["--map", "Payment=order_id", "--map", "Reason=outcome:stolen=fraud,*=chargeback"];
    const { code, stdout, stderr } = await home.run(["label", "import", path, ...map]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("2 labels imported");
    for (const order of ["m-1", "m-2"]) await home.run(["label", "remove", order, "--yes"]);
  });

  test("takes good lines, names bad ones, and changes nothing the second time", async () => {
    const rows = ["o-1,fraud,2026-03-01", "o-2,good,", "o-3,stolen,", "o-1,chargeback,2026-03-05"];
    const path = write("labels.csv.gz", gzipSync(`order_id,outcome,at\n${rows.join("\n")}\n`));
    const first = await home.run(["label", "import", path]);
    expect(first).toEqual({
      code: 2,
      stdout: "3 labels imported: 2 orders had none before, and 0 changed.\n",
      stderr:
        'labels.csv.gz:4: "stolen" is no label; write fraud, chargeback, refund or good.\n' +
        "1 line was rejected and not imported; correct what is wrong, or set such lines aside with --rejects FILE.\n",
    });
    const before = await home.json("label list --json");
    const rejects = join(home.folder, "bad.ndjson");
    const again = await home.run(["label", "import", path, "--json", "--rejects", rejects]);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      { schema: 1, outcomes: 3, labelled: 0, changed: 0, rejected: 1 },
    ]);
    expect(JSON.parse(readFileSync(rejects, "utf8"))).toMatchObject({ origin: "labels.csv.gz:4" });
    expect(await home.json("label list --json")).toEqual(before);
    expect(await known()).toEqual([
      ["o-1", "chargeback"],
      ["o-2", "good"],
    ]);
  });

  test("takes a file of many orders whole", async () => {
    const orders = Array.from({ length: 2_345 }, (_, at) => `o-${String(at).padStart(4, "0")}`);
    const path = write(
      "day.ndjson",
      orders.map((id) => JSON.stringify({ order_id: id, outcome: "good" })).join("\n"),
    );
    expect((await home.run(["label", "import", path])).code).toBe(0);
    expect((await known()).map((row) => (row as string[])[0])).toEqual(orders);
    expect((await home.run("label list")).stdout).toContain("The first 100 orders are shown");
  });

  test.each([
    ["wrong.csv", "order,outcome\no-1,fraud\n", /^wrong\.csv: The first line names no column order_id/],
    ["cut.csv.gz", gzipSync("order_id,outcome\no-1,fraud\n").subarray(0, 20), /^cut\.csv\.gz: .*cut off/],
  ])("refuses %s whole", async (name, content, sentence) => {
    const { code, stdout, stderr } = await home.run(["label", "import", write(name, content)]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(sentence)]);
    expect(await known()).toEqual([]);
  });

  test("says which file is not there", async () => {
    const { code, stderr } = await home.run("label import nothing.csv");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^There is no file nothing\.csv/)]);
  });
});

test("remove takes all of an order, and says what counted", async () => {
  await home.run("label set o-1 fraud");
  await home.run("label set O-1 good");
  expect((await home.run("label remove o-2 --yes")).stderr).toContain('order "o-2" has no label');
  const { code, stdout } = await home.run("label remove o-1 --yes");
  expect([code, stdout]).toEqual([0, "The labels of order o-1 are removed; what counted was fraud.\n"]);
  expect(await known()).toEqual([["O-1", "good"]]);
});

test("the history shows, filters and exports outcomes, and no request to a service holds one", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(`${request.url} ${JSON.stringify(request.rawHeaders)} ${body}`);
      response.writeHead(200, { "content-type": "application/json" });
      return response.end('{"status":"success","code":"pass","message":"fine"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const payment = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
  for (const label of LABELS) await home.run(["label", "set", "o-1", label]);
  const plain = write("plain.json", JSON.stringify(payment));
  const enveloped = write("enveloped.json", JSON.stringify({ outcome: "chargeback", request: payment }));
  const table = write(
    "table.csv",
    "order_id,amount,currency,operation,outcome\no-1,12000,980,payment,fraud\n",
  );
  for (const path of [plain, enveloped]) expect((await home.run(["check", path])).code).toBe(0);
  const [entry] = await home.json("history --json");
  expect((await home.run(["check", "--again", String(entry!["id"])])).code).toBeLessThanOrEqual(2);
  for (const source of [plain, enveloped, table, "history:", "run:last"]) {
    const { code, stderr } = await home.run(["replay", source, "--confirm", "test"]);
    expect(code, stderr).toBe(0);
  }
  expect(bodies.length).toBeGreaterThanOrEqual(7);
  for (const body of bodies) expect(body).not.toMatch(/fraud|chargeback|refund|good|outcome|label/);

  const ids = async (where: string): Promise<number> =>
    (await home.json(["history", "--json", "--where", where])).length;
  expect(await ids("label:good")).toBe(2);
  expect(await ids("label:none")).toBe(0);
  expect(await ids("-label:good")).toBe(0);
  const [shown] = await home.json(["history", "show", String(entry!["id"]), "--json"]);
  expect([entry!["label"], shown!["label"]]).toEqual(["good", "good"]);
  expect((await home.run(["history", "show", String(entry!["id"])])).stdout).toContain("Outcome: good");
  const wrong = await home.run(["history", "--where", "outcome:good"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("write label:good")]);
  const [header, row] = (await home.run("history export --format csv")).stdout.split("\r\n");
  expect(row!.split(",")[header!.split(",").indexOf("label")]).toBe("good");
  expect((await home.run("history export --format json")).stdout).toContain('"label":"good"');
});
