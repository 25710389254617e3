// npm run captures: the built console in a terminal, every screen as a picture in this folder, in four sizes and three states of its home.

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
  const env = {
    PATH: process.env["PATH"],
    HOME: join(folder, state),
    VERDICT_HOME: join(folder, state, "verdict"),
    LANG: "C.UTF-8",
    TZ: "UTC",
  };
  mkdirSync(env.HOME);
  return {
    env,
    verdict: async (...args) => (await run(process.execPath, [program, ...args], { env })).stdout,
  };
}

class Studio {
  readonly #terminal: PseudoTerminal;
  readonly #state: string;

  constructor(home: Home, state: string) {
    this.#state = state;
    this.#terminal = openPseudoTerminal({
      command: [process.execPath, program],
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

const STATES = { empty: captureEmpty, typical: captureTypical, full: captureFull };
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
  for (const state of ["typical", "full"]) {
    const env = { ...process.env, VERDICT_HOME: join(folder, state, "verdict") };
    await run(process.execPath, [program, "sandbox", "stop"], { env }).catch(() => undefined);
  }
  rmSync(folder, { recursive: true, force: true });
}
