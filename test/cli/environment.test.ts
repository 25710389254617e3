// What verdict takes from the variables of its environment, and that a verdict names where it came from.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { run } from "#src/cli/run.ts";
import { inProcessHome, pointAt, type InProcessHome, type Printed } from "./in-process.ts";

const BODY = '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}';

describe("variables of the environment", () => {
  let home: InProcessHome;
  const under = (env: NodeJS.ProcessEnv): InProcessHome =>
    inProcessHome({ VERDICT_HOME: home.folder, ...env });
  const service = createServer((_, answer) => answer.writeHead(404).end());
  beforeAll(async () => {
    await once(service.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    home = inProcessHome();
    await pointAt(home, url);
    await home.run(`profile add other --base-url ${url}`);
  });
  afterAll(() => {
    home.remove();
    service.close();
  });

  const saidBy = async (env: NodeJS.ProcessEnv, args: string, input?: string): Promise<Printed> => {
    const inside = under(env);
    const said = await inside.run(args, input);
    inside.remove();
    return said;
  };

  it("choose the profile: the option before VERDICT_PROFILE before the one in use", async () => {
    const chosen = async (env: NodeJS.ProcessEnv, more = ""): Promise<string | undefined> => {
      const { stdout } = await saidBy(env, `doctor${more}`);
      return /The profile is (\w+) /.exec(stdout)?.[1];
    };
    expect(await chosen({})).toBe("test");
    expect(await chosen({ VERDICT_PROFILE: "other" })).toBe("other");
    expect(await chosen({ VERDICT_PROFILE: "other" }, " --profile sandbox")).toBe("sandbox");
  });

  it("choose the profile of the console", async () => {
    const opened: (string | undefined)[] = [];
    const open = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
      run({
        argv,
        env: { VERDICT_HOME: home.folder, ...env },
        openConsole({ profile }: { readonly profile: string | undefined }) {
          opened.push(profile);
          return Promise.resolve(0);
        },
        stdout: { write: () => true },
        stderr: { write: () => true },
      } as unknown as Parameters<typeof run>[0]);
    await open([], { VERDICT_PROFILE: "other" });
    await open(["--profile", "test"], { VERDICT_PROFILE: "other" });
    await open([], {});
    expect(opened).toEqual(["other", "test", undefined]);
    expect(await open([], { VERDICT_PROFIL: "other" })).toBe(2);
    expect(opened).toHaveLength(3);
  });

  it.each([
    [{ VERDICT_PROFIL: "live" }, /VERDICT_PROFIL .*VERDICT_HOME.*VERDICT_PROFILE/],
    [{ VERDICT_PROFILE: "" }, /VERDICT_PROFILE is empty/],
    [{ VERDICT_PROFILE: "nobody" }, /no profile "nobody"/],
  ])("are refused where they mean nothing: %o", async (env, sentence) => {
    const { code, stdout, stderr } = await saidBy(env, "projects");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
  });

  it("leave no doubt which service answers: without a terminal, stderr names profile and environment", async () => {
    const { stderr } = await saidBy({ VERDICT_PROFILE: "test" }, "check -", BODY);
    expect(stderr.split("\n")[0]).toBe("Profile: test (TEST).");
    const json = await saidBy({ VERDICT_PROFILE: "test" }, "check - --json", BODY);
    expect(JSON.parse(json.stdout)).toMatchObject({ profile: "test", environment: "TEST" });
  });
});
