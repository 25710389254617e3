// npm run captures: the built console in a terminal, every screen as a picture in this folder, in four sizes and three states of its home.

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { drawSvg } from "./draw-svg.ts";
import { writeHistory } from "./full-history.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = join(root, "test/captures");
const run = promisify(execFile);

const SIZES = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

/** A terminal that wrote nothing for this long has drawn what it had to. */
const QUIET_MS = 120;

/** With it the screens are printed as text, too. */
const AS_TEXT = process.argv.includes("--text");

execFileSync(process.execPath, ["src/build/build.ts"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const folder = mkdtempSync(join(tmpdir(), "verdict-captures-"));
// A copy, so that a build in between changes nothing.
const program = join(folder, "dist/verdict.mjs");
cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });

interface Home {
  readonly env: NodeJS.ProcessEnv;
  readonly verdict: (...args: readonly string[]) => Promise<string>;
}

function homeOf(state: string): Home {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: join(folder, state),
    VERDICT_HOME: join(folder, state, "verdict"),
    LANG: "C.UTF-8",
    TZ: "UTC",
  };
  mkdirSync(join(folder, state));
  return {
    env,
    verdict: async (...args) => (await run(process.execPath, [program, ...args], { env })).stdout,
  };
}

class Studio {
  readonly #terminal: PseudoTerminal;
  readonly #state: string;

  constructor(home: Home, state: string, args: readonly string[] = []) {
    this.#state = state;
    this.#terminal = openPseudoTerminal({
      command: [process.execPath, program],
      args,
      env: home.env,
      ...SIZES[1],
    });
  }

  until(condition: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    return this.#terminal.until(condition);
  }

  /** Presses keys one after the other, each once the last one has been drawn. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#terminal.type(key);
      await this.#settled();
    }
  }

  /** The screen in every size, and in the first one again afterwards. */
  async capture(name: string): Promise<void> {
    for (const { columns, rows } of SIZES) {
      this.#terminal.resize(columns, rows);
      await this.#settled();
      const file = `${this.#state}-${name}-${columns}x${rows}`;
      const title = `verdict, ${name}, ${this.#state}, ${columns}x${rows}`;
      const svg = drawSvg(rows, columns, title, (row, column) => this.#terminal.cell(row, column));
      writeFileSync(join(here, `${file}.svg`), svg);
      if (AS_TEXT) process.stdout.write(`\n== ${file}\n${this.#terminal.screen()}\n`);
    }
    this.#terminal.resize(SIZES[1].columns, SIZES[1].rows);
    await this.#settled();
  }

  async leave(): Promise<void> {
    this.#terminal.type("\u0003");
    await this.ended();
  }

  async ended(): Promise<void> {
    await this.#terminal.exit;
    await this.#terminal.close();
  }

  /** A countdown writes once a second, between which it is quiet. */
  async #settled(): Promise<void> {
    let before = -1;
    while (this.#terminal.written().length !== before) {
      before = this.#terminal.written().length;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  }
}

const ESC = "\u001B";
const ENTER = "\r";
const TAB = "\t";
const WITH_FOOTER = /help · q quit/;

/** A profile of a test environment and nothing else. */
async function captureEmpty(): Promise<void> {
  const home = homeOf("empty");
  await home.verdict("profile", "add", "shop-test", "--base-url", "https://risk.test.example");
  await home.verdict("profile", "use", "shop-test");
  const studio = new Studio(home, "empty");
  await studio.until("There is no project yet");
  // Away from the sandbox the console opens in the first of the empty fields.
  await studio.capture("field");
  await studio.press(ESC);
  await studio.until(WITH_FOOTER);
  await studio.capture("check");
  await studio.press(ESC, ESC, "2");
  await studio.capture("register");
  await studio.press("3");
  await studio.capture("vault");
  await studio.press("a", TAB);
  await studio.capture("vault-add");
  await studio.press(ESC, ESC, ESC, "4");
  await studio.capture("history");
  await studio.press(":");
  await studio.capture("palette");
  await studio.press(ESC, "?");
  await studio.capture("help");
  await studio.leave();
}

/** The sandbox from its first start to a few checks. */
async function captureTypical(): Promise<void> {
  const home = homeOf("typical");
  const studio = new Studio(home, "typical");
  await studio.until("Preparing the project");
  await studio.capture("first-start");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  await studio.capture("first-check");
  await studio.press(ENTER);
  await studio.until("PASS");
  // The amount makes the second one unusual.
  const set = async (field: number, text: string): Promise<void> => {
    await studio.press(...Array.from({ length: field }, () => TAB), "\u0015", text, ESC);
  };
  await set(3, "4900000");
  await studio.press(ENTER);
  await studio.until("3-D Secure be forced");
  await studio.capture("question");
  await studio.press("y");
  await set(3, "18750");
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await studio.press(ENTER);
    await studio.until(new RegExp(`of ${3 + attempt}\\b`));
    await studio.press(ESC);
  }
  await studio.capture("check");
  await studio.press(TAB, TAB, TAB, "x");
  await studio.capture("field");
  await studio.press("\u007F", ESC, "2");
  await studio.until(WITH_FOOTER);
  await studio.capture("register");
  await studio.press(TAB);
  await studio.capture("register-field");
  await studio.press(ESC, "3");
  await studio.until("demo-shop");
  await studio.capture("vault");
  await studio.press("v");
  await studio.capture("vault-secret");
  await studio.press(ESC, "d");
  await studio.capture("confirmation");
  await studio.press(ESC, "4");
  await studio.capture("history");
  await studio.press(ENTER);
  await studio.capture("detail");
  await studio.press(TAB);
  await studio.capture("detail-request");
  await studio.press(ESC, ":", "hist");
  await studio.capture("palette");
  await studio.press(ESC, ESC, "?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict("sandbox", "stop");
}

const PROJECTS = 18;

/** Hundreds of checks, many projects, some of which were not fetched in time. */
async function captureFull(): Promise<void> {
  const home = homeOf("full");
  const register = (id: string, name: string, level: string): Promise<string> =>
    home.verdict(
      "register",
      "--merchant-id",
      id,
      "--name",
      name,
      "--currency",
      "UAH",
      "--risk-level",
      level,
      "--description",
      "Online shop, opened this year",
    );
  await register("forgotten-shop", "Forgotten shop", "high");
  await register("магазин-1", "Інтернет-магазин", "low");
  await home.verdict("sandbox", "clock", "advance", "25h");
  for (let shop = 0; shop < PROJECTS; shop += 1) {
    const id = shop % 5 === 4 ? `shop-of-the-northern-region-with-a-long-name-${shop}` : `shop-${shop}`;
    await register(id, `Shop ${shop}`, ["low", "medium", "high"][shop % 3]!);
  }
  await home.verdict("sandbox", "clock", "advance", "1h");
  await writeHistory(
    join(home.env["VERDICT_HOME"]!, "data/history"),
    400,
    { profile: "sandbox", project: "shop-1/medium" },
    Date.now(),
  );

  const studio = new Studio(home, "full");
  await studio.until("of 400");
  await studio.press("2");
  await studio.until(/in the vault/);
  await studio.until(WITH_FOOTER);
  await register("new-shop", "New shop", "medium");
  await studio.press("1", "2");
  await studio.until("new-shop");
  await studio.capture("register");
  await studio.until(WITH_FOOTER);
  await studio.press("1");
  await studio.capture("check");
  // The fifth and the twelfth before the newest: lost on the way, and never decided.
  await studio.press(..."jjjjj".split(""));
  await studio.capture("unknown");
  await studio.press(..."jjjjjjj".split(""));
  await studio.capture("open-question");
  await studio.press("d");
  await studio.capture("question");
  await studio.press(ESC);
  await studio.press("G");
  await studio.capture("oldest");
  await studio.press("g", "3");
  await studio.until(`of ${PROJECTS + 2}`);
  await studio.press("j", "j", "j");
  await studio.capture("vault");
  await studio.press("d");
  await studio.capture("confirmation");
  await studio.press(ESC, "4");
  await studio.until(/of 200/);
  await studio.capture("history");
  await studio.press("j", "j", "j", ENTER);
  await studio.capture("detail");
  await studio.press(ESC, ...Array.from({ length: 8 }, () => "j"), ENTER, TAB, TAB);
  await studio.capture("detail-response");
  await studio.press(ESC, "/");
  await studio.press("block");
  await studio.capture("filter");
  await studio.press(ENTER);
  await studio.capture("filtered");
  await studio.press(":");
  await studio.capture("palette");
  await studio.press(ESC, "?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict("sandbox", "stop");
}

/** Saved payloads in several currencies; a few of them are changed for the second run, and one was never a payload. */
function savePayloads(home: Home, changed: boolean): void {
  const data = join(home.env["VERDICT_HOME"]!, "data/payloads");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  for (let number = 0; number < 60; number += 1) {
    const name =
      number % 13 === 5 ? `shop-of-the-northern-region-order-${100 + number}` : `order-${100 + number}`;
    const disposable = changed && number % 9 === 4;
    const request = {
      operation: "payment",
      order_id: `o-${10_100 + number}`,
      amount: changed && number % 20 === 7 ? 4_900_000 : 1_250 + 735 * number,
      currency: [980, 978, 980, 840][number % 4],
      description: "Order in the demo shop",
      payer: {
        payer_ip: `91.198.${number + 1}.14`,
        email: disposable ? "buyer@mailinator.com" : `payer${number}@shop-customer.example`,
        payer_id: `c-${number}`,
      },
      card: {
        holder: `OLENA KOVALENKO ${String.fromCharCode(65 + (number % 26))}${number < 26 ? "A" : number < 52 ? "B" : "C"}`,
        bin_card: 444433,
        cin_card: 1_000 + number,
        expiration_month: 9,
        expiration_year: 40,
      },
    };
    const expect = number % 5 === 0 ? "pass" : null;
    writeFileSync(join(data, `${name}.json`), JSON.stringify({ name, expect, tags: [], request }), {
      mode: 0o600,
    });
  }
  writeFileSync(join(data, "not-a-payload.json"), '{"amount":"twelve"}', { mode: 0o600 });
}

/** Replays from the first one to both sides of a flip. */
async function captureReplay(): Promise<void> {
  const home = homeOf("replay");
  const studio = new Studio(home, "replay");
  await studio.until("in the vault");
  await studio.press("5");
  await studio.until("No replay has been run yet");
  await studio.capture("empty");
  savePayloads(home, false);
  await studio.press("n");
  await studio.until("60 checks would be sent");
  await studio.capture("setup");
  await studio.press(ENTER);
  await studio.until("The replay is done");
  await studio.press(ESC, "b");
  savePayloads(home, true);
  await studio.press("n");
  await studio.until("60 checks would be sent");
  // Slow enough to be looked at.
  await studio.press(...Array.from({ length: 6 }, () => TAB), "5", ESC, ENTER);
  await studio.until(/3\d done/);
  await studio.capture("running");
  await studio.press(" ");
  await studio.until("Paused");
  await studio.capture("paused");
  await studio.press(ESC);
  await studio.capture("confirmation");
  await studio.press("y");
  await studio.until("is cancelled");
  await studio.press("c");
  await studio.until("The replay is done");
  await studio.press("\u001B[C");
  await studio.until("was / now");
  await studio.capture("result");
  await studio.press(ENTER);
  await studio.capture("flip");
  await studio.press(ESC, ESC, "j", "m", "k");
  await studio.capture("runs");
  await studio.press("?");
  await studio.capture("help");
  await studio.leave();
  await home.verdict("sandbox", "stop");
}

/** The sandbox's rules and conditions: looked at, edited, found wrong, and what a decision says of itself. */
async function captureSandbox(): Promise<void> {
  const home = homeOf("sandbox");
  const editor = join(folder, "editor.sh");
  writeFileSync(editor, "#!/bin/sh\nsed -i '0,/> limit/s//> limitt/' \"$1\"\n", { mode: 0o700 });
  home.env["EDITOR"] = editor;
  const studio = new Studio(home, "sandbox");
  await studio.until("in the vault");
  await studio.until(WITH_FOOTER);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await studio.press(ENTER);
    await studio.until(new RegExp(`of ${attempt}\\b`));
    await studio.press(ESC);
  }
  await studio.press("4", ENTER);
  await studio.until("Hits");
  await studio.capture("explained");
  await studio.press(..."jjjjjjjjjjjjjjjjjj".split(""));
  await studio.capture("explained-further");
  await studio.press(ESC, "7");
  await studio.until("of 39");
  await studio.press(..."jjjjjjjj".split(""));
  await studio.capture("rules");
  await studio.press(ENTER);
  await studio.capture("rule");
  await studio.press(ESC, "e");
  await studio.until("A rule file of your own");
  await studio.capture("rules-question");
  await studio.press("y");
  await studio.until("What you wrote cannot be used");
  await studio.capture("rules-wrong");
  await studio.press("x", ":", "clock");
  await studio.capture("palette");
  await studio.press(" +24h", ENTER);
  await studio.until("CLOCK +1 d");
  await studio.press(":", "faults 503 x5", ENTER);
  await studio.until("1 FAULT");
  await studio.press("1");
  await studio.capture("conditions");
  await studio.press(":", "reset", ENTER);
  await studio.capture("reset");
  await studio.leave();
  await home.verdict("sandbox", "stop");
}

/** The presenter's screen: from the choice of a deck to what came out of it. */
async function captureDemo(): Promise<void> {
  const home = homeOf("demo");
  const forward = async (studio: Studio, ...frames: readonly string[]): Promise<void> => {
    for (const frame of frames) {
      await studio.press(" ");
      await studio.until(frame);
    }
  };
  const cards = new Studio(home, "demo", ["demo"]);
  await cards.until("One card, many attempts");
  await cards.capture("choice");
  await cards.press(ENTER);
  await cards.until("Space begins");
  await cards.capture("title");
  await forward(cards, "step 1 of 6");
  await cards.capture("pass");
  await forward(cards, "step 2 of 6", "attempt 1 of 2", "attempt 2 of 2", "step 4 of 6");
  await cards.capture("3ds");
  await forward(cards, "step 5 of 6, attempt 1 of 2", "step 5 of 6, attempt 2 of 2");
  await cards.capture("block");
  await cards.press("n");
  await cards.capture("notes");
  await cards.press("n");
  await forward(cards, "step 6 of 6", "the end");
  await cards.capture("end");
  await cards.leave();

  const levels = new Studio(home, "demo", ["demo", "three-levels"]);
  await levels.until("Space begins");
  await forward(levels, "step 1 of 5", "step 2 of 5", "step 3 of 5", "step 4 of 5");
  await levels.capture("levels");
  await forward(levels, "step 5 of 5");
  await levels.capture("hard-rule");
  await levels.leave();
}

const PASSPHRASE = "correct horse battery staple";

/** The vault: its menu, a passphrase set and asked for, locked, a copied secret, and a credential that is not saved. */
async function captureVault(): Promise<void> {
  const home = homeOf("vault");
  const vault = join(home.env["VERDICT_HOME"]!, "data/vault.json");
  // A service that believes everything; what it hands out cannot be saved, because the vault is taken by something else.
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const isCredential = request.url === "/projects/credential";
      if (isCredential) mkdirSync(`${vault}.lock`, { recursive: true });
      const values = { key_id: "key-of-shop-9", project_id: "project-9", algorithm: "hmac-sha256" };
      const credential = { ...values, secret: "feedface".repeat(8) };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ status: "success", message: "Done", ...(isCredential ? { credential } : {}) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await home.verdict("profile", "add", "shop-test", "--base-url", url);
  await home.verdict("profile", "use", "shop-test");
  const studio = new Studio(home, "vault");
  await studio.until("There is no project yet");
  await studio.press(ESC, "3");
  await studio.until("The vault is empty");
  // An integration key, and the credential of a project.
  await studio.press("a", TAB, "company-1", TAB, "key-1", TAB, TAB, "0123456789abcdef", ENTER, ENTER);
  await studio.until("is in the vault");
  await studio.press("a", TAB, "demo-shop", TAB, TAB, "project-1", TAB, "key-2", TAB, TAB);
  await studio.press("fedcba9876543210", ENTER, ENTER);
  await studio.until("1 of 2");
  await studio.capture("key-file");
  await studio.press("y");
  await studio.until("cleared in");
  await studio.capture("copied");
  await studio.press("x");
  await studio.capture("actions");
  await studio.press("j", "j", "j", "j", ENTER);
  await studio.until("opened and sound");
  await studio.capture("verified");
  await studio.press(ESC, "g", "k", "k", "k", "k", ENTER);
  await studio.until("New passphrase");
  await studio.press(PASSPHRASE);
  await studio.capture("new-passphrase");
  await studio.press(ENTER, PASSPHRASE, ENTER);
  await studio.until("open  1 of 2");
  await studio.capture("open");
  await studio.press("L");
  await studio.until("locked  1 of 2");
  await studio.capture("locked");
  await studio.press("1", ESC);
  await studio.capture("locked-check");
  await studio.press("u", "wrong", ENTER);
  await studio.until("once more:");
  await studio.capture("wrong-passphrase");
  await studio.press(PASSPHRASE, ENTER);
  await studio.until("Nothing sent yet");
  await studio.press("2", TAB, "shop-9", TAB, "Shop 9", TAB, TAB, "UAH", ESC, ENTER);
  await studio.until("Registered shop-9");
  await studio.press("f");
  await studio.until("A credential that is not saved");
  await studio.capture("not-saved");
  await studio.press("v");
  await studio.capture("not-saved-secret");
  await studio.press("\u0003");
  await studio.until("Leave without the credential");
  await studio.capture("not-saved-leave");
  await studio.press("y");
  server.close();
  await studio.ended();
}

const STATES = {
  vault: captureVault,
  replay: captureReplay,
  empty: captureEmpty,
  typical: captureTypical,
  full: captureFull,
  sandbox: captureSandbox,
  demo: captureDemo,
};
const only = process.argv.find((given) => given.startsWith("--only="))?.slice("--only=".length);
try {
  for (const [state, capture] of Object.entries(STATES)) {
    if (only !== undefined && only !== state) continue;
    for (const name of readdirSync(here)) {
      if (name.startsWith(`${state}-`) && name.endsWith(".svg")) rmSync(join(here, name));
    }
    await capture();
  }
} finally {
  for (const state of ["replay", "typical", "full", "sandbox"]) {
    const env = { ...process.env, VERDICT_HOME: join(folder, state, "verdict") };
    await run(process.execPath, [program, "sandbox", "stop"], { env }).catch(() => undefined);
  }
  rmSync(folder, { recursive: true, force: true });
}
