// The vault in a real terminal: its passphrase, copies on the wire, and a credential for which the disk had no room.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { answer, startHostileService } from "../../client/hostile-service.ts";
import { testHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { copies, FAKE_SECRET, KEY, openConsole, readyConsole, succeeds, servedHome } from "./stage.ts";

const PASSPHRASE = "correct horse battery staple";
const SUSPEND = "\x1a";

const CLEARED = [" ", ""];

async function unlock(terminal: PseudoTerminal, text: string = PASSPHRASE): Promise<void> {
  await terminal.until("Passphrase of the vault");
  await terminal.type(text).until(new RegExp(`\\*{${text.length}}`));
  terminal.type(KEY.enter);
}

describe("a vault with a passphrase", () => {
  const served = servedHome();
  beforeAll(async () => {
    await succeeds(served.home, ["vault", "passphrase", "--set", "--secret-stdin"], `${PASSPHRASE}\n`);
  });

  it("is asked for when a check is sent: wrong, right, sent; locked by its key, and nothing of it is written", async () => {
    const terminal = openConsole(served.home);
    await terminal.until("Vault locked");
    await terminal.type(KEY.esc).until("Vault locked: press u to unlock it.");
    terminal.type(KEY.enter);
    await unlock(terminal, "wrong horse");
    await terminal.until("once more:");
    await unlock(terminal);
    expect(await terminal.until("✔ PASS")).not.toContain("vault locked");
    await terminal.type("3").until("fingerprint");
    await terminal.type("v").until(FAKE_SECRET);
    await terminal.type("x").until("change the passphrase");
    await terminal.type(KEY.esc).until("Secret      ********");
    await terminal.type("L").until("locked  1 of 1");
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    expect(terminal.written()).not.toContain("horse");
    expect(terminal.written()).not.toContain("staple");
  });

  it("is locked when the console is suspended", async () => {
    const terminal = openConsole(served.home, {
      command: [
        "/bin/sh",
        "-ic",
        `'${process.execPath}' '${join(process.cwd(), "dist/verdict.mjs")}'; jobs; fg; cat`,
      ],
    });
    await terminal.until("Vault locked: press u to unlock it.");
    terminal.type("u");
    await unlock(terminal);
    await terminal.until("sends this payment for");
    await terminal.type("3").until("open  1 of 1");
    await terminal.type("y").until("cleared in 30 s");
    await terminal.type(SUSPEND).until("locked  1 of 1");
    expect(copies(terminal)).toEqual([FAKE_SECRET, ...CLEARED]);
  });
});

describe("a secret that is shown or copied", () => {
  const served = servedHome();

  async function copied(env: NodeJS.ProcessEnv = {}): Promise<PseudoTerminal> {
    const terminal = await readyConsole(served.home, { env });
    await terminal.type("3").until("fingerprint");
    await terminal.type("y").until("cleared in 30 s");
    return terminal;
  }

  it("is cleared after 30 seconds, and its text is never on the screen", async () => {
    const terminal = await copied();
    expect(copies(terminal)).toEqual([FAKE_SECRET]);
    expect(terminal.screen()).not.toContain(FAKE_SECRET);
    await terminal.until(() => copies(terminal).length > 1);
    expect(copies(terminal)).toEqual([FAKE_SECRET, ...CLEARED]);
  });

  it.each<[string, (terminal: PseudoTerminal) => void]>([
    ["q", (terminal) => terminal.type("q")],
    ["Ctrl-C", (terminal) => terminal.type(KEY.interrupt)],
    ["SIGTERM", (terminal) => terminal.kill("SIGTERM")],
    ["SIGHUP", (terminal) => terminal.kill("SIGHUP")],
  ])("is cleared on the way out by %s", async (_way, leave) => {
    const terminal = await copied();
    leave(terminal);
    await terminal.exit;
    expect(copies(terminal)).toEqual([FAKE_SECRET, ...CLEARED]);
  });

  it("goes through tmux in its wrapping, with a word about it", async () => {
    const terminal = await copied({ TMUX: "/tmp/tmux-0/default,1,0", TERM: "screen-256color" });
    expect(terminal.screen().replaceAll(/\s+/g, " ")).toContain("Inside tmux, copying needs");
    const data = Buffer.from(FAKE_SECRET).toString("base64");
    expect(terminal.written()).toContain(`\x1bPtmux;\x1b\x1b]52;c;${data}\x07\x1b\\`);
  });
});

/** Room for the folder, the documents and the history, and then for nothing more. */
const SMALL_BYTES = 2 * 1024 * 1024;

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = join(process.env["TMPDIR"] ?? "/tmp", `verdict-mount-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!canMount())("a credential on a full disk (needs root, for a small file system)", () => {
  it("is kept on the screen until it is saved: an age file elsewhere, and the vault once there is room", async () => {
    const home = testHome();
    const data = join(home.folder, "verdict/data");
    mkdirSync(data, { recursive: true, mode: 0o700 });
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_BYTES},mode=0700`, "tmpfs", data]);
    onTestFinished(async () => {
      await home.remove().catch(() => undefined);
      execFileSync("umount", ["-l", data], { stdio: "ignore" });
      rmSync(home.folder, { recursive: true, force: true });
    });
    const filler = join(data, "filler");
    const credential = {
      key_id: "key-of-shop-9",
      project_id: "project-9",
      algorithm: "hmac-sha256",
      secret: FAKE_SECRET,
    };
    await using service = await startHostileService([
      (socket, request) => {
        const isCredential = request.line.includes("credential");
        if (isCredential) fill(filler);
        const more = isCredential ? { credential } : {};
        answer(200, JSON.stringify({ status: "success", message: "Here it is", ...more }))(socket, request);
      },
    ]);
    await succeeds(home, ["profile", "add", "fake", "--base-url", service.url]);
    await succeeds(home, ["profile", "use", "fake"]);
    const key = ["--key-id", "key-1", "--company-id", "company-1"];
    await succeeds(home, ["vault", "add", ...key, "--secret-stdin"], "integration-secret");
    const shop = ["--merchant-id", "shop-9", "--risk-level", "low", "--name", "Shop 9", "--currency", "UAH"];
    await succeeds(home, ["register", ...shop]);

    const terminal = openConsole(home);
    await terminal.until("1 Check");
    await terminal.type(`${KEY.esc}2`).until("shop-9/low");
    await terminal.type("f").until("A credential that is not saved");
    expect(terminal.screen().replaceAll(/\s+/g, " ")).toMatch(
      /the disk is full.*The service gives it again until/,
    );
    await terminal.type("r").until("Not saved:");

    await terminal.type("f").until("Name of the new age file:");
    const file = join(home.folder, "rescued.age");
    terminal.type(`${file}${KEY.enter}`);
    for (const label of ["New passphrase of the file:", "The same once more:"]) {
      await terminal.until(label);
      terminal.type(`${PASSPHRASE}${KEY.enter}`);
    }
    await terminal.until("not in the vault");
    await terminal.until("Register a project");
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file).includes(FAKE_SECRET)).toBe(false);

    // Nothing is asked for that could not be kept; with room, the service gives it once more within its 24 hours.
    const asked = service.requests.length;
    await terminal.type("f").until("the disk is full");
    expect(service.requests).toHaveLength(asked);
    rmSync(filler);
    await terminal.type("f").until("A credential that is not saved");
    await terminal.type(KEY.interrupt).until("y leave");
    await terminal.type(KEY.esc).until("saves it in the vault again");
    rmSync(filler);
    await terminal.type("r").until("is in the vault");
    await terminal.type(KEY.interrupt).exit;
    const entries = await home.json(["vault", "list", "--json"]);
    expect(entries.map((entry) => entry["key_id"])).toContain("key-of-shop-9");
    expect(terminal.written()).not.toContain(FAKE_SECRET);
  }, 120_000);
});

/** Takes all the room there is. */
function fill(path: string): void {
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}
