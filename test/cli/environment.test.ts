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
    [{ VERDICT_PROFIL: "live" }, /VERDICT_PROFIL .*Did you mean VERDICT_PROFILE\?/],
    [{ VERDICT_SERVE_PROT: "1" }, /VERDICT_SERVE_PROT .*Did you mean VERDICT_SERVE_PORT\?/],
    [{ VERDICT_SERVE_EMBEDDED: "true" }, /VERDICT_SERVE_EMBEDDED is not a variable of verdict/],
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

  describe("that set the options of verdict serve", () => {
    const described = async (env: NodeJS.ProcessEnv, args = "--utc"): Promise<string> => {
      const { stdout } = await saidBy({ VERDICT_SERVE_OPENAPI: "true", ...env }, `serve ${args}`);
      return (JSON.parse(stdout) as { servers: { url: string }[] }).servers[0]!.url;
    };

    it("come after the command line", async () => {
      expect(await described({})).toBe("http://127.0.0.1:8787");
      expect(await described({ VERDICT_SERVE_PORT: "9000" })).toBe("http://127.0.0.1:9000");
      expect(await described({ VERDICT_SERVE_PORT: "9000" }, "--port 9001")).toBe("http://127.0.0.1:9001");
      expect(await described({ VERDICT_SERVE_PORT: "wrong" }, "--port 9001")).toBe("http://127.0.0.1:9001");
    });

    it("set flags, and take back what a flag takes away", async () => {
      const magic = async (text: string): Promise<boolean> => {
        const env = { VERDICT_SERVE_OPENAPI: "true", VERDICT_SERVE_NO_MAGIC: text };
        return (await saidBy(env, "serve")).stdout.includes("force-block");
      };
      expect([await magic("true"), await magic("false")]).toEqual([false, true]);
    });

    it.each([
      [{ VERDICT_SERVE_PORT: "70000" }, /^VERDICT_SERVE_PORT takes a whole number from 0 to 65535/],
      [{ VERDICT_SERVE_STATE: "" }, /^VERDICT_SERVE_STATE needs a value/],
      [{ VERDICT_SERVE_EPHEMERAL: "yes" }, /^VERDICT_SERVE_EPHEMERAL takes true or false, not "yes"/],
      [{ VERDICT_SERVE_AMOUNT_UNIT: "mayor" }, /^VERDICT_SERVE_AMOUNT_UNIT takes minor or major/],
      [{ VERDICT_SERVE_REQUIRE: "pan" }, /^VERDICT_SERVE_REQUIRE does not know the field "pan"/],
    ])("are named where their value is refused: %o", async (env, sentence) => {
      const { code, stdout, stderr } = await saidBy(env, "serve --openapi");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(sentence);
    });

    it("disturb no other command", async () => {
      expect(await saidBy({ VERDICT_SERVE_PORT: "9000" }, "--version")).toMatchObject({ code: 0 });
    });
  });
});
