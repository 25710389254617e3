// Two shells on one home, and a process that dies at any moment: no acknowledged verdict is lost.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const BODY = { operation: "payment", amount: 12_000, currency: 980 };
const ROUNDS = 100;
const LOOP = 8;

describe("one home, several processes", () => {
  const home = testHomeOfTests();
  let payload: string;

  beforeAll(async () => {
    payload = join(home.folder, "payload.json");
    writeFileSync(payload, JSON.stringify(BODY));
    const registered = await home.run(
      "register --merchant-id m --name M --currency UAH --risk-level low --wait",
    );
    expect(registered).toMatchObject({ code: 0 });
  });

  const orders = async (prefix: string): Promise<string[]> => {
    const rows = await home.json(`history --where order:${prefix}* --limit 1000 --json`);
    return rows.map((row) => row["order_id"] as string);
  };

  it("keeps both histories whole when two loops check at once", async () => {
    const loop = async (name: string): Promise<void> => {
      for (let round = 0; round < LOOP; round += 1) {
        const ran = await home.run(`check ${payload} --set order_id=${name}-${round}`);
        expect([0, 10, 11]).toContain(ran.code);
      }
    };
    await Promise.all([loop("left"), loop("right")]);
    for (const name of ["left", "right"]) {
      const expected = Array.from({ length: LOOP }, (_, round) => `${name}-${round}`);
      expect((await orders(name)).toSorted()).toEqual(expected.toSorted());
    }
  });

  it(`loses no acknowledged verdict in ${ROUNDS} kills at spread moments`, async () => {
    const { acknowledged, unknown } = await killRounds(home, payload, ROUNDS);
    expect(acknowledged).toBeGreaterThan(10);
    expect(unknown).toBeGreaterThan(0);
  });
});
