// A live service from the console: used, framed in red, and made read-only, each time by another console in the same process.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asPaste, payment } from "./payments.ts";
import { FAKE_SECRET, KEY, openConsole, succeeds, servedHome } from "./stage.ts";

const LONG = 600_000;
const RED = 1;

describe("a live service", () => {
  const served = servedHome();
  let url: string;
  beforeAll(async () => {
    [{ base_url: url }] = (await served.home.json("profile show fake --json")) as [{ base_url: string }];
    await succeeds(served.home, ["profile", "use", "sandbox"]);
  });

  it(
    "is used, sent to, and then sent nothing",
    async () => {
      const terminal = openConsole(served.home, { columns: 80, rows: 24 });
      await terminal.until("sends this payment for");
      expect(await terminal.type("8").until(/› sandbox .*here/)).not.toContain("LIVE");

      const added = `profile add real --environment live --base-url ${url} --projects-url ${url}`;
      await succeeds(served.home, added.split(" "));
      const owner = ["--merchant-id", "shop", "--risk-level", "low", "--key-id", "k", "--project-id", "p"];
      await succeeds(
        served.home,
        ["--profile", "real", "vault", "add", ...owner, "--secret-stdin"],
        FAKE_SECRET,
      );

      // Used: the console is another one, in red, and nothing was sent by the keys on the way.
      await terminal.type("G").until(/› real/);
      await terminal.type(KEY.enter).until("The profile real is in use.");
      expect(await served.home.json("profile show real --json")).toMatchObject([{ in_use: true }]);
      expect(terminal.rows()[0]).toMatch(/^ {3}LIVE {3}real /);
      expect(terminal.rows().at(-1)).toMatch(/Real payments: .*LIVE/);
      for (const [row, column] of [
        [0, 0],
        [0, 79],
        [12, 0],
        [12, 79],
        [23, 40],
      ] as const) {
        expect(terminal.cell(row, column)).toMatchObject({ background: RED });
      }
      expect(served.service.received).toEqual([]);

      // A first check that is complete takes nothing but Enter.
      await terminal.type("1").until("Send check to LIVE");
      await terminal.type(asPaste(payment("c-0"))).until("ready to send");
      await terminal.type(KEY.sendAnywhere).until(/LIVE Verdict[\s\S]*PASS/);
      expect(served.service.received).toHaveLength(1);

      // Read-only: in force at once.
      await terminal.type("8").until(/› real/);
      await terminal.type("r").until("Read-only: nothing is sent");
      // It binds the console at once; until the console is the changed profile's, keys are dropped.
      await expect
        .poll(() => {
          terminal.type("1");
          return terminal.screen();
        })
        .toContain("[1 Check]");
      await terminal.type(KEY.esc).until("› Send check to LIVE");
      await terminal.type(KEY.enter).until(/^ {3}The profile real is read-only/m);
      expect(served.service.received).toHaveLength(1);

      // Back on the sandbox: another client, no frame, and what was sent is told once at the end.
      await terminal.type("8").until(/› real/);
      await terminal.type("g").until(/› sandbox/);
      await terminal.type(KEY.enter).until("The profile sandbox is in use.");
      expect(terminal.screen()).not.toMatch(/LIVE +real/);
      await terminal.type("1").until("demo-shop/medium");
      await terminal.type(KEY.enter).until(/Verdict[\s\S]*(?:PASS|BLOCK|3DS)/);
      expect(served.service.received).toHaveLength(1);
      expect((await terminal.type("q").exit).code).toBe(0);
      expect(terminal.screen()).toContain("2 checks were sent in this session");
    },
    LONG,
  );

  it(
    "whose profiles were rolled back is sent nothing before it is used again on the screen Profiles",
    async () => {
      await succeeds(served.home, ["profile", "use", "fake"]);
      const path = join(served.home.folder, "verdict/config/profiles.json");
      const bytes = readFileSync(path);
      bytes[bytes.length - 10]! ^= 1;
      writeFileSync(path, bytes);
      const before = served.service.received.length;
      // The generation before the last change: what is in use in it decides.
      const terminal = openConsole(served.home, { columns: 120, rows: 30 });
      await terminal.until("profiles.json was damaged");
      await terminal.type(KEY.sendAnywhere).until("the version before the last change and sends nothing");
      expect(served.service.received).toHaveLength(before);
      await terminal.type(`${KEY.esc}8`).until(/› \w+ .*here/);
      await terminal.type(KEY.enter).until("is in use.");
      expect((await terminal.type("q").exit).code).toBe(0);
      expect(readFileSync(path, "utf8")).not.toContain("rolledBack");
    },
    LONG,
  );
});
