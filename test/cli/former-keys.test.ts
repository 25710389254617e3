// A key that takes the place of another: whichever way it comes, the one before is kept, named, and can be put back.

import { afterAll, beforeAll, expect, it } from "vitest";
import { answer, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const HAND_SECRET = "ab".repeat(32);
const FETCHED_SECRET = "cd".repeat(32);

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => {
  service = await startHostileService([]);
  home = inProcessHome();
  await pointAt(home, service.url);
});
afterAll(async () => {
  home.remove();
  await service[Symbol.asyncDispose]();
});

const FETCH = "credential --merchant-id m --risk-level low";
const BY_HAND =
  "vault add --merchant-id m --risk-level low --key-id k-hand --project-id p-hand --secret-stdin";

function giving(status: unknown) {
  const credential = {
    key_id: "k-fetched",
    secret: FETCHED_SECRET,
    algorithm: "hmac-sha256",
    project_id: "p-fetched",
  };
  return answer(200, JSON.stringify({ status, message: "no", credential }));
}

/** Key ids for the project or company, the one that signs first. */
async function keysOf(owner: string): Promise<{ keyId: unknown; former: boolean; id: string }[]> {
  return (await home.json("vault list --json"))
    .filter((entry) => entry["project"] === owner || entry["company_id"] === owner)
    .map((entry) => ({
      keyId: entry["key_id"],
      former: entry["replaced_at"] !== null,
      id: entry["id"] as string,
    }));
}

it("an answer without the status of a success replaces nothing", async () => {
  expect((await home.run(BY_HAND, HAND_SECRET)).code).toBe(0);
  for (const status of ["error", "failed", "Success", "", null, true]) {
    service.play(giving(status));
    const { code, stdout } = await home.run(FETCH);
    expect([code, stdout], String(status)).toEqual([7, ""]);
  }
  expect((await keysOf("m/low")).map(({ keyId }) => keyId)).toEqual(["k-hand"]);
});

it("a project that is known by its credential alone has no invented name, company or window", async () => {
  const [project] = (await home.json("projects --json")).filter((each) => each["project"] === "m/low");
  expect(project).toMatchObject({
    name: null,
    company_id: null,
    currency: null,
    started_at: null,
    window_closes_at: null,
    project_id: "p-hand",
    credential_in_vault: true,
  });
});

it("a fetched credential keeps the one that was entered by hand, and the same one again changes nothing", async () => {
  service.play(giving("success"), giving("success"));
  const { code, stdout } = await home.run(FETCH);
  expect(code).toBe(0);
  const [now, former] = await keysOf("m/low");
  expect([now!.keyId, now!.former, former!.keyId, former!.former]).toEqual([
    "k-fetched",
    false,
    "k-hand",
    true,
  ]);
  expect(stdout).toContain(
    `It took the place of the key id k-hand, which stays in the vault: "verdict vault restore ${former!.id}" puts it back.`,
  );
  expect((await home.run("vault list")).stdout).toMatch(new RegExp(`${former!.id} +former credential`));
  const again = await home.run(FETCH);
  expect(again.stdout).not.toContain("took the place");
  expect(await keysOf("m/low")).toHaveLength(2);
  expect((await home.run("doctor --verify")).code).toBe(0);
});

it("is put back by its id, with its secret and its project id, and the other one is kept in turn", async () => {
  const [fetched, byHand] = await keysOf("m/low");
  const { code, stdout } = await home.run(`vault restore ${byHand!.id}`);
  expect(code).toBe(0);
  expect(stdout).toContain("The credential of m/low, key id k-hand, signs again.");
  expect(stdout).toContain(`"verdict vault restore ${fetched!.id}" puts it back`);
  expect((await keysOf("m/low")).map(({ keyId }) => keyId)).toEqual(["k-hand", "k-fetched"]);
  const [project] = (await home.json("projects --json")).filter((each) => each["project"] === "m/low");
  expect(project).toMatchObject({ project_id: "p-hand", credential_in_vault: true });
  expect((await home.run(`vault show ${byHand!.id} --raw`)).stdout).toBe(`${HAND_SECRET}\n`);
  expect((await home.run(`vault show ${fetched!.id} --raw`)).stdout).toBe(`${FETCHED_SECRET}\n`);

  const current = await home.run(`vault restore ${byHand!.id}`);
  expect(current.code).toBe(2);
  expect(current.stderr).toContain("has no former entry");
});

it("holds for an integration key entered by hand, too, and a former one can be removed", async () => {
  const add = (keyId: string, secret: string) =>
    home.run(`vault add --key-id ${keyId} --company-id c-1 --secret-stdin`, secret);
  const { stdout } = await add("k-next", HAND_SECRET);
  const [now, former] = await keysOf("c-1");
  expect([now!.keyId, former!.keyId]).toEqual(["k-next", "k-1"]);
  expect(stdout).toContain(`"verdict vault restore ${former!.id}" puts it back`);
  expect((await home.run(`vault remove ${former!.id} --yes`)).code).toBe(0);
  expect((await keysOf("c-1")).map(({ keyId }) => keyId)).toEqual(["k-next"]);
});
