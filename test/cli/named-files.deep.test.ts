// What a user names is read as a shell gives it: files, links to them, process substitution, pipes; never a device.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

const BODY = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

/** Command lines, with FILE for what is named, and what they say when they have read it. */
const DOORS: readonly (readonly [string, string, RegExp])[] = [
  ["payment.json", "check FILE --dry-run", /"o-1"/],
  ["payment.json", "payload save kept FILE --yes", /Payload kept saved/],
  ["payment.json", "replay FILE --dry-run", /1 (?:check|payload|item)/],
  ["rules.yaml", "rules check FILE", /rules/],
  ["recipe.yaml", "recipe test FILE", /check: signed and verified/],
];

describe.skipIf(process.platform === "win32")("a file that the user names", () => {
  const home = testHomeOfTests();
  beforeAll(async () => {
    const write = (name: string, text: string): void => writeFileSync(join(home.folder, name), text);
    write("payment.json", JSON.stringify(BODY));
    write("rules.yaml", (await home.run("rules print starter")).stdout);
    write("recipe.yaml", (await home.run("recipe show body-hex")).stdout.replace("body-hex", "mine"));
    for (const [file] of DOORS.slice(2)) symlinkSync(file, join(home.folder, `link-${file}`));
    mkdirSync(join(home.folder, "folder"));
  });

  const shell = (line: string): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve) => {
      const script = `verdict() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${line}`;
      const child = spawn("bash", ["-c", script], { cwd: home.folder, env: home.env, stdio: "pipe" });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
      child.stdin.end();
      child.on("close", (code) => resolve({ code, said }));
    });

  it.each(DOORS)("is read through links and pipes: %s, %s", async (file, line, seen) => {
    for (const way of [`./link-${file}`, `<(cat ${file})`, `<(sleep 0.3; cat ${file})`]) {
      const { code, said } = await shell(`verdict ${line.replace("FILE", way)}`);
      expect(code, `${way}: ${said}`).toBe(0);
      expect(said).toMatch(seen);
    }
  });

  it("is standard input where that is piped and nothing is named", async () => {
    for (const line of ["check --dry-run", "payload save kept --yes"]) {
      const { code, said } = await shell(`cat payment.json | verdict ${line}`);
      expect(code, said).toBe(0);
    }
    expect((await shell("verdict check --dry-run < /dev/null")).code).toBe(2);
  });

  it.each(DOORS)("is refused at once as what never ends or holds nothing: %s, %s", async (file, line) => {
    execFileSync("mkfifo", ["-m", "600", `fifo-${file}${line.length}`], { cwd: home.folder });
    for (const way of ["/dev/zero", `./fifo-${file}${line.length}`, "<(true)", "./folder", "./none"]) {
      const { code, said } = await shell(`verdict ${line.replace("FILE", way)}`);
      expect(code, `${way}: ${said}`).toBe(2);
      expect(said).not.toMatch(/\n\s+at .*:\d+|with an internal error/);
    }
  });
});
