// The example that generates days of labelled payments: the same on every machine, all of it valid, in the shares it promises.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isBad } from "#src/contract/records/label.ts";
import { isBogon, readAddress } from "#src/rules/values/address.ts";
import { folderOf, readAll } from "./reading.ts";

const GENERATOR = fileURLToPath(new URL("../../examples/labelled-day.mjs", import.meta.url));
const DOCUMENTATION = ["2001:db8::/32"];

function generate(...options: string[]): string {
  return execFileSync(process.execPath, [GENERATOR, ...options], { encoding: "utf8" });
}

/** The day of this seed, read as every source is. */
async function read(day: string, ...options: string[]) {
  const file = join(folderOf({}), day);
  generate("--output", file, ...options);
  return readAll(file);
}

describe("labelled-day.mjs", () => {
  it("gives the same bytes for a seed on every machine, and others for another seed", () => {
    const day = generate("--count", "2000");
    expect(hash("sha256", day)).toMatchInlineSnapshot(
      `"5602bc4cfb891c132953838f7729bfd5de2ddbe0e3efa7316263dc006b52ed92"`,
    );
    expect(generate("--count", "2000", "--seed", "1")).toBe(day);
    expect(generate("--count", "2000", "--seed", "2")).not.toBe(day);
  });

  it("is taken without a warning or a bad line, as NDJSON and as CSV the same", async () => {
    const [lines, table] = [await read("day.ndjson"), await read("day.csv")];
    expect(lines.rejected).toEqual([]);
    expect(table.rejected).toEqual([]);
    const said = lines.items.flatMap(({ warnings = [] }) => warnings);
    expect(said.filter((text) => !text.includes("expired"))).toEqual([]);
    expect(lines.items).toHaveLength(10_000);
    expect(table.items.map((item) => ({ ...item, origin: "" }))).toEqual(
      lines.items.map((item) => ({ ...item, origin: "" })),
    );
  });

  it("labels every payment, 3 % of them bad, in the order of their time and on public addresses", async () => {
    const { items } = await read("day.ndjson", "--days", "3", "--seed", "4");
    expect(items.filter(({ label }) => label !== undefined && isBad(label))).toHaveLength(300);
    const kinds = (tag: string): number => items.filter(({ tags }) => tags.includes(tag)).length;
    expect(["card-testing", "takeover", "stolen", "friendly"].map(kinds)).toEqual([120, 60, 75, 45]);
    for (const tag of ["traveller", "typo", "subscription", "company"])
      expect(kinds(tag)).toBeGreaterThan(50);
    const times = items.map(({ time }) => time!);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(items.map(({ request }) => request.order_id)).size).toBe(10_000);
    const addresses = items.flatMap(({ request }) => request.payer?.payer_ip ?? []);
    expect(addresses.filter((text) => isBogon(readAddress(text)!, DOCUMENTATION))).toEqual([]);
  });

  it("says in a file of its own what became known of each order, and when", () => {
    const folder = folderOf({});
    const labels = join(folder, "labels.csv");
    const day = generate("--count", "500", "--labels", labels)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { at: string; outcome: string; request: { order_id: string } });
    const [header, ...rows] = readFileSync(labels, "utf8").trim().split("\n");
    expect(header).toBe("order_id,outcome,at");
    const said = rows.map((row) => row.split(","));
    expect(said.map(([order, outcome]) => [order, outcome])).toEqual(
      day.map(({ request, outcome }) => [request.order_id, outcome]),
    );
    const delays = said.map(([, outcome, at], n) => ({
      outcome,
      days: (Date.parse(at!) - Date.parse(day[n]!.at)) / 86_400_000,
    }));
    expect(Math.min(...delays.map(({ days }) => days))).toBeGreaterThanOrEqual(0);
    const disputes = delays.flatMap(({ outcome, days }) => (outcome === "chargeback" ? [days] : []));
    expect(Math.min(...disputes)).toBeGreaterThanOrEqual(7);
  });
});
